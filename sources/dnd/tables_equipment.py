"""The SQL tables of equipment, written as those in `tables.py` are."""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from sqlalchemy import Index
from sqlmodel import SQLModel

from sources.dnd.columns import key_column as _key
from sources.dnd.columns import owner_column as _owner
from sources.dnd.columns import text_column as _text


class EquipmentRow(SQLModel, table=True):
    """One piece of equipment of any kind. `name_folded` is the folded name, for name filters and sorting."""

    __tablename__ = "dnd_equipment"
    __table_args__ = (
        Index("ix_dnd_equipment_name", "name_folded", "key"),
        Index("ix_dnd_equipment_kind_name", "kind", "name_folded", "key"),
        Index("ix_dnd_equipment_rarity_name", "rarity", "name_folded", "key"),
        Index("ix_dnd_equipment_slug", "slug"),
    )

    key: str = _key()
    slug: str = _text()
    document_key: str = _text(foreign_key="dnd_document.key")
    name: str = _text()
    name_folded: str = _text()
    kind: str = _text()
    description: str | None = _text()
    categories: str = _text()
    cost: float | None
    cost_text: str | None = _text()
    weight: float | None
    quantity: int | None
    magic: bool
    simple: bool | None
    weapon_range: str | None = _text()
    damage_dice: str | None = _text()
    damage_type: str | None = _text()
    two_handed_damage_dice: str | None = _text()
    reach: int | None
    range_normal: int | None
    range_long: int | None
    finesse: bool | None
    light: bool | None
    properties: str = _text()
    armor_category: str | None = _text()
    armor_class_base: int | None
    armor_class_dexterity: bool | None
    armor_class_max_bonus: int | None
    strength_minimum: int | None
    stealth_disadvantage: bool | None
    type_text: str | None = _text()
    base_item: str | None = _text()
    rarity: str | None = _text()
    rarity_rank: int | None
    requires_attunement: bool | None
    attunement_detail: str | None = _text()
    variant_of: str | None = _text()
    variants: str = _text()
    contents: str = _text()
    speed: float | None
    speed_unit: str | None = _text()
    capacity: int | None


class EquipmentCategoryRow(SQLModel, table=True):
    """A category that a piece of equipment belongs to."""

    __tablename__ = "dnd_equipment_category"
    __table_args__ = (Index("ix_dnd_equipment_category_category", "category_key", "equipment_key"),)

    equipment_key: str = _owner("dnd_equipment")
    category_key: str = _key()
    category_name: str = _text()


class EquipmentPropertyRow(SQLModel, table=True):
    """A property that a weapon has."""

    __tablename__ = "dnd_equipment_property"
    __table_args__ = (Index("ix_dnd_equipment_property_property", "property_key", "equipment_key"),)

    equipment_key: str = _owner("dnd_equipment")
    property_key: str = _key()
