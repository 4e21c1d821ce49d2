"""What lists of D&D records can be sorted by."""

from enum import Enum

import strawberry
from strawberry import enum_value

from schema.dnd import wording
from schema.ordering import Direction


@strawberry.enum(description="What a list of spells can be sorted by.")
class SpellOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    LEVEL = enum_value("level", description="By level, cantrips being 0.")
    SCHOOL = enum_value("school", description="By school of magic, alphabetically.")
    CASTING_TIME = enum_value("casting_time", description="By casting time key, alphabetically.")
    RANGE = enum_value("range", description="By range in feet.")


@strawberry.input(description="One key to sort spells by.")
class SpellOrder:
    field: SpellOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)


@strawberry.enum(description="What a list of creatures can be sorted by.")
class CreatureOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    CHALLENGE_RATING = enum_value("challenge_rating", description="By challenge rating.")
    TYPE = enum_value("type", description="By type, alphabetically.")
    ARMOR_CLASS = enum_value("armor_class", description="By armor class.")
    HIT_POINTS = enum_value("hit_points", description="By average hit points.")
    EXPERIENCE_POINTS = enum_value("experience_points", description="By experience points.")
    SPEED_FLY = enum_value("speed_fly", description="By flying speed.")
    DARKVISION = enum_value("darkvision", description="By reach of darkvision.")


@strawberry.input(description="One key to sort creatures by.")
class CreatureOrder:
    field: CreatureOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)
