"""How one condition becomes calls of an upstream: the part of planning that knows what filters can do.

Criteria are first brought into a normal form, where `not` stands at single predicates only; two-valued logic
lets it move inwards freely. An `Option` then is one way to leave a condition to the upstream: calls of which
each row that fulfils it appears in at least one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sources.ability import Ability, Fidelity, Takes
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate


@dataclass(frozen=True, slots=True)
class Leaf:
    """A predicate that must hold, or (not `holds`) must not. `under_not`: a `not` stood anywhere above it."""

    predicate: Predicate
    holds: bool = True
    under_not: bool = False

    @property
    def criteria(self) -> Criteria:
        """The leaf as criteria."""
        return self.predicate if self.holds else Not(self.predicate)


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold; no parts: always true."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds; no parts: never true."""

    parts: tuple[Node, ...] = ()


Node = Leaf | Every | Either
_TRUE, _FALSE = Every(), Either()


def normal_form(criteria: Criteria, *, holds: bool = True, under_not: bool = False) -> Node:
    """`criteria` with every `not` at its predicates, nesting flattened and what is always or never true folded."""
    match criteria:
        case Predicate(op=Op.IN | Op.HAS_ANY, value=()):
            return _FALSE if holds else _TRUE
        case Predicate():
            return Leaf(criteria, holds, under_not)
        case Not(part):
            return normal_form(part, holds=not holds, under_not=True)
        case All(parts):
            nodes = [normal_form(part, holds=holds, under_not=under_not) for part in parts]
            return _every(nodes) if holds else _either(nodes)
        case AnyOf(parts):
            nodes = [normal_form(part, holds=holds, under_not=under_not) for part in parts]
            return _either(nodes) if holds else _every(nodes)


def _every(nodes: Iterable[Node]) -> Node:
    flat: list[Node] = []
    for node in nodes:
        if node == _FALSE:
            return _FALSE
        flat.extend(node.parts if isinstance(node, Every) else [node])
    return flat[0] if len(flat) == 1 else Every(tuple(flat))


def _either(nodes: Iterable[Node]) -> Node:
    flat: list[Node] = []
    for node in nodes:
        if node == _TRUE:
            return _TRUE
        flat.extend(node.parts if isinstance(node, Either) else [node])
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def leaves(node: Node) -> Iterator[Leaf]:
    """Every leaf, left to right."""
    if isinstance(node, Leaf):
        yield node
    else:
        for part in node.parts:
            yield from leaves(part)


@dataclass(frozen=True, slots=True)
class Claim:
    """What an ability promises of every row of a call."""

    ability: Ability
    criteria: Criteria


@dataclass(frozen=True, slots=True)
class Supplement:
    """Keys that a call asks for since a SUBSET filter may miss them, and the ability that asks."""

    keys: tuple[Any, ...]
    ability: Ability


@dataclass(frozen=True, slots=True)
class Call:
    """One list that the upstream is asked for, page by page.

    - `parameters`: what is sent, but for order and page
    - `claims`: what its rows must be, or else an ability was declared wrongly
    - `exact`: its rows are those that we mean, no more and no fewer
    - `rows`: at most this many records can be in it, when that is known; a record may stand in it `repeats` times
    - `supplement`: set when the call only adds records by key
    """

    parameters: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    exact: bool = True
    rows: int | None = None
    repeats: int = 1
    supplement: Supplement | None = None

    def beyond(self, seen: Collection[Any]) -> Call | None:
        """The call without the keys that were `seen` already; None when it would add nothing."""
        if self.supplement is None:
            return self
        whole, ability = self.supplement.keys, self.supplement.ability
        keys = tuple(key for key in whole if key not in seen)
        if not keys:
            return None
        before, after = ability.parameters(whole) or {}, ability.parameters(keys) or {}
        if before.items() - self.parameters.items():
            return self  # The keys share their parameter with another condition: it is sent as it stands.
        return replace(
            self, parameters={**self.parameters, **after}, supplement=replace(self.supplement, keys=keys)
        )


@dataclass(frozen=True, slots=True)
class Option:
    """One way to push a condition: the union of `calls` holds every row that fulfils it.

    `disjoint`: no record is in two of the calls, supplements aside. `losses` say what may be missing nevertheless.
    """

    calls: tuple[Call, ...]
    disjoint: bool = True
    losses: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """How many calls are made in any case: supplements may prove superfluous."""
        return sum(call.supplement is None for call in self.calls)


