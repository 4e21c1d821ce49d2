"""The list endpoints of Open5e v2 that are asked, and all that each of them can do.

The upstream ignores a parameter that an endpoint does not know, and answers the whole list: so the lists below
are closed. Each entry was measured on Open5e 2.1.0 with all its data, by the count it gives beside the count of
the same condition applied here; the number of the measured row stands with it. What is absent was measured to
be ignored (`ritual`, `level__in`, `school__key__in`, `type__in`, `hit_points__gte`, `languages`, …) or says
something else than we mean (`range__gte`: miles and feet in one column).
"""

from __future__ import annotations

from collections.abc import Mapping

from sources.ability import Ability, ListAbilities, Takes
from sources.criteria import Op
from sources.dnd.open5e_creatures import CREATURE_FIELDS, CREATURE_RECIPES
from sources.dnd.open5e_endpoint import BY_DOCUMENT, BY_KEY, BY_NAME, PAGE_SIZE, Endpoint, sort_by
from sources.dnd.open5e_endpoints_options import BACKGROUNDS, CLASSES, FEATS, SPECIES
from sources.dnd.open5e_spells import SPELL_FIELDS, SPELL_RECIPES
from sources.dnd.open5e_things import ITEMS, MAGIC_ITEMS, RULE_SETS, RULES, TERMS


def _opposite(value: object) -> str:
    return "false" if value else "true"


def _flag(attribute: str) -> Ability:
    return Ability(attribute, Op.EQUALS, attribute, negated=_opposite, argument=attribute)


def _school_names(schools: tuple[str, ...]) -> str:
    """The names of schools, which are their keys with a capital letter; the list takes names only."""
    return ",".join(school.capitalize() for school in schools)


_SHARED = (BY_KEY, *BY_NAME, *BY_DOCUMENT)

_SPELL_FILTERS = (
    *_SHARED,
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
    *_SHARED,
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

KINDS: Mapping[str, tuple[Endpoint, ...]] = {
    "spell": (SPELLS,),
    "creature": (CREATURES,),
    "equipment": (ITEMS, MAGIC_ITEMS),
    "rule": (RULE_SETS, RULES, *TERMS),
    "character_option": (CLASSES, SPECIES, BACKGROUNDS, FEATS),
}
"""The endpoints that hold the records of each kind; none has a record of another."""

ENDPOINTS: Mapping[str, Endpoint] = {
    endpoint.name: endpoint for endpoints in KINDS.values() for endpoint in endpoints
}
"""By their own names, which is that of the kind where a kind has one endpoint."""

OPEN5E_KINDS: Mapping[str, tuple[str, ...]] = {
    **{
        kind: tuple(word for endpoint in endpoints for word in endpoint.possible.get("kind", (kind,)))
        for kind, endpoints in KINDS.items()
    },
    "document": ("document",),
}
"""The kinds of records that Open5e has, by the kind of the list that holds them here. It has no proficiencies."""
