"""Each rule of planning, with exactly the calls that it leads to."""

from __future__ import annotations

from typing import Any

import pytest

from resolvers.planner import Plan, Reading, make_plan
from resolvers.question import PageRequest, Question, Wanted
from sources.ability import Ability, Doubts, Fidelity, ListAbilities, SortAbility, Takes, as_text
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate
from sources.errors import QueryTooExpensive
from sources.page import OrderKey
from tests.support.list_upstream import ABILITIES, declared

NODES = Wanted(("key",), has_next=True)
NODES_AND_COUNT = Wanted(("key",), has_next=True, total_count=True)
BY_LEVEL = (OrderKey("level"),)


def ask(attribute: str, op: Op, value: Any) -> Predicate:
    return Predicate(attribute, op, value, f"filter.{attribute}")


LEVEL_3 = ask("level", Op.EQUALS, 3)
FLAG = ask("flag", Op.EQUALS, True)
NOTE = ask("note", Op.CONTAINS, "frost")
NAME = ask("name", Op.CONTAINS, "king")
WEIGHT = ask("weight", Op.AT_LEAST, 1)


def plan(
    criteria: Criteria = EVERYTHING,
    abilities: ListAbilities | None = None,
    *,
    wanted: Wanted = NODES_AND_COUNT,
    order: tuple[OrderKey, ...] = BY_LEVEL,
    page: PageRequest = PageRequest(20),  # noqa: B008
    doubts: Doubts | None = None,
    completions: dict[Predicate, Any] | None = None,
) -> Plan:
    return make_plan(
        Question(wanted, criteria, order, page),
        abilities or declared(),
        key="key",
        upstream="Fakelore",
        doubts=doubts or Doubts(),
        completions=completions,
    )


def calls(made: Plan) -> list[dict[str, str]]:
    return [dict(call.parameters) for call in made.calls]


def test_exact_filters_and_a_pushed_order_leave_limit_and_count_to_the_upstream() -> None:
    made = plan(All((LEVEL_3, FLAG)))
    assert calls(made) == [{"level": "3", "flag": "true"}]
    assert made.ordering == {"ordering": "level,key"}
    assert (made.reading, made.exact, made.counted) == (Reading.IN_ORDER, True, True)
    assert (made.page_sizes, made.worst_case) == ((20,), 1)
    assert (made.pushed, made.residual) == ((LEVEL_3, FLAG), ())


def test_what_is_not_declared_is_applied_here_and_all_is_read_to_count() -> None:
    made = plan(All((LEVEL_3, WEIGHT)), declared(size=950))
    assert calls(made) == [{"level": "3"}]
    assert made.ordering == {"ordering": "key"}, "pages are kept apart by the tie-break"
    assert (made.reading, made.exact, made.counted) == (Reading.WHOLE, False, False)
    assert (made.pushed, made.residual) == ((LEVEL_3,), (WEIGHT,))
    assert (made.page_sizes, made.worst_case) == ((100,), 10)


def test_with_a_residual_and_no_count_reading_stops_early_in_pages_that_grow() -> None:
    made = plan(WEIGHT, declared(size=950), wanted=NODES)
    assert made.reading is Reading.IN_ORDER
    assert made.ordering == {"ordering": "level,key"}
    assert made.page_sizes == (25, 50, 100)
    assert made.worst_case == 14


def test_a_superset_filter_is_pushed_but_neither_limit_nor_count_are() -> None:
    made = plan(NOTE)
    assert calls(made) == [{"note__first": "f"}]
    assert (made.reading, made.exact, made.counted) == (Reading.WHOLE, False, False)
    assert (made.pushed, made.residual) == ((NOTE,), ())


def test_a_subset_filter_is_pushed_with_calls_for_the_keys_of_the_index() -> None:
    made = plan(All((NAME, LEVEL_3)), completions={NAME: ["d", "a", "c", "b"]})
    assert calls(made) == [
        {"level": "3", "name__icontains": "king"},
        {"level": "3", "key__in": "a,b,c"},
        {"level": "3", "key__in": "d"},
    ]
    assert made.reading is Reading.WHOLE
    assert made.losses == ()


