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


AUTO_SECONDS = 10.0
"""How long AUTO waits for the live API before what is held here answers instead."""


async def not_held(criteria: Criteria, shelf: DndShelf, kind: str) -> list[str]:
    """What `criteria` asks for and the shelf does not hold, in words; empty when the shelf can answer whole."""
    found: list[str] = []
    for predicate in _asked(criteria):
        for value in predicate.value:
            if not await _is_held(predicate.attribute, value, shelf, kind):
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
        case Predicate() if _names_something(criteria):
            held = [
                value for value in criteria.value if await _is_held(criteria.attribute, value, shelf, kind)
            ]
            return replace(criteria, value=tuple(held))
        case Predicate():
            return criteria


async def key_is_elsewhere(text: str, shelf: DndShelf, kind: str) -> bool:
    """Whether `text` is a whole key that begins as none of the keys held here does."""
    prefix, separator, _ = text.partition("_")
    return bool(separator) and prefix not in (await shelf.keys(kind)).prefixes


def _names_something(predicate: Predicate) -> bool:
    return (predicate.attribute, predicate.op) in (
        ("key", Op.IN),
        ("document_key", Op.IN),
        ("edition", Op.IN),
        ("classes", Op.HAS_ANY),
        ("environments", Op.HAS_ANY),
    )


def _asked(criteria: Criteria) -> Iterator[Predicate]:
    match criteria:
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _asked(part)
        case Predicate() if _names_something(criteria):
            yield criteria


async def _is_held(attribute: str, value: str, shelf: DndShelf, kind: str) -> bool:
    match attribute:
        case "document_key":
            return fold(value) in await shelf.documents()
        case "edition":
            return any(document.edition == value for document in (await shelf.documents()).values())
        case "key":
            keys = await shelf.keys(kind)
            return bool(resolve_key(value, keys)) or not await key_is_elsewhere(value, shelf, kind)
        case "classes":
            prefix, separator, _ = value.partition("_")
            known = {key.partition("_")[0] for key in await shelf.words("classes")}
            return not separator or prefix in known
        case _:
            return bool(await shelf.words("environments"))


def _words(attribute: str, value: str) -> str:
    match attribute:
        case "document_key":
            return f"document `{value}`"
        case "edition":
            return f"edition {value}"
        case "environments":
            return "environments"
        case _:
            return f"`{value}`"
