"""Where the attributes of an event lie, for the questions that are asked of it."""

from __future__ import annotations

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.events.tables import (
    EVENT_TEXT,
    EventEntityNameRow,
    EventEntityRow,
    EventRow,
    EventSourceRow,
    EventTagRow,
    EventTallyRow,
)
from sources.events.vocabulary import ENTITY_TYPES, SOURCE_TYPES
from sources.table_map import ColumnSpec, FacetSpec, MaskSpec, PlaceSpec, TableMap, TextSpec


def table_of(row: type[SQLModel]) -> sa.Table:
    """The table that a model describes."""
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table


EVENT = table_of(EventRow)
SOURCE = table_of(EventSourceRow)
ENTITY = table_of(EventEntityRow)
ENTITY_NAME = table_of(EventEntityNameRow)
TAG = table_of(EventTagRow)
TALLY = table_of(EventTallyRow)

MOMENTS = frozenset({"timestamp", "created_at", "updated_at"})

SOURCE_MASK = MaskSpec(EVENT.c.source_types, SOURCE_TYPES)
ENTITY_MASK = MaskSpec(EVENT.c.entity_types, ENTITY_TYPES)

_MASKS = ("source_types", "entity_types")

EVENTS = TableMap(
    kind="event",
    table=EVENT,
    key="key",
    columns={
        column.name: ColumnSpec(
            column,
            nullable=bool(column.nullable),
            folded=column if isinstance(column.type, sa.String) else None,
        )
        for column in EVENT.columns
        if column.name not in _MASKS
    },
    facets={
        "tags": FacetSpec(TAG, TAG.c.event, TAG.c.folded, record=EVENT.c.number),
        "entities": FacetSpec(ENTITY_NAME, ENTITY_NAME.c.event, ENTITY_NAME.c.name, record=EVENT.c.number),
    },
    masks={"source_types": SOURCE_MASK, "entity_types": ENTITY_MASK},
    searches={"text": TextSpec(EVENT_TEXT, EVENT.c.number)},
    places={
        "place": PlaceSpec(
            EVENT.c.latitude, EVENT.c.longitude, (EVENT.c.place_x, EVENT.c.place_y, EVENT.c.place_z)
        )
    },
)
"""Times are whole microseconds here, in questions, records and cursors; `moments.moment_of` makes times of them."""