def test_calls_for_keys_count_in_the_worst_case_beside_what_the_list_can_hold() -> None:
    levels = ask("level", Op.IN, (1, 4))
    made = plan(
        All((levels, NAME)), declared(["level", "name", "key"], size=950), completions={NAME: ["a", "b"]}
    )
    assert calls(made) == [
        {"level": "1", "name__icontains": "king"},
        {"level": "4", "name__icontains": "king"},
        {"level": "1", "key__in": "a,b"},
        {"level": "4", "key__in": "a,b"},
    ]
    assert made.worst_case == 13


def test_calls_for_keys_leave_out_those_that_were_seen() -> None:
    made = plan(NAME, completions={NAME: ["a", "b", "c"]})
    added = made.calls[1]
    narrowed = added.beyond({"a", "c", "x"})
    assert narrowed is not None
    assert narrowed.parameters == {"key__in": "b"}
    assert added.beyond({"a", "b", "c"}) is None


def test_calls_for_keys_that_share_their_parameter_are_sent_whole() -> None:
    key = Ability("key", Op.IN, "fq", takes=Takes.LIST, write=lambda keys: f"key:({' OR '.join(keys)})")
    level = Ability("level", Op.EQUALS, "fq", write=lambda value: f"level:{value}")
    able = ListAbilities((key, level, ABILITIES["name"]), joined={"fq": " AND "})
    made = plan(All((LEVEL_3, NAME)), able, completions={NAME: ["a", "b"]})
    assert calls(made) == [
        {"fq": "level:3", "name__icontains": "king"},
        {"fq": "level:3 AND key:(a OR b)"},
    ]
    assert made.calls[1].beyond({"a"}) == made.calls[1]
    assert made.calls[1].beyond({"a", "b"}) is None


def test_two_subset_filters_cannot_both_add_by_key() -> None:
    also = ask("name", Op.CONTAINS, "old")
    able = declared(["name", "key"], joined={"name__icontains": " ", "key__in": ","})
    made = plan(All((NAME, also)), able, completions={NAME: ["a"], also: ["a"]})
    assert calls(made) == [{"name__icontains": "king"}, {"key__in": "a"}]
    assert made.residual == (also,)


def test_a_subset_filter_without_an_index_says_what_may_be_missing() -> None:
    made = plan(NAME, completions={NAME: None})
    assert calls(made) == [{"name__icontains": "king"}]
    assert made.losses == (
        "The search of Fakelore for `name` can miss records, and no index of names is at hand to add them.",
    )
    assert not made.exact


def test_a_subset_filter_whose_misses_cannot_be_asked_for_by_key_says_so() -> None:
    made = plan(NAME, declared(["name"]), completions={NAME: ["a"]})
    assert calls(made) == [{"name__icontains": "king"}]
    assert made.losses == (
        "The search of Fakelore for `name` can miss records, which cannot be asked for by their keys.",
    )


def test_a_subset_filter_without_misses_needs_no_more_calls() -> None:
    made = plan(NAME, completions={NAME: []})
    assert calls(made) == [{"name__icontains": "king"}]
    assert (made.losses, made.exact) == ((), False)


@pytest.mark.parametrize(
    ("part", "sent"),
    [
        (FLAG, {"flag": "false"}),
        (ask("school", Op.IN, ("evocation", "illusion")), {"school__not": "evocation,illusion"}),
        (Not(LEVEL_3), {"level": "3"}),
        (LEVEL_3, None),
        (NOTE, None),
        (Not(NOTE), None),
        (NAME, None),
        (WEIGHT, None),
    ],
)
def test_under_not_only_exact_filters_are_pushed(part: Criteria, sent: dict[str, str] | None) -> None:
    made = plan(Not(part), completions={NAME: []})
    assert calls(made) == [sent or {}]
    assert (made.residual == ()) == (sent is not None)


