"""The list endpoints of Open5e v2 that are asked, and all that each of them can do.

The upstream ignores a parameter that an endpoint does not know, and answers the whole list: so the lists below
are closed. Each entry was measured on Open5e 2.1.0 with all its data, by the count it gives beside the count of
the same condition applied here; the number of the measured row stands with it. What is absent was measured to
be ignored (`ritual`, `level__in`, `school__key__in`, `type__in`, `hit_points__gte`, `languages`, …) or says
something else than we mean (`range__gte`: miles and feet in one column).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from sources.ability import Ability, Fidelity, ListAbilities, SortAbility, Takes, as_text
from sources.criteria import Op, Predicate
from sources.dnd.open5e_creatures import CREATURE_FIELDS, CREATURE_RECIPES
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.open5e_spells import SPELL_FIELDS, SPELL_RECIPES

PAGE_SIZE = 500
"""Rows asked for at once. The upstream has no maximum; a larger page only makes it slower to begin."""

MOST_KEYS = 60
MOST_KEY_BYTES = 2_800
"""A request line over 4,094 bytes is refused with a page of HTML. The longest key has 51 characters, most have
20: 60 of them, the names of all fields and the path stay below 3,500 bytes."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One list endpoint.

    - `kind`: of its records here; `path`: below the base URL
    - `abilities`: the closed list; `recipes`: how its records become ours, of `fields` fields
    - `common`, `costly`, `implied`: of a list that is a part of a longer one, as `resolvers/planned_union.py`
      reads them
    - `inherited`: attributes that a record may have of its parent, whose row is put into it: `parent` names the
      field with the parent's key, the field that is needed of the parent, and where its row is put
    """

    kind: str
    path: str
    abilities: ListAbilities
    recipes: Recipes
    fields: int
    common: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    costly: Collection[str] = ()
    implied: Mapping[str, Predicate] = field(default_factory=dict)
    inherited: frozenset[str] = frozenset()
    parent: tuple[str, str, str] | None = None


def write_keys(keys: object) -> str | None:
    """Keys with commas between; None when they would make the request too long."""
    text = as_text(keys)
    return text if text is not None and len(quote(text, safe=",")) <= MOST_KEY_BYTES else None


def opposite(value: object) -> str:
    """The text for the negation of a truth value."""
    return "false" if value else "true"


def _flag(attribute: str) -> Ability:
    return Ability(attribute, Op.EQUALS, attribute, negated=opposite, argument=attribute)


def _school_names(schools: tuple[str, ...]) -> str:
    """The names of schools, which are their keys with a capital letter; the list takes names only."""
    return ",".join(school.capitalize() for school in schools)


SHARED_FILTERS = (
    # `key__in`: unknown keys are left out, doubled ones folded.
    Ability(
        "key",
        Op.IN,
        "key__in",
        takes=Takes.LIST,
        write=write_keys,
        argument="key",
        rows=1,
        most_values=MOST_KEYS,
    ),
    # `name__icontains=fire`: 33 spells. An SQL LIKE, which folds the case of ASCII letters and no accents.
    Ability("name", Op.CONTAINS, "name__icontains", Fidelity.SUBSET, argument="name"),
    Ability("name", Op.FOLDED_EQUALS, "name__iexact", Fidelity.SUBSET, argument="nameExact"),
    # `document__key__in`: the one document filter that every endpoint has.
    Ability("document_key", Op.IN, "document__key__in", takes=Takes.LIST, argument="documents"),
    Ability("edition", Op.IN, "document__gamesystem__key__in", takes=Takes.LIST, argument="edition"),
)

_SPELL_FILTERS = (
    *SHARED_FILTERS,
    # `level=3`: 295; `level__gte=8`: 163; `level__range=2,3` is both bounds.
    Ability("level", Op.EQUALS, "level", argument="level"),
    Ability("level", Op.IN, "level__range", takes=Takes.RANGE),
    Ability("level", Op.AT_LEAST, "level__gte", argument="levelMin"),
    Ability("level", Op.AT_MOST, "level__lte", argument="levelMax"),
    # `school__key=evocation`: 328; `school__name__in=Evocation,Abjuration`: 537. `school__key__in` is ignored.
    Ability("school", Op.EQUALS, "school__key", argument="school"),
    Ability("school", Op.IN, "school__name__in", takes=Takes.LIST, write=_school_names),
    # `classes__key=srd_wizard`: 444. `classes__key__in` gives a spell once for each class: a call each instead.
    Ability("classes", Op.HAS_ANY, "classes__key", argument="classKey"),
    # `casting_time=reaction`: 59. The list ignores unknown values, a single one is refused.
    Ability("casting_time", Op.EQUALS, "casting_time", argument="castingTime"),
    Ability("casting_time", Op.IN, "casting_time__in", takes=Takes.LIST),
    # `concentration=true`: 735. `true` and `false` only; `material_consumed` is mended here, so it is not pushed.
    *(_flag(name) for name in ("concentration", "verbal", "somatic", "material")),
)

_CREATURE_FILTERS = (
    *SHARED_FILTERS,
    # `challenge_rating__gte=20`: 114; `challenge_rating=0.25`: 230. Decimals only; no list.
    Ability("challenge_rating", Op.EQUALS, "challenge_rating", argument="cr"),
    Ability("challenge_rating", Op.AT_LEAST, "challenge_rating__gte", argument="crMin"),
    Ability("challenge_rating", Op.AT_MOST, "challenge_rating__lte", argument="crMax"),
    # `type=dragon`: 355; `size=large`: 987. One key, lower case.
    Ability("type", Op.EQUALS, "type", argument="type"),
    Ability("size", Op.EQUALS, "size", argument="size"),
    # Whole numbers that every creature has; `hit_points__gte` is ignored.
    Ability("armor_class", Op.AT_LEAST, "armor_class__gte", argument="armorClassMin"),
    Ability("armor_class", Op.AT_MOST, "armor_class__lte", argument="armorClassMax"),
    Ability("passive_perception", Op.AT_LEAST, "passive_perception__gte"),
)


def sort_by(*attributes: str) -> SortAbility:
    """The orders by attributes that the upstream has under the same names."""
    return SortAbility(
        "ordering",
        tie_break="key",
        ascending={name: name for name in attributes},
        descending={name: f"-{name}" for name in attributes},
    )


SPELLS = Endpoint(
    kind="spell",
    path="/spells/",
    abilities=ListAbilities(
        _SPELL_FILTERS,
        # Keys of vocabularies are plain lower-case words, which sort alike there and here; names do not.
        sort=sort_by("key", "level", "school", "casting_time"),
        page_size=PAGE_SIZE,
        counts=True,
        size=2_500,  # 1,955 as of 2.1.0
    ),
    recipes=SPELL_RECIPES,
    fields=SPELL_FIELDS,
)

CREATURES = Endpoint(
    kind="creature",
    path="/creatures/",
    abilities=ListAbilities(
        _CREATURE_FILTERS,
        sort=sort_by("key", "challenge_rating", "type", "armor_class", "hit_points"),
        page_size=PAGE_SIZE,
        counts=True,
        size=4_500,  # 3,541 as of 2.1.0
    ),
    recipes=CREATURE_RECIPES,
    fields=CREATURE_FIELDS,
)

ENDPOINTS: Mapping[str, Endpoint] = {endpoint.kind: endpoint for endpoint in (SPELLS, CREATURES)}
"""By the kind of record."""
