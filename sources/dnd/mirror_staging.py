"""What was read of Open5e so far, in the database: pages as they came, each in a transaction of its own.

They lie in the database and not in files because the records lie there: whoever has the one has the other, on
PostgreSQL too, and both change in one transaction. A page is kept once its transaction is; a stop loses the pages
under way. (A power cut may cost SQLite the newest of them, never their order: they are then read again.)
"""

from __future__ import annotations

import hashlib
import uuid
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import sqlalchemy as sa

from sources.database import Database
from sources.dnd.mapping import table_of
from sources.dnd.mirror_lists import MirrorList
from sources.dnd.tables_mirror import MirrorPageRow, MirrorRejectRow, MirrorRow
from sources.mirroring import Quarantined

FORMAT = 1
"""Of what is staged; another program's pages may be of another."""

LONGEST_STAGING = timedelta(hours=24)
"""A staging that was begun longer ago is dropped: its first pages may be of other data than its last."""

_MIRROR = table_of(MirrorRow)
_PAGE = table_of(MirrorPageRow)
_REJECT = table_of(MirrorRejectRow)

STAGING, HELD = "staging", "held"


def binding_of(upstream: str, documents: Sequence[str] | None, lists: Iterable[MirrorList]) -> str:
    """The digest of all that pages depend on: where they come from, what was chosen, how they are cut."""
    parts = (
        FORMAT,
        upstream.rstrip("/"),
        None if documents is None else sorted(documents),
        sorted((one.name, one.page_size, one.by_document) for one in lists),
    )
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


@dataclass(frozen=True, slots=True)
class MirrorState:
    """A row of the mirrors, see `MirrorRow`."""

    id: str
    binding: str
    upstream: str
    documents: tuple[str, ...] | None
    counts: Mapping[str, int]
    begun_at: datetime
    mirrored_at: datetime | None
    checked_at: datetime | None
    problem: str | None


def state_query(state: str) -> sa.Select[Any]:
    """The mirror of a state, in the columns of `MirrorState`."""
    names = MirrorState.__dataclass_fields__
    # A literal: the query serves Core, and the text that drivers are given, alike.
    return sa.select(*(_MIRROR.c[name] for name in names)).where(
        _MIRROR.c.state == sa.literal_column(f"'{state}'")
    )


def read_state(row: Sequence[Any] | None) -> MirrorState | None:
    """The mirror in a row of `state_query`."""
    if row is None:
        return None
    id_, binding, upstream, documents, counts, begun_at, mirrored_at, checked_at, problem = row
    return MirrorState(
        id=id_,
        binding=binding,
        upstream=upstream,
        documents=None if documents is None else tuple(orjson.loads(documents)),
        counts=orjson.loads(counts),
        begun_at=datetime.fromisoformat(begun_at),
        mirrored_at=datetime.fromisoformat(mirrored_at) if mirrored_at else None,
        checked_at=datetime.fromisoformat(checked_at) if checked_at else None,
        problem=problem,
    )


def rejects_query(state: str) -> sa.Select[Any]:
    """What was turned away of the mirror of a state: list, key, reason."""
    return (
        sa.select(_REJECT.c.list, _REJECT.c.key, _REJECT.c.reason)
        .join(_MIRROR, _MIRROR.c.id == _REJECT.c.mirror_id)
        .where(_MIRROR.c.state == sa.literal_column(f"'{state}'"))
        .order_by(_REJECT.c.position)
    )


def held_state(connection: sa.Connection) -> MirrorState | None:
    """The mirror that the records are made of; None when there is none."""
    return read_state(connection.execute(state_query(HELD)).first())


def read_pages(connection: sa.Connection, mirror_id: str) -> dict[str, list[Any]]:
    """All rows of a mirror, by list, in the order that they came in."""
    query = (
        sa.select(_PAGE.c.list, _PAGE.c.body)
        .where(_PAGE.c.mirror_id == mirror_id)
        .order_by(_PAGE.c.list, _PAGE.c.page)
    )
    found: dict[str, list[Any]] = {}
    for name, body in connection.execute(query):
        found.setdefault(name, []).extend(orjson.loads(zlib.decompress(body)))
    return found


