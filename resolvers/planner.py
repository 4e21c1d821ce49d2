"""What an upstream is asked to answer a question, and what is left to do here. Pure: nothing is read.

The rules, of which every plan is an application:

- Only declared abilities are used. EXACT and SUPERSET filters are pushed; a SUBSET filter only together with
  calls that add by key what an index of names shows beyond it, or else the plan says what may be missing.
- Under `not` only EXACT is pushed. `anyOf` is pushed only if every branch is, one call a branch.
- Lists over filters that take one value become one call a value, while the worst case stays in the budget and
  reading without that filter would not be cheaper.
- `first` is left to the upstream when one call gives rows in the order asked for; its count only when all
  filters of that call are EXACT as well and nothing remains to be filtered here. Otherwise all is read.
- A plan whose worst case passes the budget is refused, naming the filters that would make it cheap.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from resolvers.pushdown import (
    UNRESTRICTED,
    Call,
    Completions,
    Either,
    Every,
    Leaf,
    Node,
    Option,
    Pusher,
    leaves,
    normal_form,
    serving,
)
from resolvers.question import Question
from sources.ability import Doubts, Fidelity, ListAbilities
from sources.criteria import Predicate
from sources.errors import QueryTooExpensive

MOST_CHOICES = 6
"""Conditions that take several calls each and are weighed against each other; more are filtered here."""
_UNTOUCHED = Doubts()


class Reading(StrEnum):
    """How the calls of a plan are read."""

    NOTHING = "nothing"
    """Nothing that was selected needs a record."""
    COUNT = "count"
    """One page, for the upstream's count alone."""
    IN_ORDER = "in_order"
    """One call in the order asked for, until the page is full."""
    WHOLE = "whole"
    """Every page of every call; merged by key, filtered, sorted and cut here."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the upstream is asked.

    - `calls`: the lists that are read, whose union holds every row that is meant (but for `losses`)
    - `records`: records are wanted, and not a count alone
    - `ordering`: sent with each call: the order asked for, or the tie-break, so that pages stay apart
    - `pushed`, `residual`: the predicates left to the upstream, and those that are applied here alone
    - `exact`: the one call gives the rows that are meant, no more and no fewer
    - `counted`: `totalCount` is the upstream's count
    - `page_sizes`: ascending, each dividing the next; pages start small and grow
    - `worst_case`: requests at most; of a list of unknown size, requests at least (`open_ended`)
    - `losses`: why the answer may be incomplete
    """

    calls: tuple[Call, ...]
    reading: Reading
    records: bool
    ordering: Mapping[str, str]
    pushed: tuple[Predicate, ...]
    residual: tuple[Predicate, ...]
    exact: bool
    counted: bool
    page_sizes: tuple[int, ...]
    worst_case: int
    open_ended: bool
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Choice:
    """Which conditions are pushed, and how all of them are."""

    option: Option
    pushed: tuple[Node, ...]
    residual: tuple[Node, ...]

    @property
    def exact(self) -> bool:
        if len(self.option.calls) != 1 or self.residual or self.option.losses:
            return False
        call = self.option.calls[0]
        return call.exact and call.repeats == 1


def make_plan(
    question: Question,
    abilities: ListAbilities,
    *,
    key: str,
    upstream: str,
    doubts: Doubts = _UNTOUCHED,
    completions: Completions | None = None,
) -> Plan:
    """The plan for `question`; `key` is the records' unique attribute, `upstream` the system's name for people.

    `completions` are what an index knows of `subset_predicates`. Raises `QueryTooExpensive` when no way of
    asking stays within `abilities.max_calls` in the worst case.
    """
    planner = _Planner(question, abilities, key, upstream, doubts, completions or {})
    return planner.plan()


def subset_predicates(question: Question, abilities: ListAbilities, doubts: Doubts) -> list[Predicate]:
    """The predicates that only a SUBSET filter could serve, so that an index should be asked about them."""
    trusted = doubts.trusted(abilities.filters)
    found = [
        leaf.predicate
        for leaf in leaves(normal_form(question.criteria))
        if {ability.fidelity for ability in serving(leaf, trusted)} == {Fidelity.SUBSET}
    ]
    return list(dict.fromkeys(found))


