"""`loregraph sync open5e`: all of Open5e v2 in the local tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar

import anyio.to_thread
import sqlalchemy as sa

from sources.data_version import move_data_version
from sources.dnd.content import Content, embedded_content
from sources.dnd.embedded import EmbeddedData, read_embedded
from sources.dnd.mirror_download import Download
from sources.dnd.mirror_lists import DOCUMENTS, LISTS
from sources.dnd.mirror_merging import merge_content
from sources.dnd.mirror_reading import MirrorReader, UnusableList
from sources.dnd.mirror_staging import (
    Staging,
    binding_of,
    drop_all,
    held_state,
    hold,
    read_pages,
    write_rejects,
)
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.settings import DndSettings
from sources.dnd.writing import Written, write_content
from sources.errors import BadInput, DataFolderError, LoregraphError
from sources.migrations import house_lock, said_in_words
from sources.mirroring import KindChanges, Mirror, MirrorOptions, MirrorOutcome, Quarantined
from sources.seeding import seeded_version
from sources.sole_process import sole_process
from sources.source import Report, Resources

ROOM = "dnd"
_WORK = "sync"


class Open5eMirror(Mirror):
    """Open5e, whole or some of its documents, beside the embedded SRD 5.1 and merged with it."""

    title: ClassVar[str] = NAME

    async def run(
        self, resources: Resources, settings: DndSettings, options: MirrorOptions, report: Report
    ) -> MirrorOutcome:
        """See `Mirror.run`. Two requests at least: the documents, and one for each list that is begun."""
        with sole_process(options.target, _WORK):
            return await self._run(resources, settings, options, report)

    async def remove(
        self, resources: Resources, options: MirrorOptions, report: Report
    ) -> Mapping[str, KindChanges]:
        """See `Mirror.remove`. Asks no network."""

        def remove() -> Written:
            data = read_embedded()
            with _switching(resources, options, data) as connection:
                written = write_content(connection, embedded_content(data), _writing(report))
                drop_all(connection)
                if written.anything:
                    move_data_version(connection, ROOM)
            return written

        with sole_process(options.target, _WORK):
            return (await anyio.to_thread.run_sync(remove)).kinds

    async def _run(
        self, resources: Resources, settings: DndSettings, options: MirrorOptions, report: Report
    ) -> MirrorOutcome:
        chosen = None if options.documents is None else sorted(set(options.documents))
        upstream = settings.open5e_url.rstrip("/")
        open5e = Open5e(resources.http.trusted(NAME, upstream))
        staging = Staging(resources.database, upstream, chosen, binding_of(upstream, chosen, LISTS.values()))
        download = Download(open5e, staging, chosen, report)
        documents, count = await download.documents(LISTS[DOCUMENTS])
        _check_chosen(chosen, documents)
        others = [one for name, one in LISTS.items() if name != DOCUMENTS]
        in_thread = anyio.to_thread.run_sync
        state = await in_thread(staging.resume)
        counts: Mapping[str, int] = {}
        if (
            state is not None
            and await in_thread(staging.rows, DOCUMENTS) == documents
            and await download.still_as(state.counts, others)
        ):
            counts = state.counts
        else:
            await in_thread(staging.begin)
            await in_thread(staging.keep, DOCUMENTS, 1, documents, count)
        try:
            await download.read(others, counts)
            work = partial(_switch, resources, options, staging, chosen, report)
            return await in_thread(lambda: _outcome(upstream, download, work()))
        except UnusableList as error:
            await in_thread(staging.fail, error.message, error.rejects)
            # It is read again by the next run: it may be mended by then.
            await in_thread(staging.forget, error.list)
            raise
        except LoregraphError as error:
            await in_thread(staging.fail, error.message)
            raise


class _Switched:
    """What a switch-over did."""

    def __init__(self, content: Content, written: Written, rejects: Sequence[Quarantined]) -> None:
        self.content = content
        self.written = written
        self.rejects = tuple(rejects)


def _switch(
    resources: Resources,
    options: MirrorOptions,
    staging: Staging,
    chosen: Sequence[str] | None,
    report: Report,
) -> _Switched:
    """Makes the records of all that is staged, and replaces those that are held, in one transaction."""
    now = datetime.now(UTC)
    with resources.database.writing() as session:
        rows = read_pages(session.connection(), staging.id)
    reader = MirrorReader(rows, chosen)
    mirror = reader.read(now)
    data = read_embedded()
    content = merge_content(mirror, embedded_content(data))
    with _switching(resources, options, data) as connection:
        held = held_state(connection)
        written = write_content(connection, content, _writing(report))
        if written.anything:
            move_data_version(connection, ROOM)
        unchanged_since = held.mirrored_at if held is not None and not written.anything else None
        write_rejects(connection, staging.id, reader.rejects)
        hold(connection, staging.id, unchanged_since or now, now)
    return _Switched(content, written, reader.rejects)


def content_with_mirror(connection: sa.Connection, data: EmbeddedData) -> Content:
    """The embedded records, merged with the mirror if one is held: what seeding writes.

    A list that this program cannot use gives what it can: seeding must not fail for it.
    """
    embedded, held = embedded_content(data), held_state(connection)
    if held is None or held.mirrored_at is None:
        return embedded
    reader = MirrorReader(read_pages(connection, held.id), held.documents, strict=False)
    content = merge_content(reader.read(held.mirrored_at), embedded)
    write_rejects(connection, held.id, reader.rejects)
    return content


def _check_chosen(chosen: Sequence[str] | None, documents: Iterable[Any]) -> None:
    if chosen is None:
        return
    known = sorted(
        raw["key"] for raw in documents if isinstance(raw, Mapping) and isinstance(raw.get("key"), str)
    )
    if not chosen:
        raise BadInput("names no document.", argument="--documents", allowed=known)
    for key in chosen:
        if key not in known:
            raise BadInput.unknown("--documents", key, known)


@contextmanager
def _switching(resources: Resources, options: MirrorOptions, data: EmbeddedData) -> Iterator[sa.Connection]:
    """One transaction, while no other process migrates or seeds.

    Raises DataFolderError when another loregraph loaded other embedded records meanwhile.
    """
    database = resources.database
    with house_lock(options.target), said_in_words(options.target), database.writing() as session:
        connection = session.connection()
        if seeded_version(connection, ROOM) != data.version:
            raise DataFolderError(
                "The embedded records in the database are not those of this loregraph.",
                hint="Nothing was changed. Run `loregraph seed` with this loregraph, and then this command again.",
            )
        yield connection


def _writing(report: Report) -> Report:
    return lambda what, done, total: report(f"writing {what}", done, total)


def _outcome(upstream: str, download: Download, switched: _Switched) -> MirrorOutcome:
    kinds = dict(switched.written.kinds)
    for one in switched.rejects:
        kinds.setdefault(LISTS[one.list].kind, KindChanges()).quarantined += 1
    return MirrorOutcome(
        upstream=upstream,
        documents=tuple(
            document.key for document in switched.content.documents if document.mirrored_at is not None
        ),
        changed=switched.written.anything,
        kinds=dict(sorted(kinds.items())),
        quarantined=switched.rejects,
        requests=download.requests,
        resumed=download.resumed,
    )
