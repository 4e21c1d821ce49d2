"""Writing concepts: their names stay unique, and the counts by category follow a new name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from sources.library import tables
from sources.library.records import ConceptEntry, Origin
from sources.library.references import SYNONYM, concept_row, concepts_meant
from sources.library.statistics import CATEGORY_CONCEPT, CONCEPT, batches, insert_rows
from sources.library.tally import Tally
from sources.library.write_categories import IN_SAMPLE
from sources.text_index import fold

RELATION = tables.table_of(tables.ConceptRelationRow)

_UNFINISHED = "unfinished "
"""Begins the digest of a concept whose relations are yet to be written: an import that ends before that writes it anew
the next time."""

Numbered = tuple[int, ConceptEntry]
"""An entry and the number of its line."""


def write_concepts(
    connection: sa.Connection, entries: Sequence[Numbered], origin: Origin
) -> tuple[Tally, list[ConceptEntry]]:
    """Writes concepts but for their relations; returns those whose relations `write_relations` has to write.

    The relations come when all concepts of a file are there, so that a name leads to its definition.
    """
    tally = Tally()
    written: list[ConceptEntry] = []
    for batch in batches(entries):
        written += _write_batch(connection, batch, origin, tally)
    return tally, written


def _write_batch(
    connection: sa.Connection, entries: Sequence[Numbered], origin: Origin, tally: Tally
) -> Iterable[ConceptEntry]:
    keys = [entry.key for _, entry in entries]
    names = list({fold(entry.name) for _, entry in entries})
    held = {row.key: row for row in connection.execute(sa.select(CONCEPT).where(CONCEPT.c.key.in_(keys)))}
    columns = (CONCEPT.c.name_folded, CONCEPT.c.key, CONCEPT.c.origin)
    named = connection.execute(sa.select(*columns).where(CONCEPT.c.name_folded.in_(names))).all()
    owners: dict[str, str] = {row.name_folded: row.key for row in named}
    sample = {row.key for row in named if row.origin == Origin.SAMPLE}
    new: list[dict[str, Any]] = []
    written: list[ConceptEntry] = []
    for number, entry in entries:
        row = held.get(entry.key)
        if row is not None and row.origin == Origin.IMPORT and origin is Origin.SAMPLE:
            tally.counts["kept"] += 1
            continue
        if row is not None and row.content_hash == entry.digest and row.origin == origin:
            tally.counts["unchanged"] += 1
            continue
        owner = owners.setdefault(fold(entry.name), entry.key)
        if owner != entry.key:
            hint = IN_SAMPLE if owner in sample else ""
            tally.reject(
                number, f"`name`: `{entry.name}` is the name of the concept `{owner}` already.{hint}"
            )
            continue
        values = _values(entry, origin)
        if row is None:
            new.append(concept_row(entry.key, entry.name, origin.value) | values)
        else:
            connection.execute(sa.update(CONCEPT).where(CONCEPT.c.key == entry.key).values(values))
            if row.name_folded != values["name_folded"]:
                owners.pop(row.name_folded, None)
                connection.execute(
                    sa.update(CATEGORY_CONCEPT)
                    .where(CATEGORY_CONCEPT.c.concept_key == entry.key)
                    .values(name_folded=values["name_folded"])
                )
        tally.counts["added" if row is None else "updated"] += 1
        written.append(entry)
    insert_rows(connection, CONCEPT, new)
    _write_synonyms(connection, written)
    return written


def _values(entry: ConceptEntry, origin: Origin) -> dict[str, Any]:
    return {
        "name": entry.name,
        "name_folded": fold(entry.name),
        "summary": entry.summary,
        "synonyms": orjson.dumps(entry.synonyms).decode(),
        "weight": entry.weight,
        "origin": origin.value,
        "content_hash": f"{_UNFINISHED}{entry.digest}",
    }


def _write_synonyms(connection: sa.Connection, entries: Sequence[ConceptEntry]) -> None:
    for batch in batches([entry.key for entry in entries]):
        connection.execute(sa.delete(SYNONYM).where(SYNONYM.c.concept_key.in_(batch)))
    rows = [
        {"concept_key": entry.key, "synonym_folded": name}
        for entry in entries
        for name in sorted({fold(synonym) for synonym in entry.synonyms})
    ]
    insert_rows(connection, SYNONYM, rows)


def write_relations(connection: sa.Connection, entries: Sequence[ConceptEntry], origin: Origin) -> None:
    """Writes what concepts are broader and narrower than, and related to."""
    for batch in batches(entries):
        told = {
            (entry.key, relation): others
            for entry in batch
            for relation, others in (
                ("broader", entry.broader),
                ("narrower", entry.narrower),
                ("related", entry.related),
            )
        }
        texts = (text for others in told.values() for text in others)
        meant = concepts_meant(connection, texts, origin.value)
        connection.execute(
            sa.delete(RELATION).where(RELATION.c.concept_key.in_([entry.key for entry in batch]))
        )
        rows: list[dict[str, Any]] = []
        for (key, relation), others in told.items():
            keys = dict.fromkeys(meant[text] for text in others)
            keys.pop(key, None)
            rows += [
                {"concept_key": key, "relation": relation, "position": position, "other_key": other}
                for position, other in enumerate(keys)
            ]
        insert_rows(connection, RELATION, rows)
        held = CONCEPT.c.content_hash
        connection.execute(
            sa.update(CONCEPT)
            .where(CONCEPT.c.key.in_([entry.key for entry in batch]), held.startswith(_UNFINISHED))
            .values(content_hash=sa.func.substr(held, len(_UNFINISHED) + 1))
        )