def test_not_of_several_conditions_is_any_of_their_negations() -> None:
    schools = ask("school", Op.IN, ("evocation",))
    assert calls(plan(Not(All((FLAG, schools))))) == [{"flag": "false"}, {"school__not": "evocation"}]
    assert calls(plan(Not(AnyOf((FLAG, schools))))) == [{"flag": "false", "school__not": "evocation"}]


def test_any_of_is_one_call_a_branch() -> None:
    made = plan(All((FLAG, AnyOf((LEVEL_3, All((NOTE, ask("tags", Op.HAS_ANY, ("fire",)))))))))
    assert calls(made) == [
        {"flag": "true", "level": "3"},
        {"flag": "true", "note__first": "f", "tag": "fire"},
    ]
    assert made.reading is Reading.WHOLE
    assert made.residual == ()


def test_any_of_with_a_branch_that_cannot_be_pushed_is_not_pushed_at_all() -> None:
    any_of = AnyOf((LEVEL_3, All((FLAG, WEIGHT))))
    made = plan(All((FLAG, any_of)))
    assert calls(made) == [{"flag": "true"}]
    assert made.residual == (LEVEL_3, FLAG, WEIGHT)


def test_any_of_with_a_subset_branch_needs_the_index() -> None:
    any_of = AnyOf((LEVEL_3, NAME))
    assert calls(plan(any_of, completions={NAME: None})) == [{}]
    assert calls(plan(any_of, completions={NAME: ["a"]})) == [
        {"level": "3"},
        {"name__icontains": "king"},
        {"key__in": "a"},
    ]


def test_a_list_over_a_filter_for_one_value_is_one_call_a_value() -> None:
    made = plan(ask("level", Op.IN, (1, 4)), declared(["level", "flag"]))
    assert calls(made) == [{"level": "1"}, {"level": "4"}]


def test_a_list_of_values_of_one_attribute_cannot_read_more_than_there_is() -> None:
    assert plan(ask("level", Op.IN, (1, 4)), declared(["level"], size=950)).worst_case == 11
    assert plan(ask("tags", Op.HAS_ANY, ("a", "b")), declared(["tag"], size=950)).worst_case == 20


def test_a_list_with_more_values_than_the_budget_has_calls_is_applied_here() -> None:
    levels = ask("level", Op.IN, (1, 4, 6, 8))
    made = plan(All((levels, FLAG)), declared(["level", "flag"], max_calls=3))
    assert calls(made) == [{"flag": "true"}]
    assert made.residual == (levels,)


def test_two_lists_are_both_pushed_only_while_their_product_fits() -> None:
    levels, tags = ask("level", Op.IN, (1, 4)), ask("tags", Op.HAS_ANY, ("acid", "fire"))
    assert calls(plan(All((levels, tags)), declared(["level", "tag"]))) == [
        {"level": "1", "tag": "acid"},
        {"level": "1", "tag": "fire"},
        {"level": "4", "tag": "acid"},
        {"level": "4", "tag": "fire"},
    ]
    made = plan(All((levels, tags)), declared(["level", "tag"], max_calls=3))
    assert calls(made) == [{"level": "1"}, {"level": "4"}]
    assert made.residual == (tags,)


def test_a_list_is_not_pushed_where_reading_everything_takes_fewer_calls() -> None:
    levels = ask("level", Op.IN, (0, 2, 4))
    assert calls(plan(levels, declared(["level"], size=300))) == [
        {"level": "0"},
        {"level": "2"},
        {"level": "4"},
    ]
    assert calls(plan(levels, declared(["level"], size=200))) == [{}]


def test_integers_without_a_gap_become_a_range_where_that_is_declared() -> None:
    assert calls(plan(ask("level", Op.IN, (3, 1, 2)))) == [{"level__range": "1,3"}]
    assert calls(plan(ask("level", Op.IN, (1, 2)), declared(["level"]))) == [{"level": "1"}, {"level": "2"}]
    ratings = Ability("rating", Op.IN, "rating__range", takes=Takes.RANGE)
    assert calls(plan(ask("rating", Op.IN, (0.5, 1.0)), ListAbilities((ratings,)))) == [{}]


