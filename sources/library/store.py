"""The opened library: the stores of its records, and the names of its categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import orjson
import sqlalchemy as sa

from sources.criteria import EVERYTHING, Criteria, Op, Predicate
from sources.data_version import DataVersion, data_version
from sources.database import Database, cached_statement
from sources.errors import LoregraphError
from sources.library import maps
from sources.library.names import NameBook
from sources.library.records import SAMPLE_COLLECTION, Origin
from sources.library.references import SYNONYM
from sources.library.search import TextHits
from sources.library.statistics import ANCESTOR, CATEGORY, CONCEPT, DOCUMENT
from sources.page import Slice
from sources.source import RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore

REMOVE_SAMPLE = "`loregraph sample remove library` takes them out."
IMPORT = "`loregraph import library PATH` reads a catalogue file, or a folder of documents."


def _category_names_query() -> sa.Select[Any]:
    return sa.select(CATEGORY.c.key, CATEGORY.c.name, CATEGORY.c.aliases)


def _concepts_named_query() -> sa.Select[Any]:
    """Key and name of the concepts that a text may mean: by id, by folded name, by folded synonym."""
    folded = sa.bindparam("folded", type_=sa.Text())
    by_synonym = sa.select(SYNONYM.c.concept_key).where(SYNONYM.c.synonym_folded == folded)
    return sa.select(CONCEPT.c.key, CONCEPT.c.name, CONCEPT.c.synonyms).where(
        sa.or_(
            CONCEPT.c.key == sa.bindparam("text", type_=sa.Text()),
            CONCEPT.c.name_folded == folded,
            CONCEPT.c.key.in_(by_synonym),
        )
    )


def _titles_query() -> sa.Select[Any]:
    return sa.select(DOCUMENT.c.title)


def _below_query() -> sa.Select[Any]:
    above = sa.bindparam("above", type_=sa.Text())
    return (
        sa.select(ANCESTOR.c.category_key)
        .join(CATEGORY, CATEGORY.c.key == ANCESTOR.c.category_key)
        .where(ANCESTOR.c.ancestor_key == above)
        .order_by(ANCESTOR.c.distance, CATEGORY.c.name_folded)
    )


def _concept_names_query() -> sa.Select[Any]:
    return sa.select(CONCEPT.c.name)


class LibraryShelf(Shelf):
    """The opened library. What it keeps in memory is read once for each version of the data."""

    def __init__(self, database: Database, *, title: str, description: str) -> None:
        self.database = database
        store = partial(SqlStore, database)
        self.categories = store(maps.CATEGORIES)
        self.documents = store(maps.DOCUMENTS)
        self.concepts = store(maps.CONCEPTS)
        self.chunks = store(maps.CHUNKS)
        self.documents_of_categories = store(maps.DOCUMENTS_OF_CATEGORIES)
        self.direct_concepts = store(maps.DIRECT_CONCEPTS)
        self.subtree_concepts = store(maps.SUBTREE_CONCEPTS)
        self.categories_of_documents = store(maps.CATEGORIES_OF_DOCUMENTS)
        self.ancestors = store(maps.ANCESTORS)
        self.related_categories = store(maps.RELATED_CATEGORIES)
        self.related_concepts = store(maps.RELATED_CONCEPTS)
        self.concepts_of_documents = store(maps.CONCEPTS_OF_DOCUMENTS)
        self.documents_of_concepts = store(maps.DOCUMENTS_OF_CONCEPTS)
        self.chunks_of_concepts = store(maps.CHUNKS_OF_CONCEPTS)
        self.concepts_of_chunks = store(maps.CONCEPTS_OF_CHUNKS)
        self.texts = TextHits(database)
        self._title = title
        self._description = description
        self._held: dict[str, Any] = {}
        self._version: DataVersion | None = None

    async def data(self) -> DataVersion:
        """The version of what is held. Nothing was ever written: `(0, epoch)`."""
        version = await data_version(self.database, "library")
        if version is None:
            version = DataVersion(0, datetime.fromtimestamp(0, UTC))
        if version != self._version:
            self._held = {}
            self._version = version
        return version

    async def category_names(self) -> NameBook:
        """The names of all categories. Call `data` first."""
        held = self._held
        if "categories" not in held:
            rows = await self.categories.rows("library.category_names", _category_names_query)
            held["categories"] = NameBook((key, name, orjson.loads(names)) for key, name, names in rows)
        return held["categories"]  # type: ignore[no-any-return]

    async def concepts_named(self, text: str, folded: str) -> NameBook:
        """The names of the concepts that a text can mean; `folded` is the text, folded."""
        text = text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        given = {"text": text, "folded": folded}
        statement = cached_statement(self.database.dialect, "library.concepts_named", _concepts_named_query)
        rows = await self.database.fetch(statement, statement.bind(given))
        return NameBook((key, name, orjson.loads(synonyms)) for key, name, synonyms in rows)

    async def concept_names(self) -> Sequence[str]:
        """The names of all concepts, from which a near miss is answered. Call `data` first."""
        held = self._held
        if "concepts" not in held:
            rows = await self.concepts.rows("library.concept_names", _concept_names_query)
            held["concepts"] = [row[0] for row in rows]
        return held["concepts"]  # type: ignore[no-any-return]

    async def below(self, category: str) -> tuple[str, ...]:
        """The keys of a category and of all below it, by distance and name."""
        rows = await self.categories.rows("library.below", _below_query, category)
        return tuple(row[0] for row in rows)

    async def document_keys(self, criteria: Criteria, limit: int = 10) -> list[str]:
        """The keys of the first documents that fulfil `criteria`."""
        page = await self.documents.select(("key",), criteria, (), Slice(limit))
        return [record.key for record in page.records]

    async def document_titles(self) -> Sequence[str]:
        """The titles of all documents, from which a near miss is answered. Call `data` first."""
        held = self._held
        if "titles" not in held:
            held["titles"] = [row[0] for row in await self.documents.rows("library.titles", _titles_query)]
        return held["titles"]  # type: ignore[no-any-return]

    async def sample_size(self) -> int:
        """How many documents of the sample are held. Call `data` first."""
        held = self._held
        if "sample" not in held:
            sample = Predicate("origin", Op.EQUALS, Origin.SAMPLE.value)
            held["sample"] = await self.documents.count(sample)
        return held["sample"]  # type: ignore[no-any-return]

    async def counts(self) -> Mapping[str, int]:
        """How many records of each kind are held."""
        stores = {
            "document": self.documents,
            "category": self.categories,
            "concept": self.concepts,
            "chunk": self.chunks,
        }
        return {kind: await store.count(EVERYTHING) for kind, store in stores.items()}

    async def status(self) -> SourceStatus:
        """Health and contents, asked of the database itself."""
        try:
            version, _ = await self.data()
            counts = await self.counts()
            sample = await self.sample_size()
        except LoregraphError as error:
            return self._status(SourceState.UNAVAILABLE, error.public)
        message: str | None = None
        licences: tuple[SourceLicence, ...] = ()
        if sample:
            message = f"{sample} documents are the sample that comes with loregraph. {REMOVE_SAMPLE}"
            licence = str(SAMPLE_COLLECTION.licence)
            licences = (SourceLicence(licence, None, SAMPLE_COLLECTION.attribution),)
        elif not counts["document"]:
            message = f"No documents are held. {IMPORT}"
        counted = tuple(RecordCount(kind, count) for kind, count in counts.items())
        return self._status(SourceState.READY, message, str(version), counted, licences)

    def _status(
        self,
        state: SourceState,
        message: str | None,
        version: str | None = None,
        counts: tuple[RecordCount, ...] = (),
        licences: tuple[SourceLicence, ...] = (),
    ) -> SourceStatus:
        return SourceStatus(
            "library", self._title, self._description, state, message, version, counts, licences
        )