UNRESTRICTED = Option((Call(),))

Completions = Mapping[Predicate, Collection[Any] | None]
"""For predicates that a SUBSET filter serves: the keys of the records that fulfil it, as an index knows them.

Keys which the filter finds for certain may be left out; None: there is no index.
"""


@dataclass(frozen=True, slots=True)
class Pusher:
    """Finds the options of conditions. `upstream` names the system in sentences for the caller."""

    abilities: Sequence[Ability]
    joined: Mapping[str, str]
    key: str
    most_calls: int
    completions: Completions
    upstream: str

    def options(self, node: Node) -> list[Option]:
        """The ways to push `node` whole, the cheapest first; none when a part of it cannot be pushed."""
        match node:
            case Leaf():
                return self._options_of_leaf(node)
            case Every(parts):
                combined = UNRESTRICTED
                for part in parts:
                    found = self._first_fit(combined, self._lossless(part))
                    if found is None:
                        return []
                    combined = found
                return [combined]
            case Either(parts):
                calls: list[Call] = []
                for part in parts:
                    branch = self._lossless(part)
                    if not branch:
                        return []
                    calls.extend(call for call in branch[0].calls if call not in calls)
                if len(calls) > self.most_calls:
                    return []
                return [Option(tuple(calls), disjoint=len(calls) < 2)]

    def product(self, left: Option, right: Option) -> Option | None:
        """Both conditions at once: each call of one with each of the other.

        None where two of them need the same parameter for different texts, or there are too many.
        """
        if len(left.calls) * len(right.calls) > self.most_calls:
            return None
        calls = []
        for a in left.calls:
            for b in right.calls:
                both = self._merged(a, b)
                if both is None:
                    return None
                calls.append(both)
        return Option(tuple(calls), left.disjoint and right.disjoint, left.losses + right.losses)

    def _lossless(self, node: Node) -> list[Option]:
        """Below `anyOf` a loss would not be worth it: the condition is read and checked here instead."""
        return [option for option in self.options(node) if not option.losses]

    def _first_fit(self, left: Option, options: Iterable[Option]) -> Option | None:
        for option in options:
            both = self.product(left, option)
            if both is not None:
                return both
        return None

    def _merged(self, a: Call, b: Call) -> Call | None:
        parameters = dict(a.parameters)
        for name, text in b.parameters.items():
            known = parameters.get(name)
            if known is None or known == text:
                parameters[name] = text
            elif name in self.joined:
                parameters[name] = f"{known}{self.joined[name]}{text}"
            else:
                return None
        if a.supplement is not None and b.supplement is not None:
            return None
        bounds = [rows for rows in (a.rows, b.rows) if rows is not None]
        return Call(
            parameters,
            a.claims + b.claims,
            a.exact and b.exact,
            min(bounds, default=None),
            a.repeats * b.repeats,
            a.supplement or b.supplement,
        )

    def _options_of_leaf(self, leaf: Leaf) -> list[Option]:
        ranked: list[tuple[tuple[int, bool, bool], Option]] = []
        found = serving(leaf, self.abilities)
        lossless = any(ability.fidelity is not Fidelity.SUBSET for ability in found)
        for ability, calls in found.items():
            if lossless and ability.fidelity is Fidelity.SUBSET:
                continue
            option = Option(calls, len(calls) < 2 or _separate(leaf.predicate, ability))
            if ability.fidelity is Fidelity.SUBSET:
                option = self._completed(leaf.predicate, option)
            if len(option.calls) > self.most_calls:
                continue
            inexact = not all(call.exact for call in calls)
            repeating = any(call.repeats > 1 for call in calls)
            ranked.append(((len(calls), inexact, repeating), option))
        ranked.sort(key=lambda item: item[0])
        return [option for _, option in ranked]

    def _completed(self, predicate: Predicate, option: Option) -> Option:
        """A SUBSET filter with the calls that add what it may miss."""
        keys = self.completions.get(predicate)
        name = predicate.argument.removeprefix("filter.") or predicate.attribute
        if keys is None:
            return replace(
                option,
                losses=(
                    f"The search of {self.upstream} for `{name}` can miss records, and no index of names is "
                    "at hand to add them.",
                ),
            )
        if not keys:
            return option
        added = self._supplements(tuple(sorted(keys)))
        if added is None:
            return replace(
                option,
                losses=(
                    f"The search of {self.upstream} for `{name}` can miss records, which cannot be asked for by "
                    "their keys.",
                ),
            )
        return replace(option, calls=option.calls + added)

    def _supplements(self, keys: tuple[Any, ...]) -> tuple[Call, ...] | None:
        leaf = Leaf(Predicate(self.key, Op.IN, keys))
        found: tuple[Call, ...] | None = None
        for ability in self.abilities:
            if ability.attribute != self.key or ability.fidelity is Fidelity.SUBSET:
                continue
            if ability.takes is Takes.RANGE:
                continue  # A range cannot be narrowed to the keys that are still missing.
            calls = _calls(leaf, ability, supplement=True)
            if calls is not None and (found is None or len(calls) < len(found)):
                found = calls
        return found


