"""A list endpoint in memory, with the habits of real ones, and the abilities that its client would declare.

Parameters that it does not know are ignored without a word; a list of tags gives a row once for each tag that it
has; its search folds the case of ASCII letters and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sources.ability import Ability, Doubts, Fidelity, ListAbilities, SortAbility, Takes, UpstreamPage
from sources.criteria import Op, Predicate, matches
from sources.page import OrderKey, sorted_records
from sources.text_index import fold


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of the fake. `weight` is what no filter of it knows."""

    key: str
    name: str | None = None
    note: str | None = None
    level: int | None = None
    school: str | None = None
    tags: tuple[str, ...] = ()
    flag: bool = False
    rating: float | None = None
    weight: int | None = None


def ascii_lower(text: str) -> str:
    """What SQLite's LIKE does to both sides."""
    return "".join(character.lower() if character.isascii() else character for character in text)


def _whole(value: float, rounding: Callable[[float], int]) -> str:
    return str(rounding(value))


ABILITIES: dict[str, Ability] = {
    "key": Ability("key", Op.IN, "key__in", takes=Takes.LIST, rows=1, argument="key", most_values=3),
    "name": Ability("name", Op.CONTAINS, "name__icontains", Fidelity.SUBSET, argument="name"),
    "note": Ability(
        "note",
        Op.CONTAINS,
        "note__first",
        Fidelity.SUPERSET,
        write=lambda value: fold(value)[:1].strip() or None,
    ),
    "level": Ability("level", Op.EQUALS, "level", argument="level"),
    "level_range": Ability("level", Op.IN, "level__range", takes=Takes.RANGE),
    "level_min": Ability("level", Op.AT_LEAST, "level__gte", argument="levelMin"),
    "level_max": Ability("level", Op.AT_MOST, "level__lte", argument="levelMax"),
    "school": Ability("school", Op.EQUALS, "school__key", argument="school"),
    "school_list": Ability(
        "school",
        Op.IN,
        ("school__in", "school__not"),
        takes=Takes.LIST,
        write=lambda values: {"school__in": ",".join(values)},
        negated=lambda values: {"school__not": ",".join(values)},
    ),
    "tag": Ability("tags", Op.HAS_ANY, "tag", argument="tag"),
    "tag_list": Ability("tags", Op.HAS_ANY, "tag__in", takes=Takes.LIST, repeats=True),
    "flag": Ability(
        "flag", Op.EQUALS, "flag", negated=lambda value: "false" if value else "true", argument="flag"
    ),
    "rating_min": Ability(
        "rating",
        Op.AT_LEAST,
        "rating__gte",
        Fidelity.SUPERSET,
        write=lambda value: _whole(value, math.floor),
    ),
    "rating_max": Ability(
        "rating", Op.AT_MOST, "rating__lte", Fidelity.SUPERSET, write=lambda value: _whole(value, math.ceil)
    ),
}

SORT = SortAbility("ordering", "key", {"level": "level", "key": "key"}, {"level": "-level", "key": "-key"})

_FILTERS: dict[str, Callable[[Entry, str], int]] = {
    "key__in": lambda row, text: row.key in text.split(","),
    "name__icontains": lambda row, text: row.name is not None and ascii_lower(text) in ascii_lower(row.name),
    "note__first": lambda row, text: row.note is not None and text in fold(row.note),
    "level": lambda row, text: row.level == int(text),
    "level__range": lambda row, text: (
        row.level is not None and int(text.split(",")[0]) <= row.level <= int(text.split(",")[1])
    ),
    "level__gte": lambda row, text: row.level is not None and row.level >= int(text),
    "level__lte": lambda row, text: row.level is not None and row.level <= int(text),
    "school__key": lambda row, text: row.school == text,
    "school__in": lambda row, text: row.school in text.split(","),
    "school__not": lambda row, text: row.school not in text.split(","),
    "tag": lambda row, text: text in row.tags,
    "tag__in": lambda row, text: len(set(row.tags) & set(text.split(","))),
    "flag": lambda row, text: row.flag is (text == "true"),
    "rating__gte": lambda row, text: row.rating is not None and row.rating >= float(text),
    "rating__lte": lambda row, text: row.rating is not None and row.rating <= float(text),
}
"""How often a row stands in the filtered list: once or not at all, or once for each tag."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request that the fake was sent."""

    parameters: Mapping[str, str]
    offset: int
    limit: int


@dataclass
class FakeList:
    """The endpoint and its client.

    `ignored` parameters are known but have no effect. `index`: whether keys and names are held in an index.
    `miscount` is added to every count; `largest` caps a page whatever was asked for. Of `unreadable` keys no record
    can be made. `departing` leaves the list once the first page was given.
    """

    records: Sequence[Entry]
    abilities: ListAbilities
    index: bool = True
    ignored: Collection[str] = ()
    miscount: int = 0
    largest: int | None = None
    unreadable: Collection[str] = ()
    departing: str | None = None
    requests: list[Request] = field(default_factory=list)
    doubts: Doubts = field(default_factory=Doubts)
    kind: str = "entry"
    key: str = "key"
    name: str = "Fakelore"

    async def fetch(
        self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
    ) -> UpstreamPage:
        assert limit >= 1
        assert offset % limit == 0, "a page number could not say this"
        assert "key" in columns
        self.requests.append(Request(dict(parameters), offset, limit))
        rows = self._filtered(parameters)
        limit = min(limit, self.largest or limit)
        self.records = [row for row in self.records if row.key != self.departing]
        page = rows[offset : offset + limit]
        return UpstreamPage(
            records=[row for row in page if row.key not in self.unreadable],
            has_more=offset + limit < len(rows),
            total=len(rows) + self.miscount,
            rows=len(page),
        )

    async def complete_subset(self, predicate: Predicate) -> Collection[Any] | None:
        return [row.key for row in self.records if matches(predicate, row)] if self.index else None

    def read(self, record: Any, attribute: str) -> Any:
        return getattr(record, attribute)

    def _filtered(self, parameters: Mapping[str, str]) -> list[Entry]:
        words = parameters.get(SORT.parameter, "").split(",")
        if SORT.parameter in self.ignored:
            words = [""]
        order = [OrderKey(word.removeprefix("-"), word.startswith("-")) for word in words if word]
        rows = sorted_records(self.records, order, "key") if order else list(self.records)
        return [row for row in rows for _ in range(self._times(row, parameters))]

    def _times(self, row: Entry, parameters: Mapping[str, str]) -> int:
        times = 1
        for name, text in parameters.items():
            if name in _FILTERS and name not in self.ignored:
                times *= int(_FILTERS[name](row, text))
        return times


def declared(names: Iterable[str] = ABILITIES, **others: Any) -> ListAbilities:
    """The abilities of these names; `others` are the remaining fields of `ListAbilities`."""
    settings = ListAbilities(tuple(ABILITIES[name] for name in names), sort=SORT, counts=True)
    return replace(settings, **others)
