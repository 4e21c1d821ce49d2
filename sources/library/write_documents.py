"""Writing documents with their links, their text, and what they count for; and taking them away again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from sources.library import tables
from sources.library.identity import normal_identifier
from sources.library.records import DocumentEntry, Mention, Origin
from sources.library.references import categories_meant, concepts_meant
from sources.library.statistics import (
    ANCESTOR,
    CATEGORY,
    CHUNK,
    CHUNK_CONCEPT,
    CONCEPT,
    DOCUMENT,
    DOCUMENT_CATEGORY,
    DOCUMENT_CONCEPT,
    batches,
    contribute,
    count_uses_of,
    insert_rows,
    set_scope,
)
from sources.library.tables import CHUNK_TEXT, DOCUMENT_TEXT
from sources.library.tally import Tally
from sources.library.write_categories import RELATION as CATEGORY_RELATION
from sources.library.write_concepts import RELATION as CONCEPT_RELATION
from sources.text_index import fold
from sources.text_index_tables import remove_texts, write_texts

IDENTIFIER = tables.table_of(tables.DocumentIdentifierRow)

IN_CHUNKS = "in chunks"
"""The match type of a concept that only the chunks of a document name."""


def write_documents(connection: sa.Connection, entries: Sequence[DocumentEntry], origin: Origin) -> Tally:
    """Writes documents in place of what is held under their keys; those that are held already are left alone."""
    tally = Tally()
    for batch in batches(entries):
        _write_batch(connection, batch, origin, tally)
    return tally


def _write_batch(
    connection: sa.Connection, entries: Sequence[DocumentEntry], origin: Origin, tally: Tally
) -> None:
    columns = (DOCUMENT.c.key, DOCUMENT.c.content_hash, DOCUMENT.c.origin)
    keys = [entry.key for entry in entries]
    held = {row.key: row for row in connection.execute(sa.select(*columns).where(columns[0].in_(keys)))}
    wanted: list[DocumentEntry] = []
    for entry in entries:
        row = held.get(entry.key)
        if row is not None and row.origin == Origin.IMPORT and origin is Origin.SAMPLE:
            tally.counts["kept"] += 1
        elif row is not None and row.content_hash == entry.digest and row.origin == origin:
            tally.counts["unchanged"] += 1
        else:
            wanted.append(entry)
            tally.counts["added" if row is None else "updated"] += 1
    if not wanted:
        return
    spoken_of = _take_away(connection, [entry.key for entry in wanted if entry.key in held])
    categories = categories_meant(
        connection, (text for entry in wanted for text in entry.categories), origin.value
    )
    concepts = concepts_meant(connection, _concepts_named(wanted), origin.value)
    _insert(connection, wanted, origin, categories, concepts)
    added = [entry.key for entry in wanted]
    set_scope(connection, added)
    contribute(connection, added, 1)
    count_uses_of(connection, sorted(spoken_of | set(concepts.values())))
    drop_unused(connection, sorted(spoken_of - set(concepts.values())))


def _concepts_named(entries: Iterable[DocumentEntry]) -> Iterable[str]:
    for entry in entries:
        yield from (mention.concept for mention in entry.concepts)
        for chunk in entry.chunks:
            yield from chunk.concepts


def _insert(
    connection: sa.Connection,
    entries: Sequence[DocumentEntry],
    origin: Origin,
    categories: dict[str, str],
    concepts: dict[str, str],
) -> None:
    rows: dict[sa.Table, list[dict[str, Any]]] = {
        DOCUMENT: [], IDENTIFIER: [], DOCUMENT_CATEGORY: [], DOCUMENT_CONCEPT: [], CHUNK: [], CHUNK_CONCEPT: []
    }  # fmt: skip
    for entry in entries:
        mentions = _mentions(entry, concepts)
        rows[DOCUMENT].append(_document_row(entry, origin, len(mentions)))
        given = (entry.doi, entry.isbn, entry.arxiv_id)
        rows[IDENTIFIER] += [
            {"document_key": entry.key, "identifier": identifier}
            for identifier in sorted({normal_identifier(one) for one in given if one})
        ]
        rows[DOCUMENT_CATEGORY] += [
            {"document_key": entry.key, "category_key": key, "position": position}
            for position, key in enumerate(dict.fromkeys(categories[text] for text in entry.categories))
        ]
        rows[DOCUMENT_CONCEPT] += [
            {
                "document_key": entry.key,
                "concept_key": key,
                "position": position,
                "weight": mention.weight,
                "pages": orjson.dumps(mention.pages).decode(),
                "match_type": mention.match_type,
            }
            for position, (key, mention) in enumerate(mentions.items())
        ]
        for position, chunk in enumerate(entry.chunks, 1):
            chunk_key = key_of_chunk(entry.key, position)
            rows[CHUNK].append(
                {
                    "key": chunk_key,
                    "document_key": entry.key,
                    "position": position,
                    "text": chunk.text,
                    "page": chunk.page,
                    "is_reference": chunk.is_reference,
                    "has_math": chunk.has_math,
                    "has_extraction_issues": chunk.has_extraction_issues,
                }
            )
            spoken_of = dict.fromkeys(concepts[text] for text in chunk.concepts)
            rows[CHUNK_CONCEPT] += [
                {"chunk_key": chunk_key, "concept_key": key, "position": place}
                for place, key in enumerate(spoken_of)
            ]
    for table, values in rows.items():
        insert_rows(connection, table, values)
    write_texts(connection, DOCUMENT_TEXT, ((entry.key, entry.title, _body(entry)) for entry in entries))
    write_texts(
        connection,
        CHUNK_TEXT,
        (
            (key_of_chunk(entry.key, position), "", chunk.text)
            for entry in entries
            for position, chunk in enumerate(entry.chunks, 1)
        ),
    )


def key_of_chunk(document_key: str, position: int) -> str:
    """The key of the chunk at `position`, from 1."""
    return f"{document_key}#{position}"


def _mentions(entry: DocumentEntry, concepts: dict[str, str]) -> dict[str, Mention]:
    """The concepts of a document by key: those it names, then those that only its chunks name, with their pages."""
    mentions: dict[str, Mention] = {}
    for mention in entry.concepts:
        mentions.setdefault(concepts[mention.concept], mention)
    pages: dict[str, set[int]] = {}
    for chunk in entry.chunks:
        for text in chunk.concepts:
            found = pages.setdefault(concepts[text], set())
            if chunk.page is not None:
                found.add(chunk.page)
    for key, found in pages.items():
        mention = mentions.setdefault(key, Mention(key, match_type=IN_CHUNKS))
        if not mention.pages and found:
            mentions[key] = Mention(mention.concept, mention.weight, tuple(sorted(found)), mention.match_type)
    return mentions


def _document_row(entry: DocumentEntry, origin: Origin, concepts: int) -> dict[str, Any]:
    return {
        "key": entry.key,
        "title": entry.title,
        "title_folded": fold(entry.title),
        "authors": orjson.dumps(entry.authors).decode(),
        "authors_folded": " | ".join(map(fold, entry.authors)) or None,
        "year": entry.year,
        "type": entry.type,
        "publisher": entry.publisher,
        "publisher_folded": None if entry.publisher is None else fold(entry.publisher),
        "isbn": entry.isbn,
        "doi": entry.doi,
        "arxiv_id": entry.arxiv_id,
        "venue": entry.venue,
        "venue_folded": None if entry.venue is None else fold(entry.venue),
        "keywords": orjson.dumps(entry.keywords).decode(),
        "abstract": entry.abstract,
        "summary": entry.summary,
        "folder": entry.folder,
        "path": entry.path,
        "origin": origin.value,
        "content_hash": entry.digest,
        "chunk_count": len(entry.chunks),
        "concept_count": concepts,
    }


def _body(entry: DocumentEntry) -> str:
    """What full text finds a document by, beside its title and its chunks."""
    texts = [entry.summary, entry.abstract, *entry.keywords, *entry.authors, entry.venue, entry.publisher]
    return "\n".join(text for text in texts if text)


def remove_documents(connection: sa.Connection, keys: Sequence[str]) -> None:
    """Takes documents away, with what they count for and with the concepts and categories that only they named."""
    for batch in batches(keys):
        spoken_of = sorted(_take_away(connection, batch))
        count_uses_of(connection, spoken_of)
        drop_unused(connection, spoken_of)


def _take_away(connection: sa.Connection, keys: Sequence[str]) -> set[str]:
    """Deletes documents; returns the concepts that they spoke of, whose uses must be counted anew."""
    if not keys:
        return set()
    link = DOCUMENT_CONCEPT.c
    spoken_of = set(
        connection.execute(sa.select(link.concept_key).where(link.document_key.in_(keys))).scalars()
    )
    contribute(connection, keys, -1)
    chunks = connection.execute(sa.select(CHUNK.c.key).where(CHUNK.c.document_key.in_(keys))).scalars().all()
    remove_texts(connection, CHUNK_TEXT, chunks)
    remove_texts(connection, DOCUMENT_TEXT, keys)
    connection.execute(sa.delete(DOCUMENT).where(DOCUMENT.c.key.in_(keys)))
    return spoken_of


def drop_unused(connection: sa.Connection, concepts: Sequence[str]) -> None:
    """Takes away those of these concepts, and those categories, that are nothing but a name that nobody uses."""
    related = sa.select(CONCEPT_RELATION.c.other_key)
    for batch in batches(concepts):
        connection.execute(
            sa.delete(CONCEPT).where(
                CONCEPT.c.key.in_(batch),
                CONCEPT.c.content_hash.is_(None),
                CONCEPT.c.document_count == 0,
                CONCEPT.c.chunk_count == 0,
                CONCEPT.c.key.not_in(related),
            )
        )
    parents = sa.select(CATEGORY.c.parent_key).where(CATEGORY.c.parent_key.is_not(None))
    unused = sa.select(CATEGORY.c.key).where(
        CATEGORY.c.content_hash.is_(None),
        CATEGORY.c.subtree_document_count == 0,
        CATEGORY.c.key.not_in(parents),
        CATEGORY.c.key.not_in(sa.select(CATEGORY_RELATION.c.related_key)),
        CATEGORY.c.key.not_in(sa.select(DOCUMENT_CATEGORY.c.category_key)),
    )
    while gone := connection.execute(unused).scalars().all():
        connection.execute(sa.delete(ANCESTOR).where(ANCESTOR.c.category_key.in_(gone)))
        connection.execute(sa.delete(CATEGORY).where(CATEGORY.c.key.in_(gone)))