def test_a_list_filter_serves_a_single_value_and_is_cut_to_what_it_holds() -> None:
    assert calls(plan(ask("key", Op.EQUALS, "a"))) == [{"key__in": "a"}]
    assert calls(plan(ask("key", Op.IN, ("a", "b", "c", "d")))) == [{"key__in": "a,b,c"}, {"key__in": "d"}]


def test_a_list_that_repeats_rows_takes_away_the_trust_in_the_count() -> None:
    made = plan(ask("tags", Op.HAS_ANY, ("acid", "fire")))
    assert calls(made) == [{"tag__in": "acid,fire"}]
    assert (made.reading, made.exact) == (Reading.WHOLE, False)
    assert plan(ask("tags", Op.HAS_ANY, ("acid",)), declared(["tag_list"])).exact


def test_two_conditions_never_share_a_parameter_unless_it_joins_them() -> None:
    both = All((ask("level", Op.EQUALS, 1), ask("level", Op.EQUALS, 2)))
    made = plan(both, declared(["level"]))
    assert calls(made) == [{"level": "1"}]
    assert made.residual == (both.parts[1],)
    made = plan(both, declared(["level"], joined={"level": " AND "}))
    assert calls(made) == [{"level": "1 AND 2"}]


@pytest.mark.parametrize(
    "predicate",
    [
        ask("name", Op.CONTAINS, "  "),
        ask("school", Op.EQUALS, ""),
        ask("key", Op.IN, ("a,b",)),
        ask("level", Op.EQUALS, None),
        ask("level", Op.IN, (1, None)),
    ],
)
def test_a_value_that_would_be_ignored_or_change_its_meaning_is_not_sent(predicate: Predicate) -> None:
    made = plan(predicate)
    assert calls(made) == [{}]
    assert made.residual == (predicate,)


def test_what_can_match_nothing_needs_no_call() -> None:
    made = plan(All((LEVEL_3, ask("key", Op.IN, ()))))
    assert (calls(made), made.worst_case) == ([], 0)
    assert calls(plan(Not(ask("key", Op.IN, ())))) == [{}]
    assert calls(plan(AnyOf(()))) == []


def test_only_what_is_wanted_is_read() -> None:
    nothing = plan(LEVEL_3, wanted=Wanted((), records=False))
    assert (nothing.reading, calls(nothing), nothing.worst_case) == (Reading.NOTHING, [], 0)
    count = plan(LEVEL_3, wanted=Wanted((), records=False, total_count=True), order=(OrderKey("name"),))
    assert (count.reading, count.ordering, count.worst_case) == (Reading.COUNT, {}, 1)
    uncounted = declared(counts=False)
    assert plan(LEVEL_3, uncounted, wanted=NODES).reading is Reading.IN_ORDER
    assert plan(LEVEL_3, uncounted, wanted=NODES_AND_COUNT).reading is Reading.WHOLE


@pytest.mark.parametrize(
    ("order", "sent"),
    [
        ((), "key"),
        ((OrderKey("level", descending=True),), "-level,key"),
        ((OrderKey("key", descending=True), OrderKey("level")), "-key"),
    ],
)
def test_a_pushed_order_carries_its_tie_break(order: tuple[OrderKey, ...], sent: str) -> None:
    made = plan(LEVEL_3, order=order)
    assert (made.reading, made.ordering) == (Reading.IN_ORDER, {"ordering": sent})


def test_an_order_that_cannot_be_pushed_is_made_here() -> None:
    made = plan(LEVEL_3, order=(OrderKey("level"), OrderKey("name")))
    assert (made.reading, made.counted) == (Reading.WHOLE, False)


def test_a_doubted_ability_is_a_residual() -> None:
    made = plan(All((LEVEL_3, FLAG)), doubts=Doubts(filters={ABILITIES["flag"]}))
    assert calls(made) == [{"level": "3"}]
    assert made.residual == (FLAG,)
    assert plan(LEVEL_3, doubts=Doubts(orders={BY_LEVEL})).reading is Reading.WHOLE
    assert plan(LEVEL_3, doubts=Doubts(count=True)).counted is False


