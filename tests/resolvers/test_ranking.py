"""Fusing lists into one: exact names first, agreement before a single high place, scores that mean something."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from resolvers.ranking import CONSTANT, MatchedBy, fuse

ids = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_agreement_wins_over_one_first_place() -> None:
    ranked = fuse({MatchedBy.FULL_TEXT: ["a", "b", "c"], MatchedBy.SEMANTIC: ["d", "b", "e"]})
    assert [one.id for one in ranked] == ["b", "a", "d", "c", "e"]
    assert ranked[0].matched_by == (MatchedBy.FULL_TEXT, MatchedBy.SEMANTIC)
    assert ranked[0].score == 0.99 * (2 / (CONSTANT + 2)) / (2 / (CONSTANT + 1))


def test_exact_names_stand_first() -> None:
    ranked = fuse({MatchedBy.FULL_TEXT: ["a", "b"], MatchedBy.FUZZY: ["a"]}, exact=["c", "b"])
    assert [one.id for one in ranked] == ["c", "b", "a"]
    assert [one.score for one in ranked] == [1.0, 1.0, 0.99]
    assert ranked[1].matched_by == (MatchedBy.EXACT, MatchedBy.FULL_TEXT)


def test_several_lists_of_one_way_are_named_once() -> None:
    (only,) = fuse([(MatchedBy.FULL_TEXT, ["a"]), (MatchedBy.FULL_TEXT, ["a"])])
    assert only.matched_by == (MatchedBy.FULL_TEXT,)


def test_nothing_gives_nothing() -> None:
    assert fuse({}) == []
    assert fuse({MatchedBy.SEMANTIC: []}) == []


@given(st.lists(st.tuples(st.sampled_from(list(MatchedBy)), ids), max_size=4), ids)
def test_everything_is_there_once_in_falling_order(
    lists: list[tuple[MatchedBy, list[str]]], exact: list[str]
) -> None:
    ranked = fuse(lists, exact=exact)
    found = [one.id for one in ranked]
    assert sorted(found) == sorted({key for _, part in lists for key in part} | set(exact))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert all(0 < one.score <= 1 for one in ranked)
    assert found[: len(set(exact))] == list(dict.fromkeys(exact))
