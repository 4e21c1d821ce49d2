"""What the lists of the D&D 5e API can filter by, and how conditions become its parameters.

Read from its source (5e-srd-api 5.8.0): `name` is a partial match that ignores case, escaped, and folds no accents;
`level` and `challenge_rating` take numbers with commas between, equality alone; `school` may be repeated. Any other
parameter is dropped without a word, as are numbers that it cannot read. So bounds are sent as lists of all values
within them, and what the lists cannot filter is filtered here.

A condition is a parameter of ours (`level_min`), of which the planner may push several; `compile_query` makes the
upstream's own of all that were pushed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sources.ability import Ability, Fidelity, ListAbilities, Takes, as_text
from sources.criteria import Op
from sources.dnd.dnd5e_catalogue import EQUIPMENT, MAGIC_ITEMS, MONSTERS, RULES, SPELLS
from sources.dnd.dnd5e_catalogue_options import OPTIONS
from sources.dnd.dnd5e_collections import Collection
from sources.dnd.vocabulary import EXPERIENCE_POINTS

LEVELS: tuple[float, ...] = tuple(range(10))
RATINGS: tuple[float, ...] = (0, *EXPERIENCE_POINTS)
"""All challenge ratings that the rules know."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """All collections that hold records of one kind of list.

    - `kind`: of the list here; `collections`: where its records are
    - `abilities`: the conditions that can be pushed
    - `numbers`: by attribute, all values that it can have: bounds are sent as lists of them
    - `kinds`: of the records in each collection, by its path, where there are several
    """

    kind: str
    collections: tuple[Collection, ...]
    abilities: ListAbilities
    numbers: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def holding(self, query: Query) -> Iterator[Collection]:
        """The collections that can hold records that `query` means."""
        for collection in self.collections:
            kinds = self.kinds.get(collection.path)
            if query.kinds is None or kinds is None or not set(query.kinds).isdisjoint(kinds):
                yield collection

    @property
    def cheap(self) -> tuple[str, ...]:
        """The filter arguments that make the records fewer before any is read whole."""
        named = dict.fromkeys(ability.argument for ability in self.abilities.filters if ability.argument)
        return tuple(dict.fromkeys((*named, "name")))


@dataclass(frozen=True, slots=True)
class Query:
    """One list, as it is asked for.

    - `parameters`: the upstream's own, sorted by name, repeated where a list is meant
    - `keys`: only records of these keys, whatever the list says; None: all of it
    - `name_exact`: only records of this name: the list finds parts of names alone
    - `kinds`: only collections that hold records of one of these kinds; None: all
    - `nothing`: no record can fulfil the conditions
    - `vouched`: by attribute, a value that fulfils all conditions on it, as every row of the list does
    """

    parameters: tuple[tuple[str, str], ...] = ()
    keys: tuple[str, ...] | None = None
    name_exact: str | None = None
    kinds: tuple[str, ...] | None = None
    nothing: bool = False
    vouched: Mapping[str, Any] = field(default_factory=dict)


def compile_query(endpoint: Endpoint, conditions: Mapping[str, str]) -> Query:
    """The upstream's parameters for conditions that its abilities have written."""
    sent: list[tuple[str, str]] = []
    vouched: dict[str, Any] = {}
    nothing = False
    for attribute, values in endpoint.numbers.items():
        meant = _meant(attribute, values, conditions)
        if meant is None:
            continue
        if meant != values:  # Else every record is meant.
            sent.append((attribute, as_text(meant) or ""))
        nothing = nothing or not meant
        if meant:
            vouched[attribute] = meant[0]
    schools = [school for school in conditions.get("school", "").split(",") if school]
    sent += [("school", school) for school in schools]
    if schools:
        vouched["school"] = schools[0]
    exact, part = conditions.get("name_exact"), conditions.get("name")
    name = part if part is not None else exact
    if name is not None:
        sent.append(("name", name))
    keys, kinds = conditions.get("key"), conditions.get("kind")
    return Query(
        parameters=tuple(sent),
        keys=None if keys is None else tuple(keys.split(",")),
        # Both at once: one of them is sent, and a record must have the other as well.
        name_exact=exact,
        kinds=None if kinds is None else tuple(kinds.split(",")),
        nothing=nothing,
        vouched=vouched,
    )


