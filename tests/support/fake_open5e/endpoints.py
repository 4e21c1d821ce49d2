"""The endpoints and what each can filter by: one table an endpoint.

A parameter that is not in its endpoint's table is ignored, however sensible it looks (`ritual`, `level__in`,
`type__in`): that is how the API was measured. Where a filter was read in the API's source alone, its manners are
those of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.support.fake_open5e.corpus import Corpus
from tests.support.fake_open5e.filters import (
    Filter,
    any_object_of,
    any_of,
    between,
    boolean,
    choice,
    contains,
    exact,
    flag,
    iexact,
    is_null,
    is_true,
    number,
    numbers,
    object_of,
)

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = (
    "acrobatics", "animal_handling", "arcana", "athletics", "deception", "history", "insight", "intimidation",
    "investigation", "medicine", "nature", "perception", "performance", "persuasion", "religion",
    "sleight_of_hand", "stealth", "survival",
)  # fmt: skip
CASTING_TIMES = frozenset(
    {
        *("reaction", "bonus-action", "action", "turn", "round", "1minute", "5minutes", "10minutes", "1hour"),
        *("4hours", "7hours", "8hours", "9hours", "12hours", "24hours", "1week"),
    }
)
DURATIONS = frozenset(
    {
        *(
            "instantaneous",
            "special",
            "until dispelled",
            "until dispelled or triggered",
            "1 round",
            "6 rounds",
        ),
        *("1 minute", "10 minutes", "1 hour", "2 hours", "8 hours", "24 hours", "1 day", "7 days", "10 days"),
        *("30 days",),
    }
)
"""Those that the SRD's spells have; the API knows more of them."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One list and its details.

    - `model`: what a missing record is called; `filters`: by parameter
    - `order`: without `ordering`, `key` unless said otherwise
    - `indexed`: whether the unified search knows its records
    """

    path: str
    model: str
    filters: Mapping[str, Filter] = field(default_factory=dict)
    order: tuple[str, ...] = ("key",)
    indexed: bool = False


def _lookups(name: str, *suffixes: str, path: str | None = None) -> dict[str, Filter]:
    kinds = {
        "": exact,
        "__in": any_of,
        "__iexact": iexact,
        "__contains": contains,
        "__icontains": contains,
    }
    return {name + suffix: kinds[suffix](path or name.replace("__", ".")) for suffix in suffixes}


_KEY = _lookups("key", "", "__in", "__iexact")
_DOCUMENT = {
    **_lookups("document__key", "", "__in", "__iexact"),
    **_lookups("document__gamesystem__key", "", "__in", "__iexact"),
}
_NAME = _lookups("name", "", "__iexact")
_PART_OF_NAME = _lookups("name", "__icontains")
_COMMON = {**_KEY, **_DOCUMENT, **_NAME}

_SPELLS = {
    **_COMMON,
    **_lookups("name", "__contains", "__icontains"),
    **numbers("level"),
    "level__range": between("level"),
    **numbers("range"),
    "range__range": between("range"),
    **_lookups("school__key", ""),
    **_lookups("school__name", "", "__in", "__iexact"),
    **_lookups("classes__key", "", "__in", "__iexact"),
    **_lookups("classes__name", "__in"),
    "casting_time": choice("casting_time", lambda _: CASTING_TIMES),
    **_lookups("casting_time", "__in", "__iexact"),
    "duration": choice("duration", lambda corpus: DURATIONS | _held(corpus, "spells", "duration")),
    **_lookups("duration", "__in", "__iexact"),
    **{
        name: is_true(name)
        for name in ("concentration", "verbal", "somatic", "material", "material_consumed")
    },
}

_CREATURES = {
    **_COMMON,
    **_PART_OF_NAME,
    "size": object_of("sizes", "size.key"),
    "type": object_of("creaturetypes", "type.key"),
    **_lookups("category", "", "__iexact"),
    **_lookups("subcategory", "", "__iexact"),
    **numbers("challenge_rating"),
    **numbers("armor_class"),
    **numbers("passive_perception"),
    **{
        parameter: filter_
        for ability in ABILITIES
        for parameter, filter_ in {
            **numbers(f"ability_score_{ability}", f"ability_scores.{ability}"),
            f"saving_throw_{ability}__isnull": is_null(f"saving_throws.{ability}"),
        }.items()
    },
    **{f"skill_bonus_{skill}__isnull": is_null(f"skill_bonuses.{skill}") for skill in SKILLS},
}

_PROPERTY_FLAGS = {
    f"is_{name}": flag(f"is_{name}") for name in ("light", "versatile", "thrown", "finesse", "two_handed")
}
_LISTED_DOCUMENT = {
    **_lookups("document__key", "__in", "__iexact"),
    **_lookups("document__gamesystem__key", "__in", "__iexact"),
}

_ITEMS = {
    **_lookups("key", "__in", "__iexact"),
    **_lookups("name", "__iexact", "__icontains"),
    **_lookups("desc", "__icontains"),
    **numbers("cost"),
    "cost__range": between("cost"),
    **numbers("weight"),
    "weight__range": between("weight"),
    "category": object_of("itemcategories", "category.key"),
    "category__in": any_object_of("itemcategories", "category.key"),
    "document": object_of("documents", "document.key"),
    "document__in": any_object_of("documents", "document.key"),
    **_LISTED_DOCUMENT,
    "is_weapon": boolean(lambda record, wanted: (record.value("weapon") is not None) is wanted),
    "is_armor": boolean(lambda record, wanted: (record.value("armor") is not None) is wanted),
    **_PROPERTY_FLAGS,
}

_MAGIC_ITEMS = {
    **_ITEMS,
    "rarity": object_of("itemrarities", "rarity.key"),
    "rarity__in": any_object_of("itemrarities", "rarity.key"),
    "requires_attunement": is_true("requires_attunement"),
}

_WEAPONS = {
    **_lookups("key", "__in", "__iexact"),
    **_lookups("name", "__iexact"),
    **_LISTED_DOCUMENT,
    **_lookups("damage_dice", "__in", "__iexact"),
    **_PROPERTY_FLAGS,
}

_ARMOR = {
    **_COMMON,
    "grants_stealth_disadvantage": is_true("grants_stealth_disadvantage"),
    **numbers("strength_score_required"),
    **numbers("ac_base"),
    "ac_add_dexmod": is_true("ac_add_dexmod"),
    "ac_cap_dexmod": number("ac_cap_dexmod"),
}

_CLASSES = {
    **_COMMON,
    **_lookups("name", "__contains"),
    "subclass_of": object_of("classes", "subclass_of.key"),
    "is_subclass": boolean(lambda record, wanted: (record.value("subclass_of") is not None) is wanted),
}

_SPECIES = {
    **_COMMON,
    **_PART_OF_NAME,
    "subspecies_of__isnull": is_null("subspecies_of"),
    **_lookups("subspecies_of__key", "", "__in", "__iexact", path="subspecies_of"),
}

_RULESETS = {
    **_lookups("key", "", "__in"),
    **_lookups("name", "", "__contains"),
    **_lookups("document__key", "", "__in"),
    **_lookups("document__gamesystem__key", "", "__in"),
}

_LANGUAGES = {**_COMMON, "is_exotic": is_true("is_exotic"), "is_secret": is_true("is_secret")}

_WEAPON_PROPERTIES = {
    **_COMMON,
    **_PART_OF_NAME,
    **_lookups("type", ""),
    "type__isnull": is_null("type"),
}

_CONTAINED = {**_COMMON, **_lookups("name", "__contains")}

_DOCUMENTS = {
    **{
        name: exact(name)
        for name in (
            *("key", "name", "type", "author", "display_name", "publication_date", "permalink"),
            *("distance_unit", "weight_unit"),
        )
    },
    "publisher": object_of("publishers", "publisher.key"),
    "gamesystem": object_of("gamesystems", "gamesystem.key"),
    "licenses": choice("licenses.key", lambda corpus: corpus.keys("licenses")),
}


def _held(corpus: Corpus, endpoint: str, path: str) -> frozenset[str]:
    return frozenset(str(value) for record in corpus.records(endpoint) for value in record.values(path))


_TABLE: Iterable[Endpoint] = (
    Endpoint("items", "Item", _ITEMS, indexed=True),
    Endpoint("magicitems", "MagicItem", _MAGIC_ITEMS),
    Endpoint("itemsets", "ItemSet"),
    Endpoint("itemcategories", "ItemCategory"),
    Endpoint("documents", "Document", _DOCUMENTS),
    Endpoint("licenses", "License", {name: exact(name) for name in ("key", "name", "desc")}),
    Endpoint("publishers", "Publisher", {name: exact(name) for name in ("key", "name")}),
    Endpoint("weapons", "Weapon", _WEAPONS),
    Endpoint("armor", "Armor", _ARMOR),
    Endpoint("gamesystems", "GameSystem"),
    Endpoint("backgrounds", "Background", {**_COMMON, **_PART_OF_NAME}, indexed=True),
    Endpoint("feats", "Feat", {**_COMMON, **_PART_OF_NAME}, indexed=True),
    Endpoint("species", "Species", _SPECIES, indexed=True),
    Endpoint("creatures", "Creature", _CREATURES, indexed=True),
    Endpoint("creaturetypes", "CreatureType", _CONTAINED),
    Endpoint("creaturesets", "CreatureSet", _CONTAINED),
    Endpoint("damagetypes", "DamageType", _CONTAINED),
    Endpoint("languages", "Language", _LANGUAGES),
    Endpoint("alignments", "Alignment", _CONTAINED),
    Endpoint("conditions", "Condition", _CONTAINED),
    Endpoint("spells", "Spell", _SPELLS, indexed=True),
    Endpoint("spellschools", "SpellSchool", _CONTAINED),
    Endpoint("classes", "CharacterClass", _CLASSES, indexed=True),
    Endpoint("sizes", "Size", _CONTAINED),
    Endpoint("itemrarities", "ItemRarity"),
    Endpoint("environments", "Environment", _CONTAINED, indexed=True),
    Endpoint("abilities", "Ability", _CONTAINED),
    Endpoint("skills", "Skill", _CONTAINED),
    Endpoint("rules", "Rule", {**_COMMON, **_PART_OF_NAME}, order=("index",), indexed=True),
    Endpoint("rulesets", "RuleSet", _RULESETS),
    Endpoint("images", "Image"),
    Endpoint("weaponproperties", "WeaponProperty", _WEAPON_PROPERTIES),
    Endpoint("services", "Service"),
)

ENDPOINTS: Mapping[str, Endpoint] = {endpoint.path: endpoint for endpoint in _TABLE}
"""By the word in the path, in the order of the API's root."""
