"""Lists: filters, order, pages and fields, with their manners."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from tests.support.fake_open5e.corpus import Corpus, Record, Row
from tests.support.fake_open5e.endpoints import Endpoint
from tests.support.fake_open5e.filters import BadValue

DEFAULT_LIMIT = 50

_NUMERIC_TEXTS = frozenset({"cost", "weight", "material_cost"})


class InvalidPage(Exception):
    """There is no such page."""


class BadParameters(Exception):
    """`messages` by parameter."""

    def __init__(self, messages: Mapping[str, list[str]]) -> None:
        super().__init__(str(messages))
        self.messages = messages


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of one page, the length of the whole list, and the addresses of its neighbours."""

    rows: Sequence[Any]
    count: int
    next: str | None
    previous: str | None

    def envelope(self) -> Row:
        """As lists are answered."""
        return {
            "count": self.count,
            "next": self.next,
            "previous": self.previous,
            "results": list(self.rows),
        }


def filtered(
    endpoint: Endpoint,
    corpus: Corpus,
    parameters: Mapping[str, str],
    *,
    ignored: Collection[str] = (),
    losing: Collection[str] = (),
) -> list[Record]:
    """The records that pass every known parameter, some of them more than once.

    `ignored` parameters are treated as unknown; each of `losing` also takes away the last record that passed.
    Raises BadParameters with all bad values.
    """
    tests, bad = [], {}
    for name, text in parameters.items():
        prepare = endpoint.filters.get(name)
        if prepare is None or name in ignored:
            continue
        try:
            test = prepare(text, corpus)
        except BadValue as error:
            bad[name] = [error.message]
            continue
        if test is not None:
            tests.append((name, test))
    if bad:
        raise BadParameters(bad)
    records = corpus.records(endpoint.path)
    for name, test in tests:
        records = [record for record in records for _ in range(test(record))]
        if name in losing:
            records = records[:-1]
    return records


def ordered(endpoint: Endpoint, records: Sequence[Record], wish: str) -> list[Record]:
    """By the known words of `ordering`, else in the endpoint's own order.

    Nothing decides between equals upstream: here they come in the descending order of their keys, so that a
    client that relies on another order is found out.
    """
    words = [word.strip() for word in wish.split(",")]
    words = [word for word in words if _sortable(word.removeprefix("-"), records)] or list(endpoint.order)
    result = sorted(records, key=lambda record: record.key, reverse=True)
    for word in reversed(words):
        name = word.removeprefix("-")
        result.sort(key=_sort_key(name), reverse=word.startswith("-"))
    return result


def page_of(rows: Sequence[Any], parameters: Mapping[str, str], url: str) -> Page:
    """The page that `limit` and `page` ask for; `url` is the request's own. Raises InvalidPage."""
    limit = _positive(parameters.get("limit", "")) or DEFAULT_LIMIT
    last = max(1, -(-len(rows) // limit))
    wish = parameters.get("page") or "1"
    number = last if wish == "last" else _positive(wish)
    if number is None or number > last:
        raise InvalidPage
    return Page(
        rows=rows[(number - 1) * limit : number * limit],
        count=len(rows),
        next=_with_page(url, number + 1) if number < last else None,
        previous=None if number == 1 else _with_page(url, number - 1),
    )


def shown(row: Row, parameters: Mapping[str, str], prefix: str = "") -> Row:
    """The row with the fields that `fields` and `exclude` leave of it."""
    wanted = parameters.get(f"{prefix}fields")
    unwanted = set(parameters.get(f"{prefix}exclude", "").split(","))
    names: Iterable[str] = row
    if wanted:
        names = [name for name in row if name in wanted.split(",")]
    return {
        name: _shown_inside(row[name], parameters, f"{prefix}{name}__")
        for name in names
        if name not in unwanted
    }


def _shown_inside(value: Any, parameters: Mapping[str, str], prefix: str) -> Any:
    if not any(name.startswith(prefix) for name in parameters):
        return value
    if isinstance(value, dict):
        return shown(value, parameters, prefix)
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return [shown(item, parameters, prefix) for item in value]
    return value


def _positive(text: str) -> int | None:
    try:
        value = int(text)
    except ValueError:
        return None
    return value if value > 0 else None


def _sortable(name: str, records: Sequence[Record]) -> bool:
    """Whether `name` is a plain field: a value, or a pointer that stands for its key."""
    if not records:
        return False
    return all(
        name in record.row and (_plain(record.row[name]) or "key" in record.row[name]) for record in records
    )


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _sort_key(name: str) -> Callable[[Record], tuple[bool, Any]]:
    def key(record: Record) -> tuple[bool, Any]:
        value = record.row[name]
        if isinstance(value, dict):
            value = value["key"]
        if value is not None and name in _NUMERIC_TEXTS:
            value = Decimal(value)
        return value is not None, 0 if value is None else value

    return key


def _with_page(url: str, number: int) -> str:
    """`url` with another page, its parameters in the order of their names; the first page goes without."""
    parts = urlsplit(url)
    pairs: dict[str, list[str]] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        pairs.setdefault(name, []).append(value)
    pairs.pop("page", None)
    if number > 1:
        pairs["page"] = [str(number)]
    query = urlencode(sorted(pairs.items()), doseq=True)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, parts.fragment))
