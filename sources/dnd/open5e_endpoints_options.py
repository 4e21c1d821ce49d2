"""The list endpoints of Open5e v2 that character options lie in, and all that each of them can do.

As in `open5e_endpoints.py`, the lists are closed and measured: `is_subclass=true`, `subclass_of=<key>` (one key;
an unknown one is refused), `subspecies_of__isnull=true`, and the names and documents that all endpoints know.
`classes` alone has no `name__icontains`. Its `name__contains` folds case only where the upstream's database is
SQLite, and would lose records elsewhere without a word: all 151 names are one small answer, so names are compared
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sources.ability import Ability, ListAbilities, Takes, as_text
from sources.criteria import Op, Predicate
from sources.dnd.open5e_backgrounds import BACKGROUND_FIELDS, BACKGROUND_RECIPES, FEAT_FIELDS, FEAT_RECIPES
from sources.dnd.open5e_classes import CLASS_FIELDS, CLASS_RECIPES
from sources.dnd.open5e_endpoint import BY_DOCUMENT, BY_KEY, BY_NAME, PAGE_SIZE, Endpoint, sort_by
from sources.dnd.open5e_options import (
    BACKGROUND_LIST_RECIPES,
    CLASS_LIST_RECIPES,
    FEAT_LIST_RECIPES,
    SPECIES_LIST_RECIPES,
)
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.open5e_species import INHERITED, PARENT, SPECIES_FIELDS, SPECIES_RECIPES

OPTION_KINDS: Mapping[str, tuple[str, ...]] = {
    "class": ("class", "subclass"),
    "species": ("species",),
    "background": ("background",),
    "feat": ("feat",),
}
"""The kinds of records in the list of each kind of endpoint: subclasses stand among the classes."""

_SHARED = (BY_KEY, *BY_NAME, *BY_DOCUMENT)


def _opposite(value: object) -> str:
    return "false" if value else "true"


_IS_SUBCLASS = {"class": "false", "subclass": "true"}
_IS_CLASS = {"class": "true", "subclass": "false"}

_CLASS_FILTERS = (
    *(ability for ability in _SHARED if ability.parameter != "name__icontains"),
    Ability("kind", Op.EQUALS, "is_subclass", write=_IS_SUBCLASS.get, negated=_IS_CLASS.get, argument="kind"),
    Ability("is_subclass", Op.EQUALS, "is_subclass", negated=_opposite, argument="isSubclass"),
    # A call for each class: `subclass_of__in` is ignored.
    Ability("subclass_of", Op.EQUALS, "subclass_of", argument="subclassOf"),
)

_SPECIES_FILTERS = (
    *_SHARED,
    Ability(
        "is_subspecies",
        Op.EQUALS,
        "subspecies_of__isnull",
        write=_opposite,
        negated=as_text,
        argument="isSubspecies",
    ),
    Ability("subspecies_of", Op.IN, "subspecies_of__key__in", takes=Takes.LIST, argument="subspeciesOf"),
)


def _endpoint(
    kind: str,
    path: str,
    filters: tuple[Ability, ...],
    *,
    size: int,
    own: Recipes,
    recipes: Recipes,
    fields: int,
    **others: Any,
) -> Endpoint:
    lacking = {name: (None,) for name in recipes if name not in own and name not in ("text", "provider")}
    return Endpoint(
        kind="character_option",
        part=kind,
        path=path,
        abilities=ListAbilities(filters, sort=sort_by("key"), page_size=PAGE_SIZE, counts=True, size=size),
        recipes=recipes,
        fields=fields,
        possible={**lacking, "kind": OPTION_KINDS[kind]},
        **others,
    )


def _costly(recipes: Recipes, field: str) -> frozenset[str]:
    return frozenset(name for name, recipe in recipes.items() if field in recipe.fields)


_A_CLASS = Predicate("kind", Op.IN, ("class",))

CLASSES = _endpoint(
    "class",
    "/classes/",
    _CLASS_FILTERS,
    size=300,  # 151 as of 2.1.0
    own=CLASS_RECIPES,
    recipes=CLASS_LIST_RECIPES,
    fields=CLASS_FIELDS,
    # 50 classes with their features take 0.7 s, fifteen times as long as 50 spells.
    costly=_costly(CLASS_LIST_RECIPES, "features"),
    implied=dict.fromkeys(("hit_die", "saving_throws", "caster_type", "spellcasting_ability"), _A_CLASS),
)
SPECIES = _endpoint(
    "species",
    "/species/",
    _SPECIES_FILTERS,
    size=150,  # 63 as of 2.1.0
    own=SPECIES_RECIPES,
    recipes=SPECIES_LIST_RECIPES,
    fields=SPECIES_FIELDS,
    inherited=frozenset(INHERITED),
    parent=("subspecies_of", "traits", PARENT),
)
BACKGROUNDS = _endpoint(
    "background",
    "/backgrounds/",
    _SHARED,
    size=150,  # 58 as of 2.1.0
    own=BACKGROUND_RECIPES,
    recipes=BACKGROUND_LIST_RECIPES,
    fields=BACKGROUND_FIELDS,
)
FEATS = _endpoint(
    "feat",
    "/feats/",
    _SHARED,
    size=200,  # 91 as of 2.1.0
    own=FEAT_RECIPES,
    recipes=FEAT_LIST_RECIPES,
    fields=FEAT_FIELDS,
)

OPTION_ENDPOINTS: Mapping[str, Endpoint] = {
    endpoint.name: endpoint for endpoint in (CLASSES, SPECIES, BACKGROUNDS, FEATS)
}
"""By their names."""
