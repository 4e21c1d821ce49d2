"""Folding and the cut into words, in Python and as both databases answer it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from hypothesis import given
from hypothesis import strategies as st

from sources.database import Database, Row, compile_statement, make_engine
from sources.text_index import (
    LONGEST_TOKEN,
    fold,
    index_text,
    index_tokens,
    match_query,
    matches,
    tokens,
    tsvector_text,
)
from sources.text_index_tables import (
    clear_texts,
    create_text_index,
    drop_text_index,
    matching_keys,
    remove_texts,
    write_texts,
)

LIVELY_TEXT = st.text(st.one_of(st.characters(), st.sampled_from("aÉßøŁ’'-—½2٣東京がกำ\u200b\u0301 \n")))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Melf’s\tAcid \n Arrow ", "melf's acid arrow"),
        ("Külmking", "kulmking"),
        ("“Quoted” — «so»", '"quoted" - "so"'),
        ("Straße Œuvre Łódź Ærø Đà", "strasse oeuvre lodz aero da"),
        ("İSTANBUL ısı", "istanbul isi"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("ﬁre ﬀ ｆｕｌｌ", "fire ff full"),
        ("10½ ft, Ⅳ ², ٣", "10 1/2 ft, iv 2, 3"),
        ("in\u200bvisi\u00adble\ufeff\x00", "invisible"),
        ("Foo™ bar®", "foo bar"),
        ("हिन्दी", "हिन्दी"),
        ("がき カ", "がき カ"),
        ("שָׁלוֹם", "שלום"),
        ("ё й", "е и"),
        ("", ""),
    ],
)
def test_fold_leaves_what_people_mean(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(LIVELY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert tokens(folded) == tokens(text)
    assert index_tokens(folded) == index_tokens(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_is_the_long_way(text: str) -> None:
    assert fold(text + " \u200b") == fold(text)


@pytest.mark.parametrize(
    ("text", "query_words", "document_words"),
    [
        ("PM10", ["pm", "10"], ["pm", "10"]),
        ("2d6+3", ["2", "d", "6", "3"], ["2", "d", "6", "3"]),
        ("don’t", ["dont"], ["dont", "don", "t"]),
        ("l'eau", ["leau"], ["leau", "l", "eau"]),
        ("'quoted' dogs' a''b", ["quoted", "dogs", "a", "b"], ["quoted", "dogs", "a", "b"]),
        ("snake_case re-entry", ["snake", "case", "re", "entry"], ["snake", "case", "re", "entry"]),
        ("東京都", ["東京", "京都"], ["東", "京", "都", "東京", "京都"]),
        ("東", ["東"], ["東"]),
        ("東京tower", ["東京", "tower"], ["東", "京", "東京", "tower"]),
        ("हिन्दी में", ["हिन्दी", "में"], ["हिन्दी", "में"]),
        ("ที่นี่", ["ที่นี่"], ["ที่", "นี่", "ที่นี่"]),
        ("a" * 100, ["a" * LONGEST_TOKEN], ["a" * LONGEST_TOKEN]),
        ("?! – …", [], []),
    ],
)
def test_words(text: str, query_words: list[str], document_words: list[str]) -> None:
    assert tokens(text) == query_words
    assert index_tokens(text) == document_words


@given(LIVELY_TEXT)
def test_a_text_is_found_by_itself(text: str) -> None:
    assert set(tokens(text)) <= set(index_tokens(text))
    assert matches(index_tokens(text), text) is bool(tokens(text))


@given(LIVELY_TEXT)
def test_words_need_no_quoting_and_hold_no_blank(text: str) -> None:
    for word in index_tokens(text):
        assert not any(character.isspace() or character in "'\"\\" for character in word)
        assert len(word) <= LONGEST_TOKEN
    assert index_text(text).split(" ") == (index_tokens(text) or [""])


def test_tsvector_keeps_the_name_apart_from_the_body() -> None:
    assert tsvector_text("Fire ball", "ball of fire") == "'fire':1A,5 'ball':2A,3 'of':4"


def test_queries_in_the_words_of_the_databases() -> None:
    assert match_query("Althea's PM10 pm", "sqlite") == '"altheas" "pm" "10"'
    assert match_query("Althea's PM10 pm", "postgresql") == "'altheas' & 'pm' & '10'"
    assert match_query(" – ", "sqlite") == '""'
    assert match_query(" – ", "postgresql") == ""


DOCUMENTS = {
    "tears": ("Althea’s Tears", "Don’t open before 1900."),
    "fog": ("Fog Cloud", "PM10 and PM2.5 measured, don't ask"),
    "kul": ("Külmking", "L'eau, Straße; 10½ ft"),
    "tokyo": ("東京都庁", "Ａ ｔｏｗｅｒ in 東京"),
    "hindi": ("हिन्दी", "भाषा में 𞤀𞤣𞤤𞤢𞤥"),
    "void": ("", "– … ?!"),
    "huge": ("Huge", "b" * 3000 + " tail"),
}
QUERIES = {
    "Althea's": {"tears"},
    "altheas": {"tears"},
    "ALTHEA": {"tears"},
    "dont": {"tears", "fog"},
    "don't": {"tears", "fog"},
    "pm 10": {"fog"},
    "pm10 dont": {"fog"},
    "pm25": set(),
    "kulmking": {"kul"},
    "külmking eau": {"kul"},
    "STRASSE 10 2": {"kul"},
    "東京": {"tokyo"},
    "京": {"tokyo"},
    "京都庁": {"tokyo"},
    "東都": set(),
    "tower": {"tokyo"},
    "हिन्दी": {"hindi"},
    "हिन": set(),
    "𞤀𞤁𞤂𞤀𞤃": {"hindi"},
    "b" * 2999: {"huge"},
    "tail": {"huge"},
    "tai": set(),
    'fog" OR "tail': set(),
    "fog' | 'tail": set(),
    "": set(),
    "...": set(),
}


def _made_index(target: str, rows: Iterable[tuple[str, str, str]]) -> None:
    engine = make_engine(target)
    with engine.begin() as connection:
        with Operations.context(MigrationContext.configure(connection)):
            create_text_index("lore_text")
        write_texts(connection, "lore_text", rows)
    engine.dispose()


async def _found(database: Database, query: str) -> set[str]:
    statement = compile_statement(
        matching_keys("lore_text", database.dialect, sa.bindparam("query", type_=sa.Text())), database.dialect
    )
    rows: list[Row] = await database.fetch(statement, [match_query(query, database.dialect)])
    assert len(rows) == len(set(rows))
    return {row[0] for row in rows}


async def test_both_databases_answer_as_python_does(database_target: str) -> None:
    _made_index(database_target, [(key, *texts) for key, texts in DOCUMENTS.items()])
    database = await Database.open(database_target)
    for query, expected in QUERIES.items():
        by_python = {key for key, texts in DOCUMENTS.items() if matches(index_tokens(" ".join(texts)), query)}
        assert (query, await _found(database, query), by_python) == (query, expected, expected)
    await database.close()


async def test_texts_are_replaced_removed_and_cleared(database_target: str) -> None:
    rows = [(f"k{number}", f"name{number}" if number % 2 else "even", "shared") for number in range(1200)]
    _made_index(database_target, rows)
    database = await Database.open(database_target)
    assert await _found(database, "even") == {f"k{number}" for number in range(0, 1200, 2)}

    with database.writing() as session:
        written = write_texts(
            session.connection(),
            "lore_text",
            [("k0", "draft", ""), ("k0", "odd", ""), ("new", "shared", "x")],
        )
        assert written == 2
    assert len(await _found(database, "even")) == 599
    assert await _found(database, "odd") == {"k0"}
    assert await _found(database, "draft") == set()
    assert await _found(database, "shared") == {f"k{number}" for number in range(1, 1200)} | {"new"}

    with database.writing() as session:
        remove_texts(session.connection(), "lore_text", ["k0", "new", "never"])
        remove_texts(session.connection(), "lore_text", [])
    assert await _found(database, "odd") == set()
    assert len(await _found(database, "shared")) == 1199

    with database.writing() as session:
        clear_texts(session.connection(), "lore_text")
    assert await _found(database, "shared") == set()

    with database.writing() as session:
        connection = session.connection()
        with Operations.context(MigrationContext.configure(connection)):
            drop_text_index("lore_text")
        left = [name for name in sa.inspect(connection).get_table_names() if name.startswith("lore_text")]
    assert left == []
    await database.close()


async def test_a_document_over_the_limit_of_tsvector_is_indexed_as_far_as_it_goes(
    postgresql_target: str,
) -> None:
    words = " ".join("".join(chr(97 + int(digit)) for digit in f"{number:07d}") for number in range(120_000))
    _made_index(postgresql_target, [("big", "Start", words)])
    database = await Database.open(postgresql_target)
    assert await _found(database, "start aaaaaaa aaaaaab") == {"big"}
    await database.close()
