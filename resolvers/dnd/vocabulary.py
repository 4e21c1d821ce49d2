"""Open vocabularies: what a caller wrote, turned into the keys that are held, or refused with the nearest ones.

A filter's closed words are enums and are checked before they come here. Classes, documents, casting times,
environments and record keys are open: they depend on what is held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from resolvers.dnd.vocabulary_equipment import (
    category_keys,
    dice_keys,
    folded_equals,
    kinds_meant,
    sections_meant,
)
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.dnd.keys import KeyIndex
from sources.dnd.records import Document
from sources.errors import BadInput
from sources.text_index import fold

CASTING_TIMES = (
    "action", "bonus-action", "reaction", "turn", "round", "1minute", "5minutes", "10minutes", "1hour", "4hours",
    "7hours", "8hours", "9hours", "12hours", "24hours", "1week",
)  # fmt: skip
"""Open5e's casting time keys, all documents together."""

_COUNTED_TIME = re.compile(r"(\d+) ?(minute|hour|day|week)s?")


class Vocabulary(Protocol):
    """Whoever knows what exists: the shelf of what is held here, or a live provider."""

    async def documents(self) -> Mapping[str, Document]:
        """Every document, by key."""
        ...

    async def words(self, vocabulary: str) -> Sequence[str]:
        """The keys of an open vocabulary, sorted."""
        ...

    async def keys(self, kind: str) -> KeyIndex:
        """The keys of all records of a kind."""
        ...


@lru_cache(maxsize=1024)
def casting_time_key(text: str) -> str | None:
    """The key of a casting time in any spelling that the systems use: `1 action`, `Bonus Action`, `10 minutes`.

    None when it is no casting time.
    """
    words = re.sub(r"[\s_-]+", " ", fold(text)).strip()
    counted = _COUNTED_TIME.fullmatch(words)
    if counted:
        number, unit = int(counted[1]), counted[2]
        key = f"{number}{unit}{'' if number == 1 else 's'}"
    else:
        key = re.sub(r"^1 ?", "", words).replace(" ", "-").removesuffix("s")
    return key if key in CASTING_TIMES else None


async def settle(criteria: Criteria, shelf: Vocabulary, kind: str, missing: list[str]) -> Criteria:
    """`criteria` with every open value replaced by the keys that are held.

    Raises `BadInput` for a value that is unknown. Editions are replaced by the documents of theirs that are
    held; those without one are appended to `missing`, since then the answer cannot be whole.
    """
    match criteria:
        case All(parts):
            return All(tuple([await settle(part, shelf, kind, missing) for part in parts]))
        case AnyOf(parts):
            return AnyOf(tuple([await settle(part, shelf, kind, missing) for part in parts]))
        case Not(part):
            # Leaving out an edition that is not held leaves out nothing.
            return Not(await settle(part, shelf, kind, []))
        case Predicate("key", Op.IN):
            return await _keys(criteria, shelf, kind)
        case Predicate("document_key", Op.IN):
            return _known(criteria, sorted(await shelf.documents()), _itself)
        case Predicate("classes", Op.HAS_ANY):
            return _known(criteria, await shelf.words("classes"), _class)
        case Predicate("subclass_of", Op.IN):
            return _known(criteria, await shelf.words("character_classes"), _class)
        case Predicate("subspecies_of", Op.IN):
            return _known(criteria, await shelf.words("species"), _class)
        case Predicate("casting_time", Op.IN):
            return _known(criteria, CASTING_TIMES, _casting_time)
        case Predicate("environments", Op.HAS_ANY):
            return await _environments(criteria, shelf)
        case Predicate("kind", Op.IN):
            return kinds_meant(criteria, kind)
        case Predicate("categories", Op.HAS_ANY):
            return _known(criteria, await shelf.words("categories"), category_keys)
        case Predicate("properties", Op.HAS_ANY):
            return _known(criteria, await shelf.words("properties"), _class)
        case Predicate("damage_dice", Op.IN):
            return _known(criteria, await shelf.words("damage_dice"), dice_keys)
        case Predicate("section", Op.IN):
            return sections_meant(_known(criteria, await shelf.words("section"), _class))
        case Predicate("publisher" | "licence" | "source" as attribute, Op.IN) if kind == "document":
            held = {getattr(document, attribute) for document in (await shelf.documents()).values()}
            return _known(criteria, sorted(held), folded_equals)
        case Predicate("edition", Op.IN) if kind == "document":
            _note_missing(criteria, await shelf.documents(), missing)
            return criteria
        case Predicate("edition", Op.IN):
            return await _editions(criteria, shelf, missing)
        case Predicate():
            return criteria


