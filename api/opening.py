"""Opening the house: the database, and every source on it. HTTP, stdio and tests all open it in this way."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
from pydantic_settings import BaseSettings

from api.environment import ENV_FILE, Variable, read_settings, variables
from api.hosts import is_loopback
from api.settings import Settings
from resolvers.scope import Scope
from schema.query import ROOMS
from sources.database import Database
from sources.errors import LoregraphError, SourceNotConfigured
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.integrity import check_before_use, check_tables, check_unclaimed
from sources.migrations import upgrade
from sources.seeding import seed_sources
from sources.source import Report, Resources, Shelf, Source, SourceState, SourceStatus

logger = logging.getLogger("loregraph.sources")


@dataclass(frozen=True, slots=True)
class House:
    """What is open while the server runs."""

    settings: Settings
    database: Database
    scope: Scope


def silent(what: str, done: int, total: int) -> None:
    """A report of progress that nobody reads."""


def all_sources() -> tuple[Source[Any], ...]:
    """The source of every room that has one, in the house's order."""
    return tuple(room.source for room in ROOMS)


def all_settings_types() -> list[type[BaseSettings]]:
    """The server's own settings, those of its HTTP client, then those of each source."""
    return [Settings, HttpSettings, *(source.settings_type for source in all_sources())]


def all_variables() -> list[Variable]:
    """Every setting there is."""
    return [variable for kind in all_settings_types() for variable in variables(kind)]


def source_settings(env_file: Path | None = ENV_FILE) -> dict[str, BaseSettings]:
    """The settings of every source, by its name. Raises WrongSettings."""
    return {source.name: read_settings(source.settings_type, None, env_file) for source in all_sources()}


async def prepare(settings: Settings, report: Report = silent) -> dict[str, bool]:
    """Makes the data folder, migrates the tables and seeds what is empty or out of date.

    Returns whether each source was written, by its name; all is quick when there is nothing to do. Raises
    DataFolderError or UpstreamUnavailable when the database cannot be used; nothing is ever deleted.
    """
    sources, target = all_sources(), settings.database_target
    of_sources = source_settings()
    await anyio.to_thread.run_sync(check_before_use, target)
    rooms = [source.name for source in sources]
    await anyio.to_thread.run_sync(check_unclaimed, target, rooms)
    await anyio.to_thread.run_sync(upgrade, target, rooms)
    await anyio.to_thread.run_sync(check_tables, target, rooms)
    database = await Database.open(target)
    try:
        pairs = [(source, of_sources[source.name]) for source in sources]
        return await anyio.to_thread.run_sync(seed_sources, target, database, pairs, report)
    finally:
        await database.close()


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """Opens a prepared database and all sources on it, and closes them in the opposite order.

    A source that cannot be opened is left out, with the reason in its status. Raises DataFolderError or
    UpstreamUnavailable when the database itself cannot be opened.
    """
    async with AsyncExitStack() as stack:
        database = await Database.open(settings.database_target)
        stack.push_async_callback(database.close)
        http = Http(read_settings(HttpSettings, None, ENV_FILE))
        stack.push_async_callback(http.close)
        resources = Resources(database=database, data_dir=settings.data_dir, http=http)
        of_sources = source_settings()
        shelves: dict[str, Shelf] = {}
        unopened: dict[str, SourceStatus] = {}
        for source in all_sources():
            opened = await _open(source, resources, of_sources)
            if isinstance(opened, SourceStatus):
                unopened[source.name] = opened
            else:
                stack.push_async_callback(opened.close)
                shelves[source.name] = opened
        yield House(settings, database, Scope(shelves=shelves, unopened=unopened, local=is_local(settings)))


def is_local(settings: Settings) -> bool:
    """Whether only this machine reaches the server: it listens on loopback, and is known by no other name.

    Another name means that something in front of it hands over the requests of others.
    """
    return is_loopback(settings.host) and not settings.allowed_hosts


async def _open(
    source: Source[Any], resources: Resources, settings: Mapping[str, BaseSettings]
) -> Shelf | SourceStatus:
    try:
        return await source.open(resources, settings[source.name])
    except SourceNotConfigured as error:
        return _unopened(source, SourceState.NOT_CONFIGURED, error.message)
    except LoregraphError as error:
        logger.error("the source %s could not be opened: %s", source.name, error.message)
        return _unopened(source, SourceState.UNAVAILABLE, error.public)
    except Exception:
        # A fault in one room must not close the others; the log has all of it.
        logger.exception("the source %s could not be opened", source.name)
        return _unopened(source, SourceState.UNAVAILABLE, "It could not be opened; the log says why.")


def _unopened(source: Source[Any], state: SourceState, message: str) -> SourceStatus:
    return SourceStatus(
        name=source.name,
        title=source.title,
        description=source.description,
        state=state,
        message=message,
        data_version=None,
        counts=(),
        licences=(),
    )