class Staging:
    """The mirror that is being read. Its methods block; each is one transaction."""

    def __init__(
        self, database: Database, upstream: str, documents: Sequence[str] | None, binding: str
    ) -> None:
        self._database = database
        self._upstream = upstream
        self._documents = documents
        self._binding = binding
        self.id = ""

    def resume(self) -> MirrorState | None:
        """What an earlier run left that fits and is not too old; None when there is no such thing."""
        with self._database.writing() as session:
            state = read_state(session.connection().execute(state_query(STAGING)).first())
        if state is None or state.binding != self._binding:
            return None
        if not timedelta() <= datetime.now(UTC) - state.begun_at <= LONGEST_STAGING:
            return None
        self.id = state.id
        return state

    def begin(self) -> None:
        """Drops what an earlier run left, and begins anew."""
        self.id = uuid.uuid4().hex
        with self._database.writing() as session:
            connection = session.connection()
            connection.execute(sa.delete(_MIRROR).where(_MIRROR.c.state == STAGING))
            connection.execute(
                sa.insert(_MIRROR).values(
                    id=self.id,
                    state=STAGING,
                    binding=self._binding,
                    upstream=self._upstream,
                    documents=None
                    if self._documents is None
                    else orjson.dumps(sorted(self._documents)).decode(),
                    counts="{}",
                    begun_at=datetime.now(UTC).isoformat(),
                )
            )

    def pages(self) -> dict[str, dict[int, int]]:
        """How many records each page holds, by list and number of the page."""
        query = sa.select(_PAGE.c.list, _PAGE.c.page, _PAGE.c.records).where(_PAGE.c.mirror_id == self.id)
        with self._database.writing() as session:
            found: dict[str, dict[int, int]] = {}
            for name, page, records in session.connection().execute(query):
                found.setdefault(name, {})[page] = records
        return found

    def rows(self, name: str) -> list[Any]:
        """The rows of one list, as far as they were read."""
        query = (
            sa.select(_PAGE.c.body)
            .where(_PAGE.c.mirror_id == self.id, _PAGE.c.list == name)
            .order_by(_PAGE.c.page)
        )
        with self._database.writing() as session:
            bodies = session.connection().execute(query).scalars().all()
        return [row for body in bodies for row in orjson.loads(zlib.decompress(body))]

    def keep(self, name: str, page: int, rows: Sequence[Any], count: int) -> None:
        """Keeps one page of a list that has `count` records by the upstream's word."""
        body = zlib.compress(orjson.dumps(rows), 6)
        with self._database.writing() as session:
            connection = session.connection()
            of_page = (_PAGE.c.mirror_id == self.id, _PAGE.c.list == name, _PAGE.c.page == page)
            connection.execute(sa.delete(_PAGE).where(*of_page))
            connection.execute(
                sa.insert(_PAGE).values(mirror_id=self.id, list=name, page=page, records=len(rows), body=body)
            )
            counts = connection.execute(sa.select(_MIRROR.c.counts).where(_MIRROR.c.id == self.id))
            known = orjson.loads(counts.scalar_one())
            if known.get(name) != count:
                self._set(
                    connection,
                    counts=orjson.dumps({**known, name: count}, option=orjson.OPT_SORT_KEYS).decode(),
                )

    def forget(self, name: str) -> None:
        """Drops the pages of one list, which is to be read again."""
        with self._database.writing() as session:
            of_list = (_PAGE.c.mirror_id == self.id, _PAGE.c.list == name)
            session.connection().execute(sa.delete(_PAGE).where(*of_list))

    def fail(self, problem: str, rejects: Sequence[Quarantined] = ()) -> None:
        """Notes why the mirror cannot be finished, for `doctor` to tell."""
        with self._database.writing() as session:
            connection = session.connection()
            self._set(connection, problem=problem)
            write_rejects(connection, self.id, rejects)

    def _set(self, connection: sa.Connection, **values: Any) -> None:
        connection.execute(sa.update(_MIRROR).where(_MIRROR.c.id == self.id).values(**values))


def write_rejects(connection: sa.Connection, mirror_id: str, rejects: Sequence[Quarantined]) -> None:
    """Replaces what is noted as turned away of a mirror."""
    connection.execute(sa.delete(_REJECT).where(_REJECT.c.mirror_id == mirror_id))
    rows = [
        {
            "mirror_id": mirror_id,
            "position": position,
            "list": one.list,
            "key": one.key,
            "reason": one.reason,
        }
        for position, one in enumerate(rejects)
    ]
    if rows:
        connection.execute(sa.insert(_REJECT), rows)


def hold(connection: sa.Connection, mirror_id: str, mirrored_at: datetime, checked_at: datetime) -> None:
    """Makes the staged mirror the held one, in the transaction that writes its records."""
    connection.execute(sa.delete(_MIRROR).where(_MIRROR.c.state == HELD))
    connection.execute(
        sa.update(_MIRROR)
        .where(_MIRROR.c.id == mirror_id)
        .values(
            state=HELD,
            mirrored_at=mirrored_at.isoformat(),
            checked_at=checked_at.isoformat(),
            problem=None,
        )
    )


def drop_all(connection: sa.Connection) -> None:
    """Drops the held mirror and what is staged."""
    connection.execute(sa.delete(_MIRROR))
