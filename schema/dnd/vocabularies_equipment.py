"""Closed vocabularies of equipment and rules, as filter enums. The value behind each name is the sources' word."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="A kind of equipment.")
class EquipmentKind(Enum):
    WEAPON = enum_value("weapon", description="Nonmagical weapons.")
    ARMOR = enum_value("armor", description="Nonmagical armor and shields.")
    MAGIC_ITEM = enum_value("magic-item", description="Magic weapons and armor included.")
    GEAR = enum_value("gear", description="Tools, packs, clothes, mounts, vehicles.")
    ALL = enum_value("all", description="All kinds.")


@strawberry.enum(description="The rarity of a magic item.")
class Rarity(Enum):
    COMMON = enum_value("common", description="Common rarity.")
    UNCOMMON = enum_value("uncommon", description="Uncommon rarity.")
    RARE = enum_value("rare", description="Rare rarity.")
    VERY_RARE = enum_value("very-rare", description="Very rare rarity.")
    LEGENDARY = enum_value("legendary", description="Legendary rarity.")
    ARTIFACT = enum_value("artifact", description="Artifact rarity.")
    VARIES = enum_value("varies", description="Each variant, an item here, has its own.")


@strawberry.enum(description="How a weapon is used.")
class WeaponStyle(Enum):
    MELEE = enum_value("melee", description="Melee weapons; some can be thrown as well.")
    RANGED = enum_value("ranged", description="Ranged weapons.")


@strawberry.enum(description="A category of armor.")
class ArmorCategory(Enum):
    LIGHT = enum_value("light", description="Light armor.")
    MEDIUM = enum_value("medium", description="Medium armor.")
    HEAVY = enum_value("heavy", description="Heavy armor.")
    SHIELD = enum_value("shield", description="Shield armor.")


@strawberry.enum(description="A kind of rule, condition or term.")
class RuleKind(Enum):
    RULE = enum_value("rule", description="Rules and their sections.")
    RULE_SECTION = enum_value("rule-section", description="Rule sections.")
    CONDITION = enum_value("condition", description="Conditions.")
    DAMAGE_TYPE = enum_value("damage-type", description="Damage types.")
    WEAPON_PROPERTY = enum_value("weapon-property", description="Weapon properties.")
    SKILL = enum_value("skill", description="The skills.")
    ABILITY_SCORE = enum_value("ability-score", description="Ability scores.")
    MAGIC_SCHOOL = enum_value("magic-school", description="Magic schools.")
    LANGUAGE = enum_value("language", description="Languages.")
    PROFICIENCY = enum_value("proficiency", description="Proficiencies.")
    ALIGNMENT = enum_value("alignment", description="Alignments.")
