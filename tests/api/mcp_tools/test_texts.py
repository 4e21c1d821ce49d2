"""What happens to texts on their way out: cleaned of what cannot be seen, harmless as Markdown."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.mcp_tools.answers import Answer, AnswerKind
from api.mcp_tools.cleaning import clean, clean_json
from api.mcp_tools.markdown import as_markdown, escaped
from api.mcp_tools.naming import fold, reworded, snake_case
from tests.api.mcp_tools.toy import toy_schema

STORY = toy_schema().type_map["Story"]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\x1b[31mred\x07\x00\x7f\x9b", "[31mred"),
        ("left\u202eright\u2066\u2069", "leftright"),
        ("zero\u200bwidth\ufeff\u2060", "zerowidth"),
        ("tag\U000e0069\U000e0067", "tag"),
        ("half\ud800", "half"),
        ("Külmking Althea’s 火球術 🐉", "Külmking Althea’s 火球術 🐉"),
    ],
)
def test_what_cannot_be_seen_is_taken_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@given(st.text())
def test_cleaning_twice_changes_nothing_more_and_fits_into_json(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    json.dumps(once, ensure_ascii=False).encode()


def test_any_json_is_cleaned_keys_included() -> None:
    assert clean_json({"a\u200b": ["b\u202e", None, 1, {"c": "\x00d"}]}) == {"a": ["b", None, 1, {"c": "d"}]}


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("levelMin", "level_min"),
        ("key", "key"),
        ("hitPointsRoll", "hit_points_roll"),
        ("URLPath", "url_path"),
    ],
)
def test_names_in_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake
    assert fold(name) == fold(snake)


def test_descriptions_are_reworded_between_backticks_alone() -> None:
    names = {"first": "limit"}
    text = "`first` of pageInfo, `pageInfo.endCursor`, `srd_fireball`, `1 action`, `FOO`"
    assert reworded(text, names.get) == (
        "`limit` of pageInfo, `page_info.end_cursor`, `srd_fireball`, `1 action`, `FOO`"
    )


def test_a_list_is_a_table() -> None:
    answer = Answer(AnswerKind.CONNECTION, "stories", STORY)
    content = {
        "nodes": [
            {
                "name": "A | B\nC",
                "author": {"key": "x", "name": "Ann"},
                "tags": [{"name": "x"}, {"name": "y"}],
            },
            {"name": "[click](http://evil) <b>", "signed": True, "place": {"x": 1, "y": 2}},
        ],
        "page_info": {"has_next_page": True, "end_cursor": "c1"},
        "total_count": 7,
        "provenance": {"complete": False, "warnings": ["Only | some"]},
        "notice": "Cut.",
    }
    assert as_markdown(answer, content) == (
        "| Name | Author | Tags | Signed | Place |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| A \\| B C | Ann | x, y |  |  |\n"
        "| \\[click\\](http://evil) \\<b\\> |  |  | yes | X: 1; Y: 2 |\n\n"
        "Total: 7\n\n"
        "There is more: go on with `after` = `c1`.\n\n"
        "The answer may be incomplete.\n\n"
        "Warning: Only \\| some\n\n"
        "Cut.\n"
    )


def test_one_object_is_sections() -> None:
    answer = Answer(AnswerKind.OBJECT, "story", STORY)
    content = {
        "story": {
            "key": "s_1",
            "name": "Title",
            "text": "One.\n\n# Two",
            "parts": [{"name": "a", "size": 1, "color": "red"}],
        }
    }
    assert as_markdown(answer, content) == (
        "# Title\n\n- **Key:** s_1\n\n## Text\n\nOne.\n\n\\# Two\n\n"
        "## Parts\n\n- Name: a; Size: 1; Color: red\n"
    )


def test_nothing_is_said_in_markdown() -> None:
    assert as_markdown(Answer(AnswerKind.OBJECT, "story", STORY), {"story": None}) == "Nothing.\n"
    assert as_markdown(Answer(AnswerKind.CONNECTION, "stories", STORY), {"nodes": []}) == "Nothing.\n"
    assert as_markdown(Answer(AnswerKind.LIST, "things", STORY), {"things": [None]}) == "- \n"


@given(st.text())
def test_escaped_text_stays_in_its_cell(text: str) -> None:
    shown = escaped(text)
    assert "\n" not in shown
    bare = shown.replace("\\\\", "")
    assert bare.count("|") == bare.count("\\|")
