"""From the tables of the D&D shelf to what the question compiler reads: columns, facets and the document's join."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.dnd.rows import Decoder
from sources.dnd.tables import DocumentRow
from sources.table_map import ColumnSpec, FacetSpec, JoinSpec

_BOOLEAN_DECODERS = frozenset({bool})


def table_of(row: type[SQLModel]) -> sa.Table:
    """The table that a model describes."""
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table


DOCUMENT = table_of(DocumentRow)


def own_columns(table: sa.Table, decoders: Mapping[str, Decoder]) -> dict[str, ColumnSpec]:
    """Every column of a record's table; where there is a folded name, it serves the name."""
    specs: dict[str, ColumnSpec] = {}
    for column in table.columns:
        if column.name == "name_folded":
            continue
        folded = column
        if column.name == "name" and "name_folded" in table.c:
            folded = table.c.name_folded
        decode = decoders.get(column.name)
        specs[column.name] = ColumnSpec(
            expression=column,
            nullable=bool(column.nullable),
            folded=folded if isinstance(column.type, sa.String) else None,
            # SQLAlchemy's own type already reads truth values.
            decode=None if decode in _BOOLEAN_DECODERS else decode,
        )
    return specs


def columns_of(table: sa.Table, decoders: Mapping[str, Decoder]) -> dict[str, ColumnSpec]:
    """Every column of a record's table, and those of its document that a record's `source` needs."""
    specs = own_columns(table, decoders)
    for name in ("name", "url", "licence", "attribution"):
        specs[f"document_{name}"] = ColumnSpec(DOCUMENT.c[name], folded=DOCUMENT.c[name], join="document")
    return specs


def facet_of(row: type[SQLModel], owner: str, value: str, **fixed: str) -> FacetSpec:
    """The facet that lies in a model's table; `fixed` narrows a table that holds several facets."""
    table = table_of(row)
    where = tuple(table.c[name] == sa.literal_column(f"'{word}'") for name, word in fixed.items())
    return FacetSpec(table, table.c[owner], table.c[value], where)


def joins_of(table: sa.Table) -> dict[str, JoinSpec]:
    """The join from a record's table to its document."""
    return {"document": JoinSpec(DOCUMENT, DOCUMENT.c.key == table.c.document_key)}
