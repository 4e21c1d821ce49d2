"""What callers call a category, a concept or a document, turned into its key, or refused with the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.errors import BadInput, NotFound, nearest, shorten
from sources.library.identity import normal_identifier
from sources.library.store import LibraryShelf
from sources.sql_store import SqlStore
from sources.text_index import fold


async def category_meant(shelf: LibraryShelf, text: str, argument: str) -> str | None:
    """The key of the category that is written as id, name or alias; None when there is none.

    Raises `BadInput` for an alias that several categories share.
    """
    book = await shelf.category_names()
    return _only(book.meant(text), argument, "category")


async def concept_meant(shelf: LibraryShelf, text: str, argument: str) -> str | None:
    """The key of the concept that is written as id, name or synonym. As `category_meant`."""
    book = await shelf.concepts_named(text, fold(text))
    return _only(book.meant(text), argument, "concept")


async def known_category(shelf: LibraryShelf, text: str, argument: str) -> str:
    """As `category_meant`; raises `BadInput` with the nearest names where there is none."""
    key = await category_meant(shelf, text, argument)
    if key is None:
        raise BadInput(
            f"does not know the category `{shorten(text)}`.",
            argument=argument,
            suggestions=nearest(text, (await shelf.category_names()).names),
        )
    return key


async def known_concept(shelf: LibraryShelf, text: str, argument: str) -> str:
    """As `concept_meant`; raises `BadInput` with the nearest names where there is none."""
    key = await concept_meant(shelf, text, argument)
    if key is None:
        raise BadInput(
            f"does not know the concept `{shorten(text)}`.",
            argument=argument,
            suggestions=nearest(text, await shelf.concept_names()),
        )
    return key


def not_found(kind: str, text: str, argument: str, names: Sequence[str]) -> NotFound:
    """There is none of this name; `names` are all that exist."""
    return NotFound(
        f"No {kind} is known as `{shorten(text)}`.", argument=argument, suggestions=nearest(text, names)
    )


def _only(meant: Sequence[str], argument: str, kind: str) -> str | None:
    if len(meant) > 1:
        raise BadInput(
            f"is what several of kind {kind} are also called; give the id.", argument=argument, allowed=meant
        )
    return meant[0] if meant else None


async def settle(criteria: Criteria, shelf: LibraryShelf, store: SqlStore) -> Criteria:
    """`criteria` with every open value replaced by keys that are held. Raises `BadInput` for an unknown one."""
    match criteria:
        case All(parts):
            return All(tuple([await settle(part, shelf, store) for part in parts]))
        case AnyOf(parts):
            return AnyOf(tuple([await settle(part, shelf, store) for part in parts]))
        case Not(part):
            return Not(await settle(part, shelf, store))
        case Predicate("category" | "category_tree" | "parent_key"):
            keys = [
                await known_category(shelf, text, _item(criteria, index))
                for index, text in enumerate(criteria.value)
            ]
            return replace(criteria, value=tuple(dict.fromkeys(keys)))
        case Predicate("concept"):
            keys = [
                await known_concept(shelf, text, _item(criteria, index))
                for index, text in enumerate(criteria.value)
            ]
            return replace(criteria, value=tuple(dict.fromkeys(keys)))
        case Predicate("identifier"):
            return replace(criteria, value=tuple(normal_identifier(text) for text in criteria.value))
        case Predicate("key", Op.IN):
            return await _keys(criteria, store)
        case Predicate():
            return criteria


async def _keys(predicate: Predicate, store: SqlStore) -> Predicate:
    held = await store.by_keys(predicate.value, ())
    for index, key in enumerate(predicate.value):
        if key not in held:
            raise BadInput(f"does not know the key `{shorten(key)}`.", argument=_item(predicate, index))
    return predicate


def _item(predicate: Predicate, index: int) -> str:
    """The path of one value of a predicate's list; a single value needs no index."""
    return predicate.argument if len(predicate.value) == 1 else f"{predicate.argument}[{index}]"
