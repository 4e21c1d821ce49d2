"""Which provider answers: what is held here, or the live API.

AUTO decides by what is asked. What is held here answers where the documents, editions, keys and classes that a
question names are held; the live API is asked where one is not. Nothing named means whatever is held: without a
network, nothing ever waits for one. Under `not`, a name asks for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from resolvers.dnd.vocabulary import resolve_key
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.dnd.store import DndShelf
from sources.text_index import fold


class Provider(StrEnum):
    """Who answers a question about D&D."""

    AUTO = "auto"
    LOCAL = "local"
    OPEN5E = "open5e"
    DND5E = "dnd5e"


AUTO_SECONDS = 10.0
"""How long AUTO waits for the live API before what is held here answers instead."""


async def not_held(criteria: Criteria, shelf: DndShelf, kind: str) -> list[str]:
    """What `criteria` asks for and the shelf does not hold, in words; empty when the shelf can answer whole."""
    found: list[str] = []
    for predicate in _asked(criteria, kind):
        for value in predicate.value:
            if not await _is_held(predicate, value, shelf, kind):
                found.append(_words(predicate.attribute, value))
    return list(dict.fromkeys(found))


async def within_held(criteria: Criteria, shelf: DndShelf, kind: str) -> Criteria:
    """`criteria` without the values that the shelf does not hold, so that the rest can be answered from it."""
    match criteria:
        case All(parts):
            return All(tuple([await within_held(part, shelf, kind) for part in parts]))
        case AnyOf(parts):
            return AnyOf(tuple([await within_held(part, shelf, kind) for part in parts]))
        case Not(part):
            return Not(await within_held(part, shelf, kind))
        case Predicate() if _names_something(criteria, kind):
            held = [value for value in criteria.value if await _is_held(criteria, value, shelf, kind)]
            return replace(criteria, value=tuple(held))
        case Predicate():
            return criteria


async def key_is_elsewhere(text: str, shelf: DndShelf, kind: str) -> bool:
    """Whether `text` is a whole key that begins as none of the keys held here does; of a document, any unknown.

    The key of a rule's section that names its rule set as well (`srd_combat_cover`) is Open5e's, who cuts the SRD's
    text in another way than the embedded data.
    """
    if kind == "document":
        return fold(text) not in await shelf.documents()
    prefix, separator, slug = text.partition("_")
    if kind == "rule" and "_" in slug:
        return text not in await shelf.keys(kind)
    return bool(separator) and prefix not in (await shelf.keys(kind)).prefixes


_PREFIXED = {
    ("classes", Op.HAS_ANY): "classes",
    ("subclass_of", Op.IN): "character_classes",
    ("subspecies_of", Op.IN): "species",
    ("properties", Op.HAS_ANY): "properties",
    ("section", Op.IN): "section",
}
"""Attributes that hold keys, with the vocabulary of those that are held here."""

_OF_DOCUMENTS = ("publisher", "licence", "source")


def _names_something(predicate: Predicate, kind: str) -> bool:
    named = (predicate.attribute, predicate.op)
    if kind == "document" and predicate.op is Op.IN and predicate.attribute in _OF_DOCUMENTS:
        return True
    return named in _PREFIXED or named in (
        ("key", Op.IN),
        ("document_key", Op.IN),
        ("edition", Op.IN),
        ("environments", Op.HAS_ANY),
    )


def _asked(criteria: Criteria, kind: str) -> Iterator[Predicate]:
    match criteria:
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _asked(part, kind)
        case Predicate() if _names_something(criteria, kind):
            yield criteria


async def _is_held(predicate: Predicate, value: str, shelf: DndShelf, kind: str) -> bool:
    attribute = predicate.attribute
    match attribute:
        case "document_key":
            return fold(value) in await shelf.documents()
        case "edition":
            return any(document.edition == value for document in (await shelf.documents()).values())
        case "key":
            keys = await shelf.keys(kind)
            return bool(resolve_key(value, keys)) or not await key_is_elsewhere(value, shelf, kind)
        case "environments":
            return bool(await shelf.words("environments"))
        case _ if attribute in _OF_DOCUMENTS:
            documents = (await shelf.documents()).values()
            return fold(value) in {fold(getattr(document, attribute)) for document in documents}
        case _:
            prefix, separator, _ = value.partition("_")
            words = await shelf.words(_PREFIXED[attribute, predicate.op])
            return not separator or prefix in {key.partition("_")[0] for key in words}


def _words(attribute: str, value: str) -> str:
    match attribute:
        case "document_key":
            return f"document `{value}`"
        case "edition":
            return f"edition {value}"
        case "environments":
            return "environments"
        case "publisher" | "licence" | "source":
            return f"{attribute} `{value}`"
        case _:
            return f"`{value}`"
