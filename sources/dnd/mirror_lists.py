"""The lists of Open5e v2 that are mirrored, and how their rows become records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PAGE_SIZE = 250
"""Rows asked for at once: a page is about a megabyte, and what a stop loses."""

DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class MirrorList:
    """One list endpoint.

    - `name`: of the endpoint (`spells`); `kind`: of its records, as reports say it
    - `page_size`: rows asked for at once
    - `by_document`: whether it can be asked for the records of some documents alone
    - `may_be_empty`: whether a list without any record is believed
    """

    name: str
    kind: str
    page_size: int = PAGE_SIZE
    by_document: bool = True
    may_be_empty: bool = False

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
    )
}
"""All of them, by name; the documents first, since every record stands in one."""