def serving(leaf: Leaf, abilities: Iterable[Ability]) -> dict[Ability, tuple[Call, ...]]:
    """The abilities that can ask for `leaf`, with the calls that do. Under `not` only EXACT ones."""
    found = {}
    for ability in abilities:
        if ability.attribute != leaf.predicate.attribute:
            continue
        if leaf.under_not and ability.fidelity is not Fidelity.EXACT:
            continue
        calls = _calls(leaf, ability)
        if calls is not None:
            found[ability] = calls
    return found


def _separate(predicate: Predicate, ability: Ability) -> bool:
    """Whether calls for different values cannot share a record: the attribute holds one value, and is compared."""
    return predicate.op is Op.IN and ability.fidelity is Fidelity.EXACT


def _calls(leaf: Leaf, ability: Ability, *, supplement: bool = False) -> tuple[Call, ...] | None:
    """The calls that ask for `leaf` through `ability`; None when they cannot be written."""
    groups = _groups(leaf.predicate, ability)
    if groups is None or (not leaf.holds and len(groups) != 1):
        return None
    calls = []
    for asked, value, count in groups:
        parameters = ability.parameters(value, negated=not leaf.holds)
        if parameters is None:
            return None
        claims: tuple[Claim, ...] = ()
        if ability.fidelity is not Fidelity.SUPERSET:
            claims = (Claim(ability, asked if leaf.holds else Not(asked)),)
        calls.append(
            Call(
                parameters,
                claims,
                exact=ability.fidelity is Fidelity.EXACT,
                rows=ability.rows * count if ability.rows is not None and leaf.holds else None,
                repeats=count if ability.repeats and leaf.holds else 1,
                supplement=Supplement(asked.value, ability) if supplement else None,
            )
        )
    return tuple(calls)


def _groups(predicate: Predicate, ability: Ability) -> list[tuple[Predicate, Any, int]] | None:
    """The values of `predicate` as `ability` can take them: what each asks, what is written, how many it holds."""
    op, value = predicate.op, predicate.value
    if op not in (Op.EQUALS, Op.IN, Op.HAS_ANY):
        return [(predicate, value, 1)] if ability.op is op else None
    served = (Op.HAS_ANY,) if op is Op.HAS_ANY else (Op.EQUALS, Op.IN)
    if ability.op not in served:
        return None
    values = (value,) if op is Op.EQUALS else tuple(dict.fromkeys(value))
    if None in values:
        return None
    several = Op.HAS_ANY if op is Op.HAS_ANY else Op.IN

    def asks(part: tuple[Any, ...]) -> Predicate:
        return Predicate(predicate.attribute, several, part, predicate.argument)

    match ability.takes:
        case Takes.ONE:
            return [(asks((item,)), item, 1) for item in values]
        case Takes.LIST:
            step = ability.most_values
            parts = [values[start : start + step] for start in range(0, len(values), step)]
            return [(asks(part), part, len(part)) for part in parts]
        case Takes.RANGE:
            if any(type(item) is not int for item in values):
                return None
            low, high = min(values), max(values)
            return [(asks(values), (low, high), len(values))] if high - low + 1 == len(values) else None