def test_a_plan_over_the_budget_is_refused_and_says_what_would_make_it_cheap() -> None:
    able = declared(size=5000)
    with pytest.raises(QueryTooExpensive) as refusal:
        plan(WEIGHT, able)
    assert str(refusal.value) == (
        "This could take 50 requests to Fakelore, and one question may make 20; nothing was asked. "
        "To make it cheap, filter by `key`."
    )
    assert plan(All((WEIGHT, ask("key", Op.EQUALS, "a"))), able).worst_case == 1


def test_a_refusal_names_lists_that_are_too_long_and_counts_that_are_dear() -> None:
    school = Ability("school", Op.EQUALS, "school__key", argument="school", rows=1500)
    able = ListAbilities((school,), sort=SortAbility("ordering", "key"), counts=True, size=10_000)
    with pytest.raises(QueryTooExpensive, match=r"To make it cheap, give `school` fewer values\.$"):
        plan(ask("school", Op.IN, ("abjuration", "illusion")), able)
    assert plan(ask("school", Op.IN, ("abjuration",)), able, wanted=NODES).worst_case == 15

    levels = ask("level", Op.IN, tuple(range(0, 60, 2)))
    level = Ability("level", Op.EQUALS, "level", argument="level", rows=100)
    with pytest.raises(QueryTooExpensive, match=r"To make it cheap, give `level` fewer values\.$"):
        plan(levels, ListAbilities((level,), size=10_000))

    with pytest.raises(QueryTooExpensive, match=r"To make it cheap, narrow the filter\.$"):
        plan(WEIGHT, ListAbilities(size=10_000))
    with pytest.raises(QueryTooExpensive, match=r"To make it cheap, leave out `totalCount`\.$"):
        plan(EVERYTHING, ListAbilities(sort=able.sort, size=10_000), order=())
    assert (
        plan(EVERYTHING, ListAbilities(sort=able.sort, size=10_000), order=(), wanted=NODES).worst_case == 1
    )


def test_a_list_of_unknown_size_is_not_refused_but_said_to_be_open_ended() -> None:
    made = plan(WEIGHT)
    assert (made.worst_case, made.open_ended) == (1, True)
    assert plan(ask("key", Op.IN, ("a", "b"))).open_ended is False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (3, "3"),
        (3.0, "3"),
        (0.125, "0.125"),
        ("Külm king", "Külm king"),
        (("a", "b"), "a,b"),
        ((1, 3), "1,3"),
        ((), None),
        (("a,b", "c"), None),
        (("a", ""), None),
        (" ", None),
        (None, None),
    ],
)
def test_values_are_written_as_upstreams_read_them(value: Any, text: str | None) -> None:
    assert as_text(value) == text


def test_contradictory_declarations_are_errors() -> None:
    with pytest.raises(ValueError, match="only an exact filter can be negated"):
        Ability("name", Op.CONTAINS, "q", Fidelity.SUPERSET, negated=as_text)
    with pytest.raises(ValueError, match="a range serves `in` alone"):
        Ability("level", Op.EQUALS, "level", takes=Takes.RANGE)
    with pytest.raises(ValueError, match="a list serves `in` and `has_any` alone"):
        Ability("level", Op.AT_LEAST, "level", takes=Takes.LIST)
    with pytest.raises(ValueError, match="at least one value"):
        Ability("level", Op.IN, "level", takes=Takes.LIST, most_values=0)
    with pytest.raises(ValueError, match="at least one call"):
        ListAbilities(max_calls=0)
    stray = Ability("level", Op.EQUALS, "level", write=lambda value: {"depth": str(value)})
    with pytest.raises(ValueError, match=r"\['depth'\] is not among its parameters"):
        plan(LEVEL_3, ListAbilities((stray,)))


def test_the_allow_list_holds_every_parameter() -> None:
    able = declared(["level", "school_list"])
    assert able.parameters == {"level", "school__in", "school__not", "ordering"}
