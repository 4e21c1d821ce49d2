"""What lists of equipment, rules and documents can be sorted by."""

from enum import Enum

import strawberry
from strawberry import enum_value

from schema.dnd import wording
from schema.ordering import Direction


@strawberry.enum(description="What a list of equipment can be sorted by.")
class EquipmentOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    KIND = enum_value("kind", description="By kind.")
    COST = enum_value("cost", description="By cost.")
    WEIGHT = enum_value("weight", description="By weight.")
    RARITY = enum_value("rarity_rank", description="By rarity rank.")
    ARMOR_CLASS = enum_value("armor_class_base", description="By armor class base.")


@strawberry.input(description="One key to sort equipment by.")
class EquipmentOrder:
    field: EquipmentOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)


@strawberry.enum(description="What a list of rules can be sorted by.")
class RuleOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    KIND = enum_value("kind", description="By kind.")


@strawberry.input(description="One key to sort rules by.")
class RuleOrder:
    field: RuleOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)


@strawberry.enum(description="What a list of documents can be sorted by.")
class RulebookOrderField(Enum):
    NAME = enum_value("name", description="By title, ignoring case and accents.")
    PUBLISHER = enum_value("publisher", description="By publisher.")
    EDITION = enum_value("edition", description="By edition.")


@strawberry.input(description="One key to sort documents by.")
class RulebookOrder:
    field: RulebookOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)
