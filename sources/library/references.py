"""From what a file calls a category or a concept to its key; what is called for the first time is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import sqlalchemy as sa

from sources.library import tables
from sources.library.identity import key_of, mark_of
from sources.library.statistics import ANCESTOR, CATEGORY, CONCEPT, batches, insert_rows
from sources.text_index import fold

SYNONYM = tables.table_of(tables.ConceptSynonymRow)


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the two kinds of thing that are referred to."""

    table: sa.Table
    other_names: Callable[[sa.Connection, Sequence[str]], Iterable[tuple[str, str]]]
    row: Callable[[str, str, str], dict[str, Any]]


def categories_meant(connection: sa.Connection, texts: Iterable[str], origin: str) -> dict[str, str]:
    """The key of each category that is written as id, name or alias; unknown ones are made as top categories."""
    meant, made = _meant(connection, _CATEGORIES, texts, origin)
    insert_rows(
        connection, ANCESTOR, [{"category_key": key, "ancestor_key": key, "distance": 0} for key in made]
    )
    return meant


def concepts_meant(connection: sa.Connection, texts: Iterable[str], origin: str) -> dict[str, str]:
    """The key of each concept that is written as id, name or synonym; unknown ones are made."""
    return _meant(connection, _CONCEPTS, texts, origin)[0]


def _meant(
    connection: sa.Connection, kind: _Kind, texts: Iterable[str], origin: str
) -> tuple[dict[str, str], list[str]]:
    """The key of each text, and those that had to be made."""
    wanted = list(dict.fromkeys(texts))
    held = kind.table.c
    meant: dict[str, str] = {}
    for batch in batches(wanted):
        found = connection.execute(sa.select(held.key).where(held.key.in_(batch))).scalars()
        meant.update((key, key) for key in found)
    folded = {text: fold(text) for text in wanted if text not in meant}
    by_name: dict[str, str] = {}
    for batch in batches(set(folded.values())):
        rows = connection.execute(sa.select(held.name_folded, held.key).where(held.name_folded.in_(batch)))
        by_name.update((name, key) for name, key in rows)
    left = sorted(set(folded.values()) - by_name.keys())
    if left:
        by_other: dict[str, list[str]] = {}
        for name, key in kind.other_names(connection, left):
            by_other.setdefault(name, []).append(key)
        # A name that several share says nothing.
        by_name.update((name, keys[0]) for name, keys in by_other.items() if len(keys) == 1)
    new = {name: text for text, name in reversed(folded.items()) if name not in by_name}
    made = _made(connection, kind, new, origin)
    by_name |= made
    meant.update((text, by_name[name]) for text, name in folded.items())
    return meant, list(made.values())


def _made(connection: sa.Connection, kind: _Kind, new: dict[str, str], origin: str) -> dict[str, str]:
    """Makes entries of nothing but a name; returns their keys by folded name."""
    proposed = {name: key_of(text) for name, text in new.items()}
    taken: set[str] = set()
    for batch in batches(set(proposed.values())):
        held = kind.table.c.key
        taken.update(connection.execute(sa.select(held).where(held.in_(batch))).scalars())
    made: dict[str, str] = {}
    for name in sorted(new):
        key = proposed[name]
        if key in taken:
            key = f"{key}-{mark_of(name)}"
        taken.add(key)
        made[name] = key
    insert_rows(connection, kind.table, [kind.row(key, new[name], origin) for name, key in made.items()])
    return made


def _aliases(connection: sa.Connection, wanted: Sequence[str]) -> Iterable[tuple[str, str]]:
    known = set(wanted)
    for key, aliases in connection.execute(sa.select(CATEGORY.c.key, CATEGORY.c.aliases)):
        for name in {fold(alias) for alias in orjson.loads(aliases)} & known:
            yield name, key


def _synonyms(connection: sa.Connection, wanted: Sequence[str]) -> Iterable[tuple[str, str]]:
    for batch in batches(wanted):
        rows = connection.execute(
            sa.select(SYNONYM.c.synonym_folded, SYNONYM.c.concept_key).where(
                SYNONYM.c.synonym_folded.in_(batch)
            )
        )
        yield from ((name, key) for name, key in rows)


def category_row(key: str, name: str, origin: str) -> dict[str, Any]:
    """The row of a category of which nothing but the name is known."""
    return {
        "key": key,
        "name": name,
        "name_folded": fold(name),
        "search_folded": fold(name),
        "description": None,
        "aliases": "[]",
        "parent_key": None,
        "depth": 0,
        "origin": origin,
        "content_hash": None,
        "document_count": 0,
        "chunk_count": 0,
        "concept_count": 0,
        "subtree_document_count": 0,
        "subtree_chunk_count": 0,
        "subtree_concept_count": 0,
    }


def concept_row(key: str, name: str, origin: str) -> dict[str, Any]:
    """The row of a concept of which nothing but the name is known."""
    return {
        "key": key,
        "name": name,
        "name_folded": fold(name),
        "summary": None,
        "synonyms": "[]",
        "weight": None,
        "origin": origin,
        "content_hash": None,
        "document_count": 0,
        "chunk_count": 0,
    }


_CATEGORIES = _Kind(CATEGORY, _aliases, category_row)
_CONCEPTS = _Kind(CONCEPT, _synonyms, concept_row)
