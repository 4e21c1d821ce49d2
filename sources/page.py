"""Order, slices and records: how a piece of a long answer is asked for and handed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from operator import itemgetter
from typing import Any, ClassVar

from sources.criteria import Read
from sources.text_index import fold


@dataclass(frozen=True, slots=True)
class OrderKey:
    """One attribute to sort by. Absent values come last in either direction; texts are compared folded."""

    attribute: str
    descending: bool = False


Position = tuple[Any, ...]
"""Where a record stands in an order: its folded sort values, one an order key, its unique key last."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The piece that is wanted of an ordered list.

    At most `limit` records strictly after `after` and strictly before `before`; from the far end when
    `backward`. Records are handed over in the list's own order either way. `offset` of them are passed over first:
    for numbered pages, which cost more the farther they lie.
    """

    limit: int
    after: Position | None = None
    before: Position | None = None
    backward: bool = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """A slice's answer.

    `positions[i]` belongs to `records[i]`, from which a cursor can be minted for any item. `has_more`: records
    exist beyond this page in the direction it was read in, within the bounds asked for.
    """

    records: list[Any]
    positions: list[Position]
    has_more: bool


class Record(tuple[Any, ...]):
    """A row that holds exactly the attributes that were asked for; any other attribute is an error.

    Made by `record_class`. `kind` names what it is (`spell`), which the schema maps to a GraphQL type.
    """

    __slots__ = ()
    kind: ClassVar[str] = ""
    attributes: ClassVar[tuple[str, ...]] = ()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a {self.kind} record was read without its column {name!r}")


@lru_cache(maxsize=4096)
def record_class(kind: str, attributes: tuple[str, ...]) -> type[Record]:
    """The class of rows of `kind` with these attributes in this order.

    A tuple subclass costs a third of a dataclass to make, and needs no per-row work: `map(cls, rows)`.
    """
    namespace: dict[str, Any] = {"__slots__": (), "kind": kind, "attributes": attributes}
    for index, attribute in enumerate(attributes):
        namespace[attribute] = property(itemgetter(index))
    return type(f"{kind}_record", (Record,), namespace)


def sort_value(value: Any) -> Any:
    """`value` as orders compare it: texts folded, everything else as it is."""
    return fold(value) if isinstance(value, str) else value


def position_of(record: object, order: Sequence[OrderKey], key: str, read: Read = getattr) -> Position:
    """Where `record` stands in `order`; `key` is its unique attribute, compared as it is."""
    return (*(sort_value(read(record, part.attribute)) for part in order), read(record, key))


def sorted_records(
    records: Iterable[Any], order: Sequence[OrderKey], key: str, read: Read = getattr
) -> list[Any]:
    """`records` in `order`, as every store must deliver them."""
    compare = position_order(order)
    by_position = cmp_to_key(compare)
    return sorted(records, key=lambda record: by_position(position_of(record, order, key, read)))


def position_order(order: Sequence[OrderKey]) -> Callable[[Position, Position], int]:
    """A comparison of positions: negative when the first comes before the second."""

    def compare(a: Position, b: Position) -> int:
        for part, left, right in zip(order, a, b, strict=False):
            if left == right:
                continue
            if left is None:
                return 1
            if right is None:
                return -1
            less = left < right
            return 1 if less == part.descending else -1
        return int(a[-1] > b[-1]) - int(a[-1] < b[-1])

    return compare
