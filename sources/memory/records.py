"""The records of the memory shelf."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson

from sources.errors import BadInput
from sources.indexing import text_hash

KIND = "memory_entry"
GUIDE = "guide"
"""The name of the embedded database."""
LONGEST_CONTENT = 200_000
"""Characters of one entry."""
LONGEST_ID = 200
LONGEST_METADATA = 65_536
"""Bytes of an entry's metadata as JSON."""
LONGEST_PAIR = 300
"""Characters of `key=value` by which an entry is found; longer values are kept and shown, and not searched by."""
LONGEST_NAME = 64
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as it is imported. `timestamp` is microseconds since 1970."""

    id: str
    content: str
    metadata: Mapping[str, Any]
    timestamp: int | None

    @property
    def metadata_json(self) -> str:
        """The metadata as compact JSON, its keys sorted so that equal ones are equal texts."""
        return orjson.dumps(self.metadata, option=orjson.OPT_SORT_KEYS).decode()

    @property
    def content_hash(self) -> str:
        """Changes when anything of the entry does."""
        return text_hash(f"{self.timestamp}\0{self.metadata_json}\0{self.content}")

    def pairs(self) -> set[str]:
        """Its metadata as `key=value`: of texts, numbers and truth values, and of lists of these."""
        return set(pairs_of(self.metadata))


def pairs_of(metadata: Mapping[str, Any]) -> Iterator[str]:
    """Metadata as the pairs that a filter asks for."""
    for key, value in metadata.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str | int | float):
                written = one if isinstance(one, str) else orjson.dumps(one).decode()
                pair = f"{key}={written}".replace("\0", "\ufffd")
                if len(pair) <= LONGEST_PAIR:
                    yield pair


@dataclass(frozen=True, slots=True)
class ExternalEntry:
    """An entry of an external collection; its attributes are those of an entry in SQL."""

    kind: ClassVar[str] = KIND

    key: str
    database: str
    entry_id: str
    content: str
    metadata: Mapping[str, Any]
    timestamp: int | None = None

    @property
    def metadata_pairs(self) -> list[str]:
        """Its metadata as a filter asks for it."""
        return list(pairs_of(self.metadata))

    @property
    def text(self) -> str:
        """What full text is looked for in."""
        return self.content


def entry_key(database: str, entry_id: str) -> str:
    """The key of an entry among those of all databases."""
    return f"{database}/{entry_id}"


def split_key(key: str) -> tuple[str, str]:
    """The database and the id behind an entry's key; a database's name holds no slash."""
    database, _, entry_id = key.partition("/")
    return database, entry_id


def checked_name(name: str) -> str:
    """`name`, if a database can be called so. Raises `BadInput`."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"must be 1 to {LONGEST_NAME} letters, digits, dots, dashes and underscores of ASCII, and begin with a"
            " letter or digit.",
            argument="NAME",
        )
    return name


@dataclass(frozen=True, slots=True)
class WorkOfEntry:
    """The work that an entry is taken from, as a record's `source` shows it."""

    name: str
    url: str | None = None
    licence: str | None = None
    attribution: str | None = None


def work_of(database: str) -> WorkOfEntry:
    """The work behind a database: loregraph's documents, or whatever its owner put in."""
    if database == GUIDE:
        return WorkOfEntry("The documents of loregraph", licence="Apache-2.0")
    return WorkOfEntry(f"Memory database `{database}`")
