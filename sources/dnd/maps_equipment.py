"""Where the attributes of equipment and rules lie, and the vocabularies that occur in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from sources.dnd.mapping import columns_of, facet_of, joins_of, table_of
from sources.dnd.rows_equipment import EQUIPMENT_DECODERS, RULE_DECODERS
from sources.dnd.tables_equipment import EquipmentCategoryRow, EquipmentPropertyRow, EquipmentRow
from sources.dnd.tables_rules import RuleRow
from sources.table_map import TableMap

EQUIPMENT_TEXT = "dnd_equipment_text"
RULE_TEXT = "dnd_rule_text"

_EQUIPMENT = table_of(EquipmentRow)
_RULE = table_of(RuleRow)

EQUIPMENT = TableMap(
    kind="equipment",
    table=_EQUIPMENT,
    key="key",
    columns=columns_of(_EQUIPMENT, EQUIPMENT_DECODERS),
    facets={
        "categories": facet_of(EquipmentCategoryRow, "equipment_key", "category_key"),
        "properties": facet_of(EquipmentPropertyRow, "equipment_key", "property_key"),
    },
    texts={"text": EQUIPMENT_TEXT},
    joins=joins_of(_EQUIPMENT),
)

RULES = TableMap(
    kind="rule",
    table=_RULE,
    key="key",
    columns=columns_of(_RULE, RULE_DECODERS),
    texts={"text": RULE_TEXT},
    joins=joins_of(_RULE),
)


def _categories_query() -> sa.Select[Any]:
    return sa.select(table_of(EquipmentCategoryRow).c.category_key).distinct()


def _properties_query() -> sa.Select[Any]:
    return sa.select(table_of(EquipmentPropertyRow).c.property_key).distinct()


def _damage_dice_query() -> sa.Select[Any]:
    dice = _EQUIPMENT.c.damage_dice
    return sa.select(dice).where(dice.is_not(sa.null())).distinct()


def _sections_query() -> sa.Select[Any]:
    return sa.select(_RULE.c.key).where(
        sa.or_(*[_RULE.c.kind == sa.literal_column(f"'{kind}'") for kind in ("rule", "rule-section")])
    )


WORD_QUERIES: Mapping[str, Callable[[], sa.Select[Any]]] = {
    "categories": _categories_query,
    "properties": _properties_query,
    "damage_dice": _damage_dice_query,
    "section": _sections_query,
}
"""For each open vocabulary of equipment and rules: the query for the words that occur."""
