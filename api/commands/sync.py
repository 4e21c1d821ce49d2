"""`loregraph sync NAME`: mirrors an upstream into the local tables, or removes the mirror."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict

import anyio
import orjson
import typer
from pydantic_settings import BaseSettings

from api.commands.starting import Options, prepare_and_show, read_and_log, showing_stages
from api.environment import ENV_FILE, read_settings
from api.opening import all_sources, source_settings
from api.settings import Settings
from sources.database import Database
from sources.errors import BadInput
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.mirroring import KindChanges, Mirror, MirrorOptions, MirrorOutcome
from sources.source import Report, Resources

COUNTS = ("added", "changed", "removed", "unchanged", "quarantined")
SHOWN = 20
"""Lines of what was turned away that are printed; the rest is in the JSON and told by `doctor`."""


def sync(options: Options, name: str, *, documents: str | None, remove: bool, as_json: bool) -> int:
    """Mirrors and prints the report; returns the exit code.

    Raises LoregraphError when nothing could be replaced: an unknown mirror or document, an upstream that cannot
    be asked, a database that cannot be written.
    """
    mirror, of_source = _mirror_of(name)
    if remove and documents is not None:
        raise BadInput("cannot be given together with `--remove`.", argument="--documents")
    settings = read_and_log(options)
    prepare_and_show(settings)
    chosen = None if documents is None else [key.strip() for key in documents.split(",") if key.strip()]
    wanted = MirrorOptions(str(settings.database_target), chosen)
    started = time.monotonic()
    with showing_stages() as report:
        if remove:
            kinds = anyio.run(_removed, settings, mirror, wanted, report)
            typer.echo(_json({"kinds": kinds}) if as_json else _removal_text(mirror, kinds), nl=False)
            return 0
        outcome = anyio.run(_mirrored, settings, mirror, of_source, wanted, report)
    seconds = time.monotonic() - started
    if as_json:
        typer.echo(_json({"mirror": name, **_body(outcome), "seconds": round(seconds, 3)}), nl=False)
    else:
        typer.echo(_text(mirror, outcome, seconds), nl=False)
    return 1 if outcome.quarantined else 0


def _mirror_of(name: str) -> tuple[Mirror, BaseSettings]:
    """The mirror of a name, and the settings of its room. Raises BadInput with the nearest names."""
    settings = source_settings()
    known = {
        key: (mirror, settings[source.name])
        for source in all_sources()
        for key, mirror in source.mirrors.items()
    }
    if name not in known:
        raise BadInput.unknown("MIRROR", name, sorted(known))
    return known[name]


async def _mirrored(
    settings: Settings, mirror: Mirror, of_source: BaseSettings, options: MirrorOptions, report: Report
) -> MirrorOutcome:
    database = await Database.open(settings.database_target)
    http = Http(read_settings(HttpSettings, None, ENV_FILE))
    try:
        resources = Resources(database=database, data_dir=settings.data_dir, http=http)
        return await mirror.run(resources, of_source, options, report)
    finally:
        await http.close()
        await database.close()


async def _removed(
    settings: Settings, mirror: Mirror, options: MirrorOptions, report: Report
) -> Mapping[str, KindChanges]:
    database = await Database.open(settings.database_target)
    http = Http(read_settings(HttpSettings, None, ENV_FILE))
    try:
        resources = Resources(database=database, data_dir=settings.data_dir, http=http)
        return await mirror.remove(resources, options, report)
    finally:
        await http.close()
        await database.close()


def _body(outcome: MirrorOutcome) -> dict[str, object]:
    return {
        "upstream": outcome.upstream,
        "changed": outcome.changed,
        "documents": outcome.documents,
        "kinds": outcome.kinds,
        "quarantined": [asdict(one) for one in outcome.quarantined],
        "requests": outcome.requests,
        "resumedPages": outcome.resumed,
    }


def _json(body: Mapping[str, object]) -> str:
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _text(mirror: Mirror, outcome: MirrorOutcome, seconds: float) -> str:
    held = "" if outcome.changed else " Nothing changed."
    lines = [
        f"{mirror.title} at {outcome.upstream}: {len(outcome.documents)} documents mirrored in {seconds:.0f} s"
        f" with {outcome.requests} requests.{held}"
    ]
    if outcome.resumed:
        lines.append(f"{outcome.resumed} pages were there already from a run that was stopped.")
    lines += _table(outcome.kinds)
    if outcome.quarantined:
        lines += ["", f"Turned away: {len(outcome.quarantined)}"]
        lines += [
            f"  {one.list}{'' if one.key is None else f' `{one.key}`'}: {one.reason}"
            for one in outcome.quarantined[:SHOWN]
        ]
        if len(outcome.quarantined) > SHOWN:
            lines.append(f"  and {len(outcome.quarantined) - SHOWN} more: see `loregraph sync … --json`.")
    return "\n".join(lines) + "\n"


def _removal_text(mirror: Mirror, kinds: Mapping[str, KindChanges]) -> str:
    return "\n".join([f"The mirror of {mirror.title} is removed.", *_table(kinds)]) + "\n"


def _table(kinds: Mapping[str, KindChanges]) -> list[str]:
    width = max((len(kind) for kind in kinds), default=0)
    head = f"{'':<{width}}" + "".join(f"{name:>13}" for name in COUNTS)
    return [
        head,
        *(
            f"{kind:<{width}}" + "".join(f"{getattr(one, name):>13,}" for name in COUNTS)
            for kind, one in sorted(kinds.items())
        ),
    ]
