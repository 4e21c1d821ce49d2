"""What the fake holds: rows in the upstream's shape, by endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

Row = dict[str, Any]
"""A record as the API answers it, whole."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record.

    - `row`: as it is answered; a link in it is a path that begins with `/v2/`
    - `document`: the whole row of its document, None for what stands in none
    - `hidden`: columns that filters see and answers do not
    """

    row: Row
    document: Row | None = None
    hidden: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Its key; `/v2/enums/` aside, everything has one."""
        return str(self.row["key"])

    def values(self, path: str) -> list[Any]:
        """All values at a dotted path, through lists; `document.` leads into the whole document."""
        head, _, rest = path.partition(".")
        if head == "document":
            return list(_walk(self.document, rest or "key"))
        if head in self.hidden:
            return list(_walk(self.hidden[head], rest))
        return list(_walk(self.row.get(head), rest))

    def value(self, path: str) -> Any:
        """The value at a path that leads to one; None where it leads nowhere."""
        found = self.values(path)
        return found[0] if found else None


def _walk(value: Any, path: str) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _walk(item, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping):
        head, _, rest = path.partition(".")
        yield from _walk(value.get(head), rest)


class Corpus:
    """Records by endpoint (`spells`), each list in the order of the keys."""

    def __init__(self) -> None:
        self.documents: dict[str, Row] = {}
        self._records: dict[str, dict[str, Record]] = {}

    def copy(self) -> Corpus:
        """Another corpus with copies of all rows."""
        other = Corpus()
        other.documents = copied(self.documents)
        for endpoint, records in self._records.items():
            other._records[endpoint] = {
                key: Record(copied(record.row), _document(other, record), record.hidden)
                for key, record in records.items()
            }
        return other

    def add_document(self, row: Row) -> None:
        """Adds a document, as `/v2/documents/` answers it."""
        self.documents[row["key"]] = row
        self._records.setdefault("documents", {})[row["key"]] = Record(row)

    def add(
        self, endpoint: str, row: Row, *, document: str | None = None, hidden: Mapping[str, Any] | None = None
    ) -> None:
        """Adds a record of a document, or replaces the one of the same key."""
        whole = None if document is None else self.documents[document]
        self._records.setdefault(endpoint, {})[row["key"]] = Record(row, whole, hidden or {})

    def remove(self, endpoint: str, key: str) -> None:
        """Takes a record away; raises KeyError when there is none."""
        del self._records[endpoint][key]

    def records(self, endpoint: str) -> list[Record]:
        """All records of an endpoint, by key; none where nothing was added."""
        return sorted(self._records.get(endpoint, {}).values(), key=lambda record: record.key)

    def get(self, endpoint: str, key: str) -> Record | None:
        """The record of a key."""
        return self._records.get(endpoint, {}).get(key)

    def keys(self, endpoint: str) -> frozenset[str]:
        """The keys of an endpoint."""
        return frozenset(self._records.get(endpoint, {}))

    def document_object(self, key: str) -> Row:
        """A document as it stands inside a record."""
        whole = self.documents[key]
        names = ("name", "key", "type", "display_name", "publisher", "gamesystem", "permalink")
        return {name: whole[name] for name in names}


def _document(corpus: Corpus, record: Record) -> Row | None:
    return None if record.document is None else corpus.documents[record.document["key"]]


def slugged(name: str) -> str:
    """A key from a name: lower case, words joined by hyphens."""
    words = "".join(character if character.isalnum() else " " for character in name.lower().replace("'", ""))
    return "-".join(words.split())


def reference(key: str, name: str | None = None) -> Row:
    """A named pointer as rows hold it; the name is made from the key where none is given."""
    return {"name": name or key.replace("-", " ").title(), "key": key}


def copied(row: Row) -> Row:
    """A copy down to the last value; through JSON, which is much faster than `deepcopy`."""
    copy: Row = orjson.loads(orjson.dumps(row))
    return copy


NO_LINKS: Mapping[str, Any] = {"to": []}


def links(*pairs: tuple[str, str]) -> Row:
    """The cross references of a row, from anchors and paths."""
    return {"to": [{"anchor": anchor, "url": path} for anchor, path in pairs]}
