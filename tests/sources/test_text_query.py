"""What people write to search a text, read, and answered alike by Python and both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.database import Database, compile_statement
from sources.text_index import BARRIER, document_words, index_tokens, tokens
from sources.text_index_tables import (
    add_numbered_texts,
    create_numbered_text_index,
    drop_numbered_text_index,
    matching_numbers,
    remove_numbered_texts,
)
from sources.text_query import Group, Term, has_terms, matches_query, read_query

TABLE = "lore_fts"


def test_words_phrases_beginnings_and_exclusions() -> None:
    query = read_query('Earthquake "power  Grid" tsunam* -drill -"false alarm" “one” "to be*" re-entry')
    assert query.wanted == (
        Term(("earthquake",)),
        Term(("power", "grid"), phrase=True),
        Term(("tsunam",), prefix=True),
        Term(("one",), phrase=True),
        Term(("to", "be"), phrase=True, prefix=True),
        Term(("re", "entry")),
    )
    assert query.excluded == (Term(("drill",)), Term(("false", "alarm"), phrase=True))


@pytest.mark.parametrize(
    "text", ["", "  ", "-", '"', '""', "*", "- * ?!", '-"', "(( )) ^ : AND".replace("AND", "")]
)
def test_signs_alone_ask_for_nothing(text: str) -> None:
    assert not has_terms(text)
    assert not matches_query(["anything"], text)


def test_words_of_query_languages_are_words() -> None:
    query = read_query("a AND b OR NOT NEAR(c) title:d {e} f^2 'g' $h")
    words = [word for term in query.wanted for word in term.words]
    assert words == ["a", "and", "b", "or", "not", "near", "c", "title", "d", "e", "f", "2", "g", "h"]
    assert not query.excluded


def test_groups_in_the_words_of_the_databases() -> None:
    query = read_query('a "b c" d* -e -f* -"g h"')
    assert query.wanted_group("sqlite") == Group('"a" AND "b" AND "c" AND "d" *', (" b c ",))
    assert query.wanted_group("postgresql") == Group("'a' & 'b' & 'c' & 'd':*", (" b c ",))
    assert query.excluded_groups("sqlite") == [Group('"g" AND "h"', (" g h ",)), Group('("e") OR ("f" *)')]
    assert query.excluded_groups("postgresql") == [
        Group("'g' & 'h'", (" g h ",)),
        Group("('e') | ('f':*)"),
    ]
    assert read_query("-a").wanted_group("sqlite") is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("bridge", {1, 2, 4}),
        ("BRIDGE fire", {1, 2}),
        ('"bridge fire"', {1}),
        ('"fire bridge"', {2}),
        ('"bridge fi*"', {1}),
        ("brid*", {1, 2, 4, 5}),
        ("bridge -fire", {4}),
        ('bridge -"bridge fire"', {2, 4}),
        ("-bridge", {3, 5, 6, 7}),
        ("-bridge -brid*", {3, 6, 7}),
        ('-"fire bridge" -mémoire', {1, 3, 4, 5, 6}),
        ("memoire", {7}),
        ("l'eau", {7}),
        ("eau", {7}),
        ('"de l\'eau"', {7}),
        ('"l eau"', set()),
        ("東京", {6}),
        ('"東京 tower"', {6}),
        ("京", {6}),
        ('"one two"', set()),
        ("one two", {3}),
        ('"bridge fire" "opened"', {1}),
        ("nothing*", set()),
        ('bridge bridge* "bridge bridge"', set()),
    ],
)
async def test_both_databases_find_what_python_finds(lore: Database, query: str, found: set[int]) -> None:
    assert {number for number, *parts in LORE if matches_query(parts, query)} == found
    assert await asked(lore, query) == found


LORE = [
    (1, "Bridge fire", "The bridge was opened in 1932."),
    (2, "A fire bridge", "Fire on the bridge"),
    (3, "Title ends in one", "two begins the body"),
    (4, "The bridge", "closed"),
    (5, "Bridges", ""),
    (6, "東京 Tower", "opened, the drill over"),
    (7, "Mémoire de l’eau", "Water"),
]


@pytest.fixture
def lore(database: Database) -> Database:
    with database.writing() as session:
        connection = session.connection()
        with Operations.context(MigrationContext.configure(connection)):
            create_numbered_text_index(TABLE)
        add_numbered_texts(connection, TABLE, [*LORE, (8, "bridge bridge", "gone")])
        remove_numbered_texts(connection, TABLE, [8, 9])
    return database


async def asked(database: Database, text: str) -> set[int]:
    """The numbers that a database finds: those wanted, or all, without those excluded."""
    query, dialect = read_query(text), database.dialect
    wanted = query.wanted_group(dialect)
    found = {number for number, *_ in LORE} if wanted is None else await _of(database, wanted)
    for group in query.excluded_groups(dialect):
        found -= await _of(database, group)
    return found


async def _of(database: Database, group: Group) -> set[int]:
    phrases = [sa.bindparam(f"p{i}", type_=sa.Text()) for i in range(len(group.contains))]
    query = matching_numbers(TABLE, database.dialect, sa.bindparam("query", type_=sa.Text()), phrases)
    values = {"query": group.match, **{f"p{i}": text for i, text in enumerate(group.contains)}}
    statement = compile_statement(query, database.dialect)
    return {row[0] for row in await database.fetch(statement, statement.bind(values))}


LIVELY = st.text(st.one_of(st.characters(), st.sampled_from("aabé’'\"*-— 東京\n")), max_size=30)


@given(LIVELY)
def test_a_document_holds_its_words_in_reading_order(text: str) -> None:
    words = document_words(text)
    read = words[: words.index(BARRIER)] if BARRIER in words else words
    assert read == tokens(text)
    assert set(words) - {BARRIER} == set(index_tokens(text))


@pytest.mark.timeout(120)
async def test_random_queries_are_answered_alike(lore: Database) -> None:
    samples: list[str] = []

    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(
            st.one_of(
                LIVELY,
                st.sampled_from(["bridge", "fi*", "-fire", '"bridge fire"', '-"fire on"', "京", "l'eau"]),
            ),
            max_size=4,
        )
    )
    def collect(parts: list[str]) -> None:
        samples.append(" ".join(parts).replace("\0", ""))

    collect()
    for text in dict.fromkeys(samples):
        if has_terms(text):
            expected = {number for number, *parts in LORE if matches_query(parts, text)}
            encodable = text.encode("utf-8", "replace").decode()
            assert await asked(lore, encodable) == expected, text


def test_a_text_index_by_number_can_be_dropped(lore: Database) -> None:
    with lore.writing() as session:
        with Operations.context(MigrationContext.configure(session.connection())):
            drop_numbered_text_index(TABLE)
        assert TABLE not in sa.inspect(session.connection()).get_table_names()