def _meant(
    attribute: str, values: tuple[float, ...], conditions: Mapping[str, str]
) -> tuple[float, ...] | None:
    """The values of `attribute` that fulfil all conditions on it; None where there are none."""
    listed = conditions.get(attribute)
    low, high = conditions.get(f"{attribute}_min"), conditions.get(f"{attribute}_max")
    if listed is None and low is None and high is None:
        return None
    meant = values if listed is None else tuple(float(text) for text in listed.split(","))
    return tuple(
        value
        for value in meant
        if (low is None or value >= float(low)) and (high is None or value <= float(high))
    )


MOST_LISTS = 20
"""Lists that one question may ask for by filters of its own. Each is a request a collection."""
_WHOLE = 1_000
"""Rows of one page: more than any collection has, since there are no pages."""

_KEYS = Ability("key", Op.IN, "key", takes=Takes.LIST, argument="key", rows=1, most_values=_WHOLE)


def _names() -> tuple[Ability, ...]:
    return (
        Ability("name", Op.CONTAINS, "name", Fidelity.SUBSET, argument="name"),
        Ability("name", Op.FOLDED_EQUALS, "name_exact", Fidelity.SUBSET, argument="nameExact"),
    )


def _number(attribute: str, listed: str, low: str, high: str) -> tuple[Ability, ...]:
    return (
        Ability(attribute, Op.IN, attribute, takes=Takes.LIST, argument=listed),
        Ability(attribute, Op.AT_LEAST, f"{attribute}_min", argument=low),
        Ability(attribute, Op.AT_MOST, f"{attribute}_max", argument=high),
    )


def _abilities(*filters: Ability) -> ListAbilities:
    return ListAbilities((_KEYS, *filters), page_size=_WHOLE, max_calls=MOST_LISTS, size=_WHOLE)


SPELL_LIST = Endpoint(
    kind="spell",
    collections=(SPELLS,),
    abilities=_abilities(
        *_names(),
        *_number("level", "level", "levelMin", "levelMax"),
        # A partial match of the school's name, of which none is a part of another.
        Ability("school", Op.IN, "school", takes=Takes.LIST, argument="school"),
    ),
    numbers={"level": LEVELS},
)

CREATURE_LIST = Endpoint(
    kind="creature",
    collections=(MONSTERS,),
    abilities=_abilities(*_names(), *_number("challenge_rating", "cr", "crMin", "crMax")),
    numbers={"challenge_rating": RATINGS},
)

# The lists below are few and short: names are compared here, since without an index of all names, which is the
# same request, the upstream's comparison would not do.

EQUIPMENT_LIST = Endpoint(
    kind="equipment",
    collections=(EQUIPMENT, MAGIC_ITEMS),
    abilities=_abilities(Ability("kind", Op.IN, "kind", Fidelity.SUPERSET, Takes.LIST, argument="kind")),
    kinds={"equipment": ("weapon", "armor", "gear"), "magic-items": ("magic-item",)},
)

RULE_LIST = Endpoint(
    kind="rule",
    collections=RULES,
    abilities=_abilities(Ability("kind", Op.IN, "kind", Fidelity.SUPERSET, Takes.LIST, argument="kind")),
    kinds={collection.path: (collection.kind,) for collection in RULES},
)

OPTION_LIST = Endpoint(
    kind="character_option",
    collections=OPTIONS,
    abilities=_abilities(Ability("kind", Op.IN, "kind", Fidelity.SUPERSET, Takes.LIST, argument="kind")),
    kinds={collection.path: (collection.kind,) for collection in OPTIONS},
)

ENDPOINTS: Mapping[str, Endpoint] = {
    endpoint.kind: endpoint
    for endpoint in (SPELL_LIST, CREATURE_LIST, EQUIPMENT_LIST, RULE_LIST, OPTION_LIST)
}
"""By the kind of list."""
