"""Rows of a resource in a portal's DataStore."""

from __future__ import annotations

import re
from collections.abc import Mapping

from resolvers import cursor
from resolvers.datasets.account import Account, shelf_of
from resolvers.datasets.questions import DatastoreAnswer, DatastoreSearch
from resolvers.datasets.search import read_offset
from resolvers.question import PageInfo
from resolvers.scope import Scope
from sources.criteria import EVERYTHING
from sources.datasets.client import MOST_DATASTORE_ROWS
from sources.datasets.source import DatasetsShelf
from sources.errors import BadInput, UpstreamError, nearest, shorten

ROW_ID = "_id"
FULL_TEXT = "_full_text"
_ARGUMENTS: Mapping[str, str] = {
    "filters": "filters",
    "fields": "fields",
    "sort": "sort",
    "q": "q",
    "limit": "first",
    "offset": "after",
}
_PARTS = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
_BARE = re.compile(r"\w+")
_SORT = re.compile(r'\s*("(?:[^"]|"")+"|[^",]+?)(?:\s+(asc|desc))?\s*', re.IGNORECASE)


async def find_rows(scope: Scope, asked: DatastoreSearch) -> DatastoreAnswer:
    """A page of rows, in the order asked for and by row number within it.

    Raises `NotFound` for a resource without a DataStore, `BadInput` with the nearest columns for one that the
    resource has not, and as `find_datasets`.
    """
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(asked.server_url))
    if not 0 <= asked.first <= MOST_DATASTORE_ROWS:
        raise BadInput.out_of_range("first", asked.first, 0, MOST_DATASTORE_ROWS)
    identifier = asked.resource_id.strip()
    if not identifier:
        raise BadInput("must be the id of a resource.", argument="resourceId")
    sort = _sort(asked)
    print_ = cursor.fingerprint(
        f"row {account.portal.api_base} {identifier} {sorted(asked.filters.items())!r} {asked.q} {asked.fields}"
        f" {sort} {asked.distinct}",
        EVERYTHING,
        (),
    )
    start = read_offset(asked.after, print_)
    given = {
        "resource_id": identifier,
        "filters": dict(asked.filters) or None,
        "q": asked.q or None,
        "fields": ",".join(map(_column, asked.fields)) or None,
        "sort": sort,
        "distinct": True if asked.distinct else None,
        "limit": asked.first,
        "offset": start or None,
    }
    try:
        page, told = await shelf.ckan.datastore(account.portal, given, arguments=_ARGUMENTS)
    except BadInput as error:
        raise await _explained(shelf, account, asked, error) from error
    account.add(told)
    account.scanned = len(page.rows)
    hidden = {FULL_TEXT} | (set() if ROW_ID in asked.fields else {ROW_ID})
    rows = [{name: value for name, value in row.items() if name not in hidden} for row in page.rows]
    cursors = [cursor.mint((start + place + 1,), print_) for place in range(len(rows))]
    after = start + len(rows)
    more = after < page.total if page.total is not None else len(rows) == asked.first > 0
    if page.limit is not None and page.limit < asked.first and len(rows) == page.limit:
        account.warnings.append(f"{account.portal.title} gives at most {page.limit} rows at once.")
    return DatastoreAnswer(
        nodes=rows,
        cursors=cursors,
        page_info=PageInfo(
            more, start > 0, cursors[0] if cursors else None, cursors[-1] if cursors else None
        ),
        total_count=page.total,
        provenance=account.provenance(),
        resource_id=identifier,
        fields=[field for field in page.fields if field.name not in hidden],
    )


def _sort(asked: DatastoreSearch) -> str | None:
    """The order, made total by the row number. CKAN's own order is that number anyway, unless a text is searched."""
    columns = _sorted_by(asked.sort)
    if not columns:
        return f"{ROW_ID} asc" if asked.q and not asked.distinct else None
    # With `distinct` only columns that are given back may be sorted by.
    if not asked.distinct and all(name != ROW_ID for name, _ in columns):
        columns.append((ROW_ID, "asc"))
    return ", ".join(f"{_quoted(name)} {direction}" for name, direction in columns)


def _sorted_by(text: str | None) -> list[tuple[str, str]]:
    """Columns and directions of an order; a column with blanks or commas stands in quotes."""
    found = []
    for part in _PARTS.split((text or "").strip()):
        if not part.strip():
            continue
        read = _SORT.fullmatch(part)
        if read is None:
            raise BadInput(
                "must be columns with `asc` or `desc`, such as `year desc, name`.", argument="sort"
            )
        found.append((read[1].strip('"').replace('""', '"'), (read[2] or "asc").lower()))
    return found


def _quoted(name: str) -> str:
    return name if _BARE.fullmatch(name) else '"' + name.replace('"', '""') + '"'


def _column(name: str) -> str:
    return f'"{name}"' if "," in name else name


async def _explained(
    shelf: DatasetsShelf, account: Account, asked: DatastoreSearch, error: BadInput
) -> BadInput:
    """The refusal with the columns that there are, where it is about one that is not."""
    try:
        page, _ = await shelf.ckan.datastore(
            account.portal, {"resource_id": asked.resource_id.strip(), "limit": 0}
        )
    except (UpstreamError, BadInput):
        return error
    columns = [field.name for field in page.fields if field.name != FULL_TEXT]
    named: dict[str, list[str]] = {
        "filters": list(asked.filters),
        "fields": list(asked.fields),
        "sort": [name for name, _ in _sorted_by(asked.sort)],
    }
    for argument, names in named.items():
        for name in names:
            if name not in columns:
                return BadInput(
                    f"names the column `{shorten(name)}`, which the resource does not have.",
                    argument=argument,
                    allowed=columns,
                    suggestions=nearest(name, columns),
                )
    return error
