"""What commands do before their own work: read the settings, start the log, prepare the data."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import anyio
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from api.environment import unknown_variables
from api.opening import all_variables, prepare
from api.settings import Settings, load_settings
from api.telemetry import configure_logging
from sources.source import Report

logger = logging.getLogger("loregraph")

Options = Mapping[str, object]
"""Options of the command line by the name of their setting; None where one was not given."""


def read_and_log(options: Options) -> Settings:
    """The settings, with the log started and a warning for each variable that means nothing.

    Raises WrongSettings.
    """
    settings = load_settings(options)
    configure_logging(settings.log_level)
    for sentence in unknown_variables(variable.name for variable in all_variables()):
        logger.warning("%s", sentence)
    return settings


def prepare_and_show(settings: Settings) -> dict[str, bool]:
    """Migrates and seeds: a progress bar on a terminal, log lines elsewhere. Raises as `prepare` does."""
    with progress("seeding") as report:
        written = anyio.run(prepare, settings, report)
    for name in (name for name, was_written in written.items() if was_written):
        logger.info("seeded %s", name)
    return written


@contextmanager
def showing_stages() -> Iterator[Report]:
    """Shows the progress of what is reported as `STAGE NAME`: on a terminal one bar for each stage, with counts and
    the time left, elsewhere a log line for each name that is begun and done."""
    if not sys.stderr.isatty():
        with _log_lines("", 1) as report:
            yield report
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _by_stage(_on(progress))


def _by_stage(show: Report) -> Report:
    """All names of a stage as one: their counts are added up."""
    counts: dict[str, dict[str, tuple[int, int]]] = {}

    def report(what: str, done: int, total: int) -> None:
        stage, _, name = what.partition(" ")
        of_stage = counts.setdefault(stage, {})
        of_stage[name] = (done, total)
        show(stage, sum(one for one, _ in of_stage.values()), sum(all_ for _, all_ in of_stage.values()))

    return report


@contextmanager
def progress(doing: str, steps: int = 1) -> Iterator[Report]:
    """Shows how far something is: a bar on a terminal, elsewhere a log line whenever another of `steps` is done.

    `doing` is a verb such as `seeding`.
    """
    with _bars(doing) if sys.stderr.isatty() else _log_lines(doing, steps) as report:
        yield report


@contextmanager
def _log_lines(doing: str, steps: int) -> Iterator[Report]:
    said: dict[str, int] = {}

    def report(what: str, done: int, total: int) -> None:
        step = steps * done // total if total else steps
        # What is found on the way may make the whole larger: nothing is said twice.
        if step > said.get(what, -1):
            said[what] = step
            logger.info("%s: %d of %d", f"{doing} {what}".strip(), done, total)

    yield report


@contextmanager
def _bars(doing: str) -> Iterator[Report]:
    columns = (TextColumn(f"{doing} {{task.description}}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _on(progress)


def _on(progress: Progress) -> Callable[[str, int, int], None]:
    tasks: dict[str, TaskID] = {}

    def report(what: str, done: int, total: int) -> None:
        if what not in tasks:
            tasks[what] = progress.add_task(what, total=total)
        progress.update(tasks[what], completed=done, total=total)

    return report
