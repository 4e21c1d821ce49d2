"""The lists of Open5e v2 that are mirrored.

The others hold no records of ours: weapons and armor stand in the items, and sizes, types, environments, rarities
and categories in the records that have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sources.dnd.open5e_terms import TERM_PATHS

PAGE_SIZE = 250
"""Rows asked for at once: a page is about a megabyte, and what a stop loses."""

DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class MirrorList:
    """One list endpoint.

    - `name`: of the endpoint (`spells`); `kind`: of its records, as reports say it
    - `page_size`: rows asked for at once
    - `by_document`: whether it can be asked for the records of some documents alone
    """

    name: str
    kind: str
    page_size: int = PAGE_SIZE
    by_document: bool = True

    @property
    def path(self) -> str:
        """Below the base URL."""
        return f"/{self.name}/"


LISTS: Mapping[str, MirrorList] = {
    one.name: one
    for one in (
        MirrorList(DOCUMENTS, "document", page_size=1_000, by_document=False),
        MirrorList("spells", "spell"),
        MirrorList("creatures", "creature"),
        MirrorList("items", "item"),
        MirrorList("magicitems", "magic-item"),
        # The upstream takes long over classes. A subclass of a document may be of a class of another.
        MirrorList("classes", "class", page_size=50, by_document=False),
        MirrorList("species", "species", by_document=False),
        MirrorList("backgrounds", "background"),
        MirrorList("feats", "feat"),
        MirrorList("rules", "rule-section"),
        MirrorList("rulesets", "rule", page_size=50, by_document=False),
        *(
            # One row has the texts of many documents.
            MirrorList(path.strip("/"), kind, by_document=False)
            for kind, path in TERM_PATHS.items()
        ),
    )
}
"""All of them, by name; the documents first, since every record stands in one."""

TERMS: Mapping[str, str] = {path.strip("/"): kind for kind, path in TERM_PATHS.items()}
"""The kind of the records of each list of terms."""
