"""The list endpoints of items, rules and terms of Open5e v2, and all that each of them can do.

Closed lists, measured as those in `open5e_endpoints.py` were. Items ignore `key`, `name` and `document__key` alone;
rules ignore `ruleset`; `rarity` and `requires_attunement` work on magic items only. A parameter for a property
of weapons asks for `true` whatever it is given. Prices and weights of 0 stand for none here, so that an upper bound
finds rows too many.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sources.ability import Ability, Fidelity, ListAbilities, Takes, as_text
from sources.criteria import Op
from sources.dnd.open5e_endpoint import (
    BY_DOCUMENT,
    BY_KEY,
    BY_NAME,
    PAGE_SIZE,
    Endpoint,
    sort_by,
)
from sources.dnd.open5e_items import (
    DERIVED_CATEGORIES,
    ITEM_FIELDS,
    ITEM_RECIPES,
    MAGIC_ITEM_FIELDS,
    MAGIC_ITEM_RECIPES,
)
from sources.dnd.open5e_rules import RULE_FIELDS, RULE_RECIPES, RULE_SET_FIELDS, RULE_SET_RECIPES
from sources.dnd.open5e_terms import TERM_PATHS, TERM_RECIPES, spread
from sources.dnd.vocabulary_equipment import RARITY_RANKS

Write = Callable[[Any], str | dict[str, str] | None]


def _above_zero(bound: float) -> str | None:
    """0 is none here, so a lower bound of 0 asks for less than the upstream gives."""
    return as_text(bound) if bound > 0 else None


def _opposite(value: object) -> str:
    return "false" if value else "true"


def _true_only(value: object) -> str | None:
    return "true" if value is True else None


def _is_weapon(kind: str) -> str | None:
    return "true" if kind == "weapon" else None


def _no_weapon(kind: str) -> str | None:
    return "false" if kind == "weapon" else None


def _parts_of_kinds(kinds: tuple[str, ...]) -> dict[str, str] | None:
    """Shields are armor here and have no part that says so, so `is_armor` can only be denied."""
    if "weapon" in kinds:
        return None
    return {"is_weapon": "false", **({} if "armor" in kinds else {"is_armor": "false"})}


def _any_weapon(value: object) -> str:
    return "true"


def _own_categories(derived: frozenset[str], keys: tuple[str, ...]) -> str | None:
    """The upstream refuses a category that it does not have, and has not all of those made here."""
    return None if derived.intersection(keys) else as_text(keys)


_FLAGS = ("light", "versatile", "thrown", "finesse", "two-handed")


def _property_flag(keys: tuple[str, ...]) -> dict[str, str] | None:
    """One property, of whichever document."""
    slugs = {key.partition("_")[2] for key in keys}
    if len(slugs) != 1 or not slugs.issubset(_FLAGS):
        return None
    return {f"is_{slugs.pop().replace('-', '_')}": "true"}


def _bounds(attribute: str, argument: str) -> tuple[Ability, Ability]:
    return (
        Ability(attribute, Op.AT_LEAST, f"{attribute}__gte", write=_above_zero, argument=f"{argument}Min"),
        Ability(attribute, Op.AT_MOST, f"{attribute}__lte", Fidelity.SUPERSET, argument=f"{argument}Max"),
    )


_OF_WEAPONS = (
    ("simple", Op.EQUALS),
    ("weapon_range", Op.IN),
    ("damage_dice", Op.IN),
    ("damage_type", Op.IN),
    ("finesse", Op.EQUALS),
    ("light", Op.EQUALS),
    ("properties", Op.HAS_ANY),
)

_ITEM_FILTERS = (
    BY_KEY,
    *BY_NAME,
    *BY_DOCUMENT,
    # `is_weapon=true`: 77; weapons are told by their part, whatever their category.
    Ability("kind", Op.EQUALS, "is_weapon", write=_is_weapon, negated=_no_weapon, argument="kind"),
    Ability("kind", Op.IN, ("is_weapon", "is_armor"), Fidelity.SUPERSET, Takes.LIST, _parts_of_kinds),
    # `category__in=tools,mount`: 82. Weapons and armor have narrower ones, which are made here.
    Ability(
        "categories",
        Op.HAS_ANY,
        "category__in",
        takes=Takes.LIST,
        write=partial(_own_categories, frozenset(DERIVED_CATEGORIES)),
        argument="category",
    ),
    # `cost__gte=100`: 36; both are decimals.
    *_bounds("cost", "cost"),
    *_bounds("weight", "weight"),
    # `is_finesse=true`: 11; `is_light=true`: 16.
    Ability("finesse", Op.EQUALS, "is_finesse", write=_true_only, argument="isFinesse"),
    Ability("light", Op.EQUALS, "is_light", write=_true_only, argument="isLight"),
    Ability(
        "properties",
        Op.HAS_ANY,
        tuple(f"is_{flag.replace('-', '_')}" for flag in _FLAGS),
        Fidelity.SUPERSET,
        Takes.LIST,
        _property_flag,
        argument="weaponProperty",
    ),
    # Whatever only weapons have asks for weapons.
    *(
        Ability(
            attribute,
            op,
            "is_weapon",
            Fidelity.SUPERSET,
            Takes.ONE if op is Op.EQUALS else Takes.LIST,
            _any_weapon,
        )
        for attribute, op in _OF_WEAPONS
    ),
)

_MAGIC_ITEM_FILTERS = (
    BY_KEY,
    *BY_NAME,
    *BY_DOCUMENT,
    Ability(
        "categories",
        Op.HAS_ANY,
        "category__in",
        takes=Takes.LIST,
        write=partial(_own_categories, frozenset(DERIVED_CATEGORIES) - {"armor", "shield"}),
        argument="category",
    ),
    *_bounds("cost", "cost"),
    *_bounds("weight", "weight"),
    # `rarity__in=rare,legendary`: 1080; `requires_attunement=true`: 964. `false` works as well.
    Ability("rarity", Op.IN, "rarity__in", takes=Takes.LIST, argument="rarity"),
    Ability(
        "requires_attunement",
        Op.EQUALS,
        "requires_attunement",
        negated=_opposite,
        argument="requiresAttunement",
    ),
)

_NOT_MAGIC: dict[str, tuple[Any, ...]] = dict.fromkeys(
    ("rarity", "rarity_rank", "requires_attunement"), (None,)
)
_MAGIC_ONLY: dict[str, tuple[Any, ...]] = dict.fromkeys(
    (
        *("simple", "weapon_range", "damage_dice", "damage_type", "finesse", "light"),
        *("armor_category", "armor_class_base", "stealth_disadvantage"),
    ),
    (None,),
)

ITEMS = Endpoint(
    kind="equipment",
    part="item",
    path="/items/",
    abilities=ListAbilities(
        _ITEM_FILTERS,
        sort=sort_by("key"),
        page_size=PAGE_SIZE,
        counts=True,
        size=700,  # 440 as of 2.1.0
    ),
    recipes=ITEM_RECIPES,
    fields=ITEM_FIELDS,
    possible={"kind": ("weapon", "armor", "gear"), "magic": (False,), **_NOT_MAGIC},
)

MAGIC_ITEMS = Endpoint(
    kind="equipment",
    part="magic-item",
    path="/magicitems/",
    abilities=ListAbilities(
        _MAGIC_ITEM_FILTERS,
        sort=sort_by("key"),
        page_size=PAGE_SIZE,
        counts=True,
        size=3_000,  # 2,319 as of 2.1.0
    ),
    recipes=MAGIC_ITEM_RECIPES,
    fields=MAGIC_ITEM_FIELDS,
    possible={
        "kind": ("magic-item",),
        "magic": (True,),
        "rarity": (None, *RARITY_RANKS),
        "properties": ((),),
        **_MAGIC_ONLY,
    },
)

RULES = Endpoint(
    kind="rule",
    part="rule-section",
    path="/rules/",
    abilities=ListAbilities(
        (BY_KEY, *BY_NAME, *BY_DOCUMENT),
        # Without it rules come by `index`, which is not unique.
        sort=sort_by("key"),
        page_size=PAGE_SIZE,
        counts=True,
        size=450,  # 283 as of 2.1.0
    ),
    recipes=RULE_RECIPES,
    fields=RULE_FIELDS,
    possible={"kind": ("rule-section",)},
    names_document=True,
)

RULE_SETS = Endpoint(
    kind="rule",
    part="rule-set",
    path="/rulesets/",
    # Their names can only be asked for whole, or by a LIKE that knows case on some databases.
    abilities=ListAbilities(
        (BY_KEY, *BY_DOCUMENT),
        sort=sort_by("key"),
        page_size=PAGE_SIZE,
        counts=True,
        size=120,  # 52 as of 2.1.0
    ),
    recipes=RULE_SET_RECIPES,
    fields=RULE_SET_FIELDS,
    possible={"kind": ("rule",), "parent_key": (None,)},
)

TERMS: tuple[Endpoint, ...] = tuple(
    Endpoint(
        kind="rule",
        part=kind,
        path=path,
        # Filters know nothing of the documents that describe a term; all of it is one small page.
        abilities=ListAbilities(page_size=PAGE_SIZE, size=150),
        recipes=TERM_RECIPES[kind],
        fields=0,
        possible={"kind": (kind,), "parent_key": (None,)},
        spread=partial(spread, kind),
        names_document=True,
    )
    for kind, path in TERM_PATHS.items()
)
"""The short lists: all of a list is one page, one row of which can be several records here."""