def resolve_key(text: str, keys: KeyIndex, documents: Sequence[str] | None = None) -> tuple[str, ...]:
    """The keys that `text` can mean: itself where it is one, else every key whose slug it is.

    With `documents`, only keys of those count.
    """
    if text in keys and (documents is None or keys[text] in documents):
        return (text,)
    slug = re.sub(r"[\s_]+", "-", fold(text))
    return tuple(key for key in keys.by_slug.get(slug, ()) if documents is None or keys[key] in documents)


async def _keys(predicate: Predicate, shelf: Vocabulary, kind: str) -> Predicate:
    held = await shelf.keys(kind)
    found: list[str] = []
    for index, text in enumerate(predicate.value):
        meant = resolve_key(text, held)
        argument = _item(predicate, index)
        if not meant:
            raise BadInput.unknown(argument, text, sorted(held), list_allowed=False)
        if len(meant) > 1:
            raise BadInput(
                "is the slug of several records; give the whole key.", argument=argument, allowed=meant
            )
        found.extend(meant)
    return replace(predicate, value=tuple(dict.fromkeys(found)))


Meanings = Callable[[str, Sequence[str]], Sequence[str]]


def _known(predicate: Predicate, known: Sequence[str], meanings: Meanings) -> Predicate:
    """The predicate with each value replaced by the known keys that it means."""
    found: list[str] = []
    for index, text in enumerate(predicate.value):
        meant = meanings(text, known)
        if not meant:
            raise BadInput.unknown(_item(predicate, index), text, known)
        found.extend(meant)
    return replace(predicate, value=tuple(dict.fromkeys(found)))


def _itself(text: str, known: Sequence[str]) -> Sequence[str]:
    wanted = fold(text)
    return [key for key in known if key == wanted]


def _class(text: str, known: Sequence[str]) -> Sequence[str]:
    """`srd_wizard` means itself; `wizard` or `Wizard` the wizards of every document. Species are named alike."""
    wanted = re.sub(r"\s+", "-", fold(text))
    return [key for key in known if key == wanted or key.partition("_")[2] == wanted]


def _casting_time(text: str, known: Sequence[str]) -> Sequence[str]:
    key = casting_time_key(text)
    return () if key is None else (key,)


async def _environments(predicate: Predicate, shelf: Vocabulary) -> Predicate:
    known = await shelf.words("environments")
    if not known and predicate.value:
        raise BadInput(
            "cannot be asked for: none of the documents held here records environments.",
            argument=predicate.argument,
        )
    return _known(predicate, known, _itself)


async def _editions(predicate: Predicate, shelf: Vocabulary, missing: list[str]) -> Predicate:
    documents = await shelf.documents()
    _note_missing(predicate, documents, missing)
    keys = tuple(key for key, document in documents.items() if document.edition in predicate.value)
    return Predicate("document_key", Op.IN, keys, predicate.argument)


def _note_missing(predicate: Predicate, documents: Mapping[str, Document], missing: list[str]) -> None:
    held = {document.edition for document in documents.values()}
    missing.extend(edition for edition in predicate.value if edition not in held and edition not in missing)


def _item(predicate: Predicate, index: int) -> str:
    """The path of one value of a predicate's list; a single value needs no index."""
    return predicate.argument if len(predicate.value) == 1 else f"{predicate.argument}[{index}]"