class _Planner:
    def __init__(
        self,
        question: Question,
        abilities: ListAbilities,
        key: str,
        upstream: str,
        doubts: Doubts,
        completions: Completions,
    ) -> None:
        self.question = question
        self.abilities = abilities
        self.doubts = doubts
        self.trusted = doubts.trusted(abilities.filters)
        self.upstream = upstream
        self.pusher = Pusher(self.trusted, abilities.joined, key, abilities.max_calls, completions, upstream)
        node = normal_form(question.criteria)
        self.parts = node.parts if isinstance(node, Every) else (node,)
        self.ordering = None
        if abilities.sort is not None and question.order not in doubts.orders:
            self.ordering = abilities.sort.parameters(question.order, key)
        wanted = question.wanted
        self.records = wanted.records or wanted.cursors or wanted.has_next or wanted.has_previous

    def plan(self) -> Plan:
        choice = self._choose()
        reading = self._reading(choice)
        calls = () if reading is Reading.NOTHING else choice.option.calls
        worst, sizes = self._worst_case(choice, reading)
        sort = self.abilities.sort
        ordering: Mapping[str, str] = {}
        if reading is Reading.IN_ORDER and self.ordering is not None:
            ordering = self.ordering
        elif reading is Reading.WHOLE and sort is not None:
            ordering = {sort.parameter: sort.tie_break}
        return Plan(
            calls=tuple(sorted(calls, key=lambda call: call.supplement is not None)),
            reading=reading,
            records=self.records,
            ordering=ordering,
            pushed=_predicates(choice.pushed),
            residual=_predicates(choice.residual),
            exact=choice.exact,
            counted=self._counted(choice),
            page_sizes=sizes,
            worst_case=worst,
            open_ended=any(self._rows(call) is None for call in calls),
            losses=choice.option.losses,
        )

    def _choose(self) -> _Choice:
        """The way to ask that pushes most and stays within the budget."""
        if Either() in self.parts:
            return _Choice(Option(()), self.parts, ())
        single, several = self._singles()
        budget = self.abilities.max_calls
        fitting: list[_Choice] = []
        known: list[int] = []
        refused: list[int] = []
        for nodes in _subsets(several):
            choice = self._with(single, nodes)
            if choice is None:
                continue
            worst, _ = self._worst_case(choice, self._reading(choice))
            if worst > budget:
                refused.append(worst)
                continue
            fitting.append(choice)
            if all(self._rows(call) is not None for call in choice.option.calls):
                known.append(worst)
        if not fitting:
            raise self._too_expensive(single, min(refused))
        cheapest = max(1, min(known, default=budget))
        return next(choice for choice in fitting if choice.option.needed <= cheapest)

    def _singles(self) -> tuple[_Choice, list[Node]]:
        """The conditions that cost no call of their own, all pushed; and those that take several calls each."""
        option = UNRESTRICTED
        pushed: list[Node] = []
        several: list[Node] = []
        for part in self.parts:
            ways = self.pusher.options(part)
            for way in ways:
                both = self.pusher.product(option, way) if len(way.calls) == 1 else None
                if both is not None:
                    option = both
                    pushed.append(part)
                    break
            else:
                if any(len(way.calls) > 1 for way in ways):
                    several.append(part)
        residual = tuple(part for part in self.parts if part not in pushed)
        return _Choice(option, tuple(pushed), residual), several

    def _with(self, single: _Choice, nodes: Collection[Node]) -> _Choice | None:
        """`single` with the conditions `nodes` pushed as well; None where they cannot be pushed together."""
        option = single.option
        for node in nodes:
            ways = (self.pusher.product(option, way) for way in self.pusher.options(node))
            fit = next((way for way in ways if way is not None), None)
            if fit is None:
                return None
            option = fit
        pushed = tuple(part for part in self.parts if part in single.pushed or part in nodes)
        return _Choice(option, pushed, tuple(part for part in self.parts if part not in pushed))

    def _reading(self, choice: _Choice) -> Reading:
        total = self.question.wanted.total_count
        if not self.records and not total:
            return Reading.NOTHING
        if not self.records and self._counted(choice):
            return Reading.COUNT
        one_by_one = self.ordering is not None and len(choice.option.calls) == 1
        if one_by_one and (not total or self._counted(choice)):
            return Reading.IN_ORDER
        return Reading.WHOLE

    def _counted(self, choice: _Choice) -> bool:
        """Whether the upstream's count is used; beside records only when those can be left to it as well."""
        return (
            self.question.wanted.total_count
            and self.abilities.counts
            and not self.doubts.count
            and choice.exact
            and (not self.records or self.ordering is not None)
        )

    def _rows(self, call: Call) -> int | None:
        """The most rows that a call can give."""
        bounds = [rows for rows in (call.rows, self.abilities.size) if rows is not None]
        return min(bounds) * call.repeats if bounds else None

    def _worst_case(self, choice: _Choice, reading: Reading) -> tuple[int, tuple[int, ...]]:
        """The most requests that reading can take, and the page sizes that it then starts with."""
        largest = self.abilities.page_size
        calls = choice.option.calls
        if reading is Reading.NOTHING or not calls:
            return 0, (largest,)
        if reading is Reading.COUNT:
            # A few rows more than none: they show whether the filters were heeded at all.
            return 1, _halvings(largest)[:1]
        pages = [_pages(self._rows(call), largest) for call in calls]
        if reading is Reading.WHOLE:
            main = [count for call, count in zip(calls, pages, strict=True) if call.supplement is None]
            most, size = sum(main), self.abilities.size
            if choice.option.disjoint and size is not None and all(call.repeats == 1 for call in calls):
                # Together they cannot hold more than there is; each may end with a page of its own.
                most = min(most, len(main) + size // largest)
            return most + sum(pages) - sum(main), (largest,)
        first = max(self.question.page.first or 1, 1)
        if choice.exact and self.question.page.after is None:
            return _pages(first, largest), (min(first, largest),)
        sizes = _halvings(largest)
        growing = pages[0] + 2 * (len(sizes) - 1)
        return (growing, sizes) if growing <= self.abilities.max_calls else (pages[0], (largest,))

    def _too_expensive(self, single: _Choice, worst: int) -> QueryTooExpensive:
        budget = self.abilities.max_calls
        text = (
            f"This could take {worst} requests to {self.upstream}, and one question may make {budget}; "
            "nothing was asked."
        )
        cheap = [f"`{name}`" for name in self._cheapening(single)]
        fewer = [f"`{name}`" for name in self._shortening(single)]
        advice = []
        if cheap:
            advice.append(f"filter by {' or '.join(cheap)}")
        if fewer:
            advice.append(f"give {' or '.join(fewer)} fewer values")
        if self._fits_uncounted(single):
            advice.append("leave out `totalCount`")
        if not advice:
            advice.append("narrow the filter")
        return QueryTooExpensive(f"{text} To make it cheap, {', or '.join(advice)}.")

    def _fits_uncounted(self, single: _Choice) -> bool:
        wanted = self.question.wanted
        if not (wanted.total_count and self.records):
            return False
        uncounted = copy(self)
        uncounted.question = replace(self.question, wanted=replace(wanted, total_count=False))
        return uncounted._fits(single, UNRESTRICTED)

    def _cheapening(self, single: _Choice) -> Iterator[str]:
        """The filters of which one value more would bring the plan into the budget."""
        used = {part.predicate.attribute for part in self.parts if isinstance(part, Leaf)}
        named: set[str] = set()
        for ability in self.trusted:
            if not ability.argument or ability.argument in named or ability.attribute in used:
                continue
            if ability.fidelity is Fidelity.SUBSET:
                continue
            added = Option((Call({}, exact=ability.fidelity is Fidelity.EXACT, rows=ability.rows),))
            if self._fits(single, added):
                named.add(ability.argument)
                yield ability.argument

    def _shortening(self, single: _Choice) -> Iterator[str]:
        """The filters whose list would bring the plan into the budget if it held a single value."""
        for node in single.residual:
            if not isinstance(node, Leaf) or not isinstance(node.predicate.value, tuple):
                continue
            predicate = node.predicate
            shortened = replace(node, predicate=replace(predicate, value=predicate.value[:1]))
            if any(self._fits(single, way) for way in self.pusher.options(shortened) if not way.losses):
                yield _name(predicate)

    def _fits(self, single: _Choice, added: Option) -> bool:
        option = self.pusher.product(single.option, added)
        if option is None:
            return False
        choice = replace(single, option=option)
        return self._worst_case(choice, self._reading(choice))[0] <= self.abilities.max_calls


def _subsets(nodes: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """Every selection of `nodes`, the largest first."""
    weighed = nodes[:MOST_CHOICES]
    for count in range(len(weighed), -1, -1):
        yield from combinations(weighed, count)


def _pages(rows: int | None, size: int) -> int:
    """How many pages hold `rows`; an unknown number may fit into one."""
    return 1 if rows is None else max(1, -(-rows // size))


def _halvings(largest: int) -> tuple[int, ...]:
    """`largest` and its halves down to about twenty, each dividing the next; ascending."""
    sizes = [largest]
    while sizes[0] % 2 == 0 and sizes[0] >= 40:
        sizes.insert(0, sizes[0] // 2)
    return tuple(sizes)


def _predicates(nodes: Iterable[Node]) -> tuple[Predicate, ...]:
    return tuple(leaf.predicate for node in nodes for leaf in leaves(node))


def _name(predicate: Predicate) -> str:
    return predicate.argument.removeprefix("filter.") or predicate.attribute
