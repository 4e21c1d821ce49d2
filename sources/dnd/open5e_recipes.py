"""How attributes of our records are made from Open5e's: which of its fields each needs, so that no more is asked.

A recipe names the upstream's top-level fields that it reads; `compile_fields` turns the attributes that a
question needs into the parameters `fields` and `document__fields`. Field names of nested objects are only cut
for `document`, which stands in every record and is the same text each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document

Documents = Mapping[str, Document]

WHOLE_SHARE = 0.8
"""A selection of more than this share of all fields asks for whole records: one answer then serves others too."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one attribute is made.

    - `fields`: the upstream's fields that it reads
    - `make`: makes it from a record that has them
    - `document`: the fields inside `document` that it reads
    - `joined`: what is made is the key of a document, and the attribute is this one of the document's own record
    """

    fields: tuple[str, ...]
    make: Callable[[Raw], Any]
    document: tuple[str, ...] = ()
    joined: str = ""


Recipes = Mapping[str, Recipe]

JOINED: Mapping[str, str] = {
    "document_name": "name",
    "document_url": "url",
    "document_licence": "licence",
    "document_attribution": "attribution",
}
"""Attributes that stand in the document's own record, which the list of documents gives."""


def document_key(raw: Raw) -> str:
    """The key of the document that a record stands in."""
    return _in_document(raw, "key")


def edition(raw: Raw) -> str:
    """The rules edition that a record's document is written for."""
    system = _document(raw).get("gamesystem")
    if not isinstance(system, Mapping) or not isinstance(system.get("key"), str):
        raise MalformedRecord(key_of(raw), "document", "names no game system")
    return str(system["key"])


def key_of(raw: Raw) -> str:
    """The unique key of a record. Raises MalformedRecord for one without."""
    key = raw.get("key")
    if not isinstance(key, str) or not key:
        raise MalformedRecord(str(raw.get("name") or "without a name"), "key", "is missing")
    return key


def slug_of(raw: Raw) -> str:
    """The key behind its prefix; the whole key where it has none."""
    key = key_of(raw)
    return key.partition("_")[2] or key


def name_of(raw: Raw) -> str:
    """The name as printed."""
    name = raw.get("name")
    if not isinstance(name, str) or not name.strip():
        raise MalformedRecord(key_of(raw), "name", "is missing")
    return name.strip()


def word(field: str) -> Recipe:
    """The key of a vocabulary entry, `{"name": …, "key": …}` or the key alone."""

    def make(raw: Raw) -> str:
        value = raw.get(field)
        key = value.get("key") if isinstance(value, Mapping) else value
        if not isinstance(key, str) or not key:
            raise MalformedRecord(key_of(raw), field, "is not a word of a vocabulary")
        return key

    return Recipe((field,), make)


def flag(field: str) -> Recipe:
    """A truth value."""
    return Recipe((field,), lambda raw: raw.get(field) is True)


def whole_number(field: str) -> Recipe:
    """A whole number that every record has."""
    return Recipe((field,), lambda raw: number(raw, field, raw.get(field)))


def optional_number(field: str) -> Recipe:
    """A whole number, or null."""

    def make(raw: Raw) -> int | None:
        value = raw.get(field)
        return None if value is None else number(raw, field, value)

    return Recipe((field,), make)


def number(raw: Raw, field: str, value: object) -> int:
    """`value` as a whole number; Open5e writes some with a fraction of zero. Raises MalformedRecord."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedRecord(key_of(raw), field, "is missing" if value is None else "is not a number")
    return int(value)


def decimal(value: object) -> float | None:
    """A decimal that is written as a text (`15.00`); null where none is said."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def clean(value: object) -> str:
    r"""A text with plain line ends: `\r\n` in places. Empty where nothing is said."""
    if not isinstance(value, str):
        return ""
    return value.replace("\r\n", "\n").replace("\r", "\n").strip()


def text_or_none(field: str) -> Recipe:
    """A text, null where the upstream says nothing, which it writes as an empty one."""
    return Recipe((field,), lambda raw: clean(raw.get(field)) or None)


def mapping(raw: Raw, field: str) -> Raw:
    """The object at `field`; empty when there is none."""
    value = raw.get(field)
    return value if isinstance(value, Mapping) else {}


def objects(raw: Raw, field: str) -> list[Raw]:
    """The objects in the list at `field`."""
    value = raw.get(field)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def keys_in(raw: Raw, field: str) -> tuple[str, ...]:
    """The keys of a list of vocabulary entries, or of plain keys."""
    value = raw.get(field)
    items = value if isinstance(value, list) else []
    keys = (item.get("key") if isinstance(item, Mapping) else item for item in items)
    return tuple(dict.fromkeys(key for key in keys if isinstance(key, str) and key))


SHARED: Recipes = {
    "key": Recipe(("key",), key_of),
    "slug": Recipe(("key",), slug_of),
    "name": Recipe(("name", "key"), name_of),
    "document_key": Recipe(("document", "key"), document_key, ("key",)),
    "edition": Recipe(("document", "key"), edition, ("gamesystem",)),
    **{name: Recipe(("document", "key"), document_key, ("key",), joined) for name, joined in JOINED.items()},
}
"""What every record of Open5e has. A joined attribute is made from the key by the document list."""


def compile_fields(recipes: Recipes, columns: Iterable[str], known: int) -> dict[str, str]:
    """The parameters that ask for no more fields than `columns` need; none when that is most of the `known`.

    Names are sorted, so that equal selections are the same request. Raises KeyError for a column that has no
    recipe.
    """
    chosen = [recipes[column] for column in columns]
    fields = sorted({name for recipe in chosen for name in recipe.fields})
    # Rows that are taken apart name no field for each attribute, and an empty parameter is ignored anyway.
    if not fields or len(fields) > WHOLE_SHARE * known:
        return {}
    parameters = {"fields": ",".join(fields)}
    inner = sorted({name for recipe in chosen for name in recipe.document})
    if inner:
        parameters["document__fields"] = ",".join(inner)
    return parameters


def make_values(recipes: Recipes, columns: Iterable[str], raw: Raw, documents: Documents) -> list[Any]:
    """The values of `columns`, in their order. Raises MalformedRecord for a record that lacks what it must have."""
    values = []
    for column in columns:
        value = recipes[column].make(raw)
        joined = recipes[column].joined
        if joined:
            document = documents.get(value)
            if document is None:
                raise MalformedRecord(key_of(raw), "document", f"`{value}` is none of Open5e's documents")
            value = getattr(document, joined)
        values.append(value)
    return values


def _document(raw: Raw) -> Raw:
    value = raw.get("document")
    if not isinstance(value, Mapping):
        raise MalformedRecord(key_of(raw), "document", "is missing")
    return value


def _in_document(raw: Raw, field: str) -> str:
    value = _document(raw).get(field)
    if not isinstance(value, str) or not value:
        raise MalformedRecord(key_of(raw), "document", f"has no {field}")
    return value
