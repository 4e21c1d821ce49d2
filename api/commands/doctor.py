"""`loregraph doctor`: looks at everything that a start depends on, and says what to do. Changes nothing."""

from __future__ import annotations

import json
import os
import platform
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

import anyio
import orjson
import typer
from pydantic_settings import BaseSettings

from api.commands.listening import CannotListen, listen
from api.commands.starting import Options
from api.environment import read_settings, unknown_variables, variables, written
from api.health import database_problem, source_body
from api.opening import all_sources, all_variables, open_house, source_settings
from api.settings import Settings, load_settings
from api.telemetry import configure_logging
from api.version import loregraph_version
from resolvers.source_status import all_statuses
from sources.database import Database, sqlite_path
from sources.errors import LoregraphError
from sources.http_settings import HttpSettings
from sources.integrity import check_tables, check_unclaimed, check_whole
from sources.migrations import pending
from sources.seeding import was_seeded
from sources.source import ProbeVerdict, Shelf, SourceState, SourceStatus

SEED = "Run `loregraph seed`; `loregraph serve` does it by itself."


class Verdict(IntEnum):
    """How a finding bears on a start; the worst one is the exit code."""

    FINE = 0
    CARE = 1
    UNUSABLE = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found, and what to do unless it is fine."""

    what: str
    verdict: Verdict
    text: str


@dataclass(slots=True)
class Report:
    """Everything that was found."""

    settings: dict[str, str]
    findings: list[Finding] = field(default_factory=list)
    sources: list[SourceStatus] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """The worst of all findings."""
        return max((finding.verdict for finding in self.findings), default=Verdict.FINE)

    def add(self, what: str, verdict: Verdict, text: str) -> None:
        """One more finding."""
        self.findings.append(Finding(what, verdict, text))


def doctor(options: Options, *, as_json: bool, probe: bool = False) -> int:
    """Prints the findings; returns the exit code. `probe` also tries every upstream. Raises WrongSettings."""
    settings = load_settings(options)
    configure_logging("error")
    report = Report(dict(_values(settings)))
    report.add(
        "program", Verdict.FINE, f"loregraph {loregraph_version()}, Python {platform.python_version()}"
    )
    for sentence in unknown_variables(variable.name for variable in all_variables()):
        report.add("settings", Verdict.CARE, sentence)
    if settings.database_url is None:
        _look_at_folder(settings.data_dir, report)
    anyio.run(_look_at_database, settings, report, probe)
    _look_at_port(settings, report)
    typer.echo(_as_json(report) if as_json else _as_text(report), nl=False)
    return report.verdict.value


def _values(settings: Settings) -> Iterator[tuple[str, str]]:
    groups: list[BaseSettings] = [settings, read_settings(HttpSettings), *source_settings().values()]
    for group in groups:
        for variable in variables(type(group)):
            yield variable.name, written(getattr(group, variable.field))


def _look_at_folder(folder: Path, report: Report) -> None:
    if folder.is_dir():
        if os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            report.add("data folder", Verdict.FINE, str(folder))
        else:
            text = f"{folder} cannot be read and written by this user. Change its owner or rights."
            report.add("data folder", Verdict.UNUSABLE, text)
    elif folder.exists():
        text = f"{folder} is not a folder. Move it away, or choose another with LOREGRAPH_DATA_DIR."
        report.add("data folder", Verdict.UNUSABLE, text)
    else:
        parent = next(parent for parent in folder.parents if parent.exists())
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            report.add("data folder", Verdict.CARE, f"{folder} is not there yet. {SEED}")
        else:
            text = f"{folder} cannot be made in {parent}. Choose another with LOREGRAPH_DATA_DIR."
            report.add("data folder", Verdict.UNUSABLE, text)


async def _look_at_database(settings: Settings, report: Report, probe: bool) -> None:
    try:
        await _look_inside(settings, report, probe)
    except LoregraphError as error:
        report.add("database", Verdict.UNUSABLE, error.message)


async def _look_inside(settings: Settings, report: Report, probe: bool) -> None:
    target = settings.database_target
    path = sqlite_path(target)
    if path is not None and not path.exists():
        report.add("database", Verdict.CARE, f"{path} is not there yet. {SEED}")
        return
    await anyio.to_thread.run_sync(check_whole, target)
    rooms = [source.name for source in all_sources()]
    todo = await anyio.to_thread.run_sync(pending, target, rooms)
    await anyio.to_thread.run_sync(check_unclaimed, target, rooms)
    if not todo:
        await anyio.to_thread.run_sync(check_tables, target, rooms)
    database = await Database.open(target)
    try:
        name, problem = database.name, await database_problem(database)
        seeded = await was_seeded(database)
    finally:
        await database.close()
    if problem is not None:
        report.add("database", Verdict.UNUSABLE, problem)
        return
    if todo or not seeded:
        report.add("database", Verdict.CARE, f"{name} is not up to date with this loregraph. {SEED}")
        return
    report.add("database", Verdict.FINE, name)
    async with open_house(settings) as house:
        report.sources.extend(await all_statuses(house.scope))
        if probe:
            for name, shelf in house.scope.shelves.items():
                await _try_upstreams(name, shelf, report)
        complaints = {name: await shelf.complaints() for name, shelf in house.scope.shelves.items()}
    for status in report.sources:
        verdict = Verdict.FINE if status.state is SourceState.READY else Verdict.CARE
        report.add(f"source {status.name}", verdict, " ".join(_of_source(status)))
        for complaint in complaints.get(status.name, ()):
            report.add(f"source {status.name}", Verdict.CARE, complaint)


async def _try_upstreams(name: str, shelf: Shelf, report: Report) -> None:
    try:
        probes = await shelf.probe()
    except LoregraphError as error:
        report.add(f"probe {name}", Verdict.CARE, error.message)
        return
    for probe in probes:
        verdict = Verdict.CARE if probe.verdict is ProbeVerdict.DIFFERS else Verdict.FINE
        said = {
            ProbeVerdict.AGREES: "as declared",
            ProbeVerdict.DIFFERS: "not as declared, so it is applied here instead once a question shows it",
            ProbeVerdict.UNTRIED: "not tried",
        }[probe.verdict]
        text = f"{probe.where} {probe.parameter}: {said} ({probe.detail})"
        report.add(f"probe {name}", verdict, text)


def _of_source(status: SourceStatus) -> Iterator[str]:
    if status.state is not SourceState.READY:
        yield f"{status.state.value}:"
    if status.message:
        yield status.message
    if status.counts:
        yield ", ".join(f"{count.count} {count.kind}" for count in status.counts) + "."
    if status.data_version:
        yield f"Data: {status.data_version}."


def _look_at_port(settings: Settings, report: Report) -> None:
    where = f"{settings.host}, port {settings.port}"
    try:
        listen(settings.host, settings.port).close()
    except CannotListen as error:
        if _answers(settings):
            report.add("address", Verdict.FINE, f"A loregraph server answers at {where}.")
        else:
            report.add("address", Verdict.CARE, error.message)
    else:
        report.add("address", Verdict.FINE, f"{where} is free.")


def _answers(settings: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)  # noqa: S104
    # No proxy of the environment: this is a question to this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{host}:{settings.port}/healthz", timeout=3) as answer:
            return bool(orjson.loads(answer.read(1000)) == {"status": "ok"})
    except (OSError, urllib.error.URLError, ValueError):
        return False


def _as_text(report: Report) -> str:
    width = max(len(finding.what) for finding in report.findings)
    word = {Verdict.FINE: "ok", Verdict.CARE: "care", Verdict.UNUSABLE: "bad"}
    lines = [
        f"{word[finding.verdict]:<4}  {finding.what:<{width}}  {finding.text}" for finding in report.findings
    ]
    lines += ["", "Settings", *(f"  {name}={value}" for name, value in report.settings.items()), ""]
    lines.append(
        {
            Verdict.FINE: "All is well.",
            Verdict.CARE: "Something needs care: see the lines marked `care`.",
            Verdict.UNUSABLE: "loregraph cannot start like this: see the lines marked `bad`.",
        }[report.verdict]
    )
    return "\n".join(lines) + "\n"


def _as_json(report: Report) -> str:
    body = {
        "verdict": report.verdict.name.lower(),
        "findings": [
            {"what": finding.what, "verdict": finding.verdict.name.lower(), "text": finding.text}
            for finding in report.findings
        ],
        "sources": [source_body(status) for status in report.sources],
        "settings": report.settings,
    }
    try:
        return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:
        # A path that the locale cannot read holds lone surrogates, which orjson refuses.
        return json.dumps(body, indent=2) + "\n"
