"""Pages: every record once, in both directions, in several orders, with the ends told truly."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.seeded import Ask, data, error

PAGE = """
query Page(
  $first: Int, $after: String, $last: Int, $before: String, $orderBy: [CreatureOrder!], $filter: CreatureFilter
) {
  creatures(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy, filter: $filter) {
    edges { cursor node { key } }
    nodes { key }
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""

ORDERS: list[Any] = [
    None,
    [{"field": "CHALLENGE_RATING", "direction": "DESC"}, {"field": "NAME"}],
    [
        {"field": "SPEED_FLY", "direction": "DESC"},
        {"field": "DARKVISION"},
        {"field": "TYPE", "direction": "DESC"},
    ],
]


@pytest.mark.parametrize("order", ORDERS)
async def test_forward_by_seven_yields_each_creature_once(ask: Ask, order: Any) -> None:
    keys: list[str] = []
    after, pages = None, 0
    while True:
        page = data(await ask(PAGE, first=7, after=after, orderBy=order))["creatures"]
        keys += [edge["node"]["key"] for edge in page["edges"]]
        assert page["nodes"] == [edge["node"] for edge in page["edges"]]
        assert page["totalCount"] == 334
        assert page["pageInfo"]["hasPreviousPage"] is (pages > 0)
        assert page["pageInfo"]["startCursor"] == page["edges"][0]["cursor"]
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        pages += 1
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert pages == 48
    assert len(keys) == len(set(keys)) == 334


@pytest.mark.parametrize("order", ORDERS)
async def test_backward_by_seven_is_the_same_list(ask: Ask, order: Any) -> None:
    forward: list[str] = []
    after = None
    while True:
        page = data(await ask(PAGE, first=100, after=after, orderBy=order))["creatures"]
        forward += [node["key"] for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    backward: list[str] = []
    before, pages = None, 0
    while True:
        page = data(await ask(PAGE, last=7, before=before, orderBy=order))["creatures"]
        backward = [node["key"] for node in page["nodes"]] + backward
        assert page["pageInfo"]["hasNextPage"] is (pages > 0)
        pages += 1
        if not page["pageInfo"]["hasPreviousPage"]:
            break
        before = page["pageInfo"]["startCursor"]
    assert pages == 48
    assert backward == forward


async def test_beyond_the_last_item_lies_an_empty_page_with_its_ends(ask: Ask) -> None:
    last = data(await ask(PAGE, last=1))["creatures"]["pageInfo"]["endCursor"]
    page = data(await ask(PAGE, first=5, after=last))["creatures"]
    assert page["edges"] == []
    assert page["pageInfo"] == {
        "hasNextPage": False,
        "hasPreviousPage": True,
        "startCursor": None,
        "endCursor": None,
    }


async def test_a_page_between_two_cursors(ask: Ask) -> None:
    edges = data(await ask(PAGE, first=10))["creatures"]["edges"]
    page = data(await ask(PAGE, first=100, after=edges[2]["cursor"], before=edges[6]["cursor"]))["creatures"]
    assert page["edges"] == edges[3:6]
    assert page["pageInfo"]["hasNextPage"] is True
    assert page["pageInfo"]["hasPreviousPage"] is True
    empty = data(await ask(PAGE, last=100, after=edges[2]["cursor"], before=edges[3]["cursor"]))["creatures"]
    assert empty["edges"] == []
    assert empty["pageInfo"]["hasNextPage"] is True
    assert empty["pageInfo"]["hasPreviousPage"] is True


@pytest.mark.parametrize(
    "change",
    [{"orderBy": [{"field": "TYPE"}]}, {"filter": {"crMin": 1}}, {"filter": {"crMin": 2}, "first": 3}],
)
async def test_a_cursor_of_another_query_is_refused(ask: Ask, change: dict[str, Any]) -> None:
    cursor = data(await ask(PAGE, first=7))["creatures"]["pageInfo"]["endCursor"]
    problem = error(await ask(PAGE, **{"first": 7, "after": cursor, **change}))
    assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": "after"}
    assert "is a cursor of another query" in problem["message"]


async def test_a_cursor_of_another_list_is_refused(ask: Ask) -> None:
    cursor = data(await ask(PAGE, first=7))["creatures"]["pageInfo"]["endCursor"]
    problem = error(
        await ask("query($after: String) { spells(after: $after) { nodes { key } } }", after=cursor)
    )
    assert "is a cursor of another query" in problem["message"]


async def test_a_damaged_cursor_is_refused_wherever_it_is_damaged(ask: Ask) -> None:
    cursor = data(await ask(PAGE, first=7))["creatures"]["pageInfo"]["endCursor"]
    for index in range(0, len(cursor) - 1, 5):
        damaged = cursor[:index] + ("A" if cursor[index] != "A" else "B") + cursor[index + 1 :]
        problem = error(await ask(PAGE, first=7, after=damaged))
        assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": "after"}
    for text in ("", "=", "é", "A" * 4000, "ab\x00c"):
        assert error(await ask(PAGE, first=7, after=text))["extensions"]["argument"] == "after"


async def test_twenty_when_neither_first_nor_last_is_given(ask: Ask) -> None:
    assert len(data(await ask(PAGE))["creatures"]["nodes"]) == 20
    assert len(data(await ask(PAGE, first=None, last=None))["creatures"]["nodes"]) == 20


async def test_edges_need_no_cursor_to_be_selected(ask: Ask) -> None:
    with_cursors = data(await ask("{ creatures(first: 2) { edges { cursor node { key } } } }"))["creatures"]
    without = data(await ask("{ creatures(first: 2) { edges { node { key } } totalCount } }"))["creatures"]
    assert [edge["node"] for edge in without["edges"]] == [edge["node"] for edge in with_cursors["edges"]]
    assert len(without["edges"]) == 2
    assert data(await ask("{ creatures(first: 1) { edges { __typename } } }")) == {
        "creatures": {"edges": [{"__typename": "CreatureEdge"}]}
    }
