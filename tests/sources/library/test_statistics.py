"""Every statistic that is kept, after any imports and removals, is what counting everything gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.database import Database
from sources.library.statistics import CATEGORY, CATEGORY_CONCEPT, CONCEPT, DOCUMENT
from sources.library.write_documents import remove_documents
from tests.support.library import (
    Line,
    Model,
    category,
    concepts_of,
    document,
    rows,
    run_import,
    write_catalogue,
)

CATEGORIES = tuple(f"c{number}" for number in range(7))
CONCEPTS = tuple(f"k{number}" for number in range(6))
DOCUMENTS = tuple(f"d{number}" for number in range(8))


def _categories(draw: Any) -> list[Line]:
    """All categories, each below one of lower number or at the top: whatever was held, they are a tree."""
    lines = []
    for place, key in enumerate(CATEGORIES):
        parent = draw(st.none() | st.sampled_from(CATEGORIES[:place])) if place else None
        lines.append(category(key, parent))
    return lines


@st.composite
def _imports(draw: Any) -> list[Line]:
    lines = _categories(draw) if draw(st.booleans()) else []
    for key in draw(st.lists(st.sampled_from(DOCUMENTS), unique=True)):
        some_concepts = st.lists(st.sampled_from(CONCEPTS), unique=True, max_size=3)
        chunks = [{"text": "Words.", "concepts": draw(some_concepts)} for _ in range(draw(st.integers(0, 2)))]
        places = draw(st.lists(st.sampled_from(CATEGORIES), unique=True, max_size=3))
        lines.append(document(key, places, draw(some_concepts), chunks=chunks))
    shuffled: list[Line] = draw(st.permutations(lines))
    return shuffled


STEPS = st.lists(_imports() | st.sets(st.sampled_from(DOCUMENTS), min_size=1), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_statistics_follow_every_change(library: Database, tmp_path: Path, steps: list[Any]) -> None:
    model = Model()
    start = [category(key) for key in CATEGORIES]
    _empty(library)
    run_import(library, write_catalogue(tmp_path / "start.jsonl", start))
    model.take(start)
    for step in steps:
        if isinstance(step, set):
            with library.writing() as session:
                remove_documents(session.connection(), sorted(step))
            for key in step:
                model.documents.pop(key, None)
        else:
            outcome = run_import(library, write_catalogue(tmp_path / "step.jsonl", step))
            assert outcome.rejected == 0
            model.take(step)
        _check(library, model)


def _empty(database: Database) -> None:
    with database.writing() as session:
        connection = session.connection()
        keys = connection.execute(sa.select(DOCUMENT.c.key)).scalars().all()
        remove_documents(connection, keys)
        connection.execute(sa.delete(CATEGORY))


def _check(database: Database, model: Model) -> None:
    counted = ("document_count", "chunk_count", "concept_count")
    names = (*counted, *(f"subtree_{name}" for name in counted))
    held = {
        row[0]: row[1:] for row in rows(database, sa.select(CATEGORY.c.key, *(CATEGORY.c[n] for n in names)))
    }
    assert held == {
        key: (*model.statistics(key, False), *model.statistics(key, True)) for key in model.parents
    }
    table = CATEGORY_CONCEPT.c
    query = sa.select(table.category_key, table.concept_key, table.direct_documents, table.subtree_documents)
    expected = {
        (key, one, model.concepts(key, False).get(one, 0), number)
        for key in model.parents
        for one, number in model.concepts(key, True).items()
    }
    assert set(rows(database, query)) == expected
    uses = {one: (0, 0) for line in model.documents.values() for one in concepts_of(line)}
    for line in model.documents.values():
        for one in concepts_of(line):
            documents, chunks = uses[one]
            spoken = sum(one in chunk["concepts"] for chunk in line["chunks"])
            uses[one] = (documents + 1, chunks + spoken)
    # A concept that only documents name goes with the last of them.
    used = sa.select(CONCEPT.c.key, CONCEPT.c.document_count, CONCEPT.c.chunk_count)
    assert {row[0]: row[1:] for row in rows(database, used)} == uses
