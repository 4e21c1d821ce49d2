"""Where a kind of record lies in the database, said once for every question that is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

Expression = sa.ColumnElement[Any]
Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSpec:
    """A single-valued attribute.

    - `expression`: what is read and compared; its SQLAlchemy type says how values are stored
    - `nullable`: may be absent
    - `folded`: the stored folded text; texts need it to be searched or sorted by. A text that is always
      folded already (a key, a vocabulary word) names itself
    - `decode`: makes the attribute from the stored value (after the type's own decoding); never given None
    - `join`: the `TableMap.joins` entry that the expressions lie in
    """

    expression: Expression
    nullable: bool = False
    folded: Expression | None = None
    decode: Convert | None = None
    join: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FacetSpec:
    """A multi-valued attribute: rows of `table` whose `owner` is the record's key, each with one `value`.

    `where` are fixed conditions, for a table that holds several facets. `record` is what `owner` refers to, where
    that is not the key.
    """

    table: sa.FromClause
    owner: Expression
    value: Expression
    where: tuple[Expression, ...] = ()
    record: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MaskSpec:
    """A multi-valued attribute of a small closed vocabulary: one bit of a whole number for each of `words`."""

    expression: Expression
    words: tuple[str, ...]

    def mask(self, words: Iterable[str]) -> int:
        """The number that holds these words; words of another vocabulary are in no number."""
        return sum(1 << self.words.index(word) for word in set(words) if word in self.words)

    def held(self, mask: int) -> tuple[str, ...]:
        """The words that a number holds, in the order of the vocabulary."""
        return tuple(word for bit, word in enumerate(self.words) if mask >> bit & 1)


@dataclass(frozen=True, slots=True, eq=False)
class TextSpec:
    """A text index by number, for `Op.SEARCH`: its table, and the number of the record that it goes by."""

    table: str
    record: Expression


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSpec:
    """A place on the Earth, for `Op.NEAR` and `Op.WITHIN`: degrees, and the unit vector (`sources.sphere`)."""

    latitude: Expression
    longitude: Expression
    vector: tuple[Expression, Expression, Expression]


@dataclass(frozen=True, slots=True, eq=False)
class JoinSpec:
    """A table that is joined only when a question needs it; at most one of its rows belongs to a record."""

    table: sa.FromClause
    on: Expression


@dataclass(frozen=True, slots=True, eq=False)
class TableMap:
    """Where one kind of record lies.

    `key` names the attribute in `columns` that is unique and never absent. `texts` maps an attribute for
    `Op.MATCHES` to the name of its text index. An order that ends in the key itself says which way the key runs;
    any other has it appended, ascending.
    """

    kind: str
    table: sa.FromClause
    key: str
    columns: Mapping[str, ColumnSpec]
    facets: Mapping[str, FacetSpec] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    joins: Mapping[str, JoinSpec] = field(default_factory=dict)
    masks: Mapping[str, MaskSpec] = field(default_factory=dict)
    searches: Mapping[str, TextSpec] = field(default_factory=dict)
    places: Mapping[str, PlaceSpec] = field(default_factory=dict)

    def column(self, attribute: str) -> ColumnSpec:
        """The attribute's column. Raises LookupError, a fault of ours, for one that is not stored."""
        try:
            return self.columns[attribute]
        except KeyError:
            raise LookupError(f"{self.kind} has no column for {attribute!r}") from None
