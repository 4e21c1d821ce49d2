"""What a live question costs beside fetching everything and filtering here: `python -m bench.live --help`.

Both ask the same upstream (`bench/upstream.py`) over loopback, alternating, with every cache of answers off; the
small vocabularies and the index of names are at hand, as they are after the first question. "Everything" reads
whole records, as many a page as the live path does, and filters, sorts and cuts what came.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import httpx
import orjson

from api.execution import Executor, Operation
from api.opening import open_house, prepare
from api.settings import load_settings
from schema.query import build_schema

PAGE = 500
KEYS = 50


@dataclass(frozen=True, slots=True)
class Case:
    """One question, and how it is answered from whole rows of the upstream's list."""

    name: str
    query: str
    path: str
    keep: Callable[[dict[str, Any]], bool]
    show: Callable[[dict[str, Any]], dict[str, Any]]
    variables: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Cost:
    """What one way of asking cost, by round."""

    requests: list[int] = field(default_factory=list)
    received: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def _named(row: dict[str, Any], more: str) -> dict[str, Any]:
    return {"name": row["name"], more: row[more]}


def cases(keys: list[str]) -> list[Case]:
    """The questions that are measured; `keys` are those of the spells that are asked for by key."""
    wanted = set(keys)
    return [
        Case(
            "spells of one school, name and level",
            "{ a: spells(provider: OPEN5E, first: 100, filter: {school: [EVOCATION]}) { nodes { name level } } }",
            "/v2/spells/",
            lambda row: row["school"]["key"] == "evocation",
            lambda row: _named(row, "level"),
        ),
        Case(
            "spells whose name holds a word",
            '{ a: spells(provider: OPEN5E, first: 100, filter: {name: "fire"}) { nodes { name level } } }',
            "/v2/spells/",
            lambda row: "fire" in row["name"].lower(),
            lambda row: _named(row, "level"),
        ),
        Case(
            f"{KEYS} spells by key",
            "query ($keys: [String!]) { a: spells(provider: OPEN5E, first: 100, filter: {key: $keys}) "
            "{ nodes { name level } } }",
            "/v2/spells/",
            lambda row: row["key"] in wanted,
            lambda row: _named(row, "level"),
            {"keys": keys},
        ),
        Case(
            "strong dragons, name and hit points",
            "{ a: creatures(provider: OPEN5E, first: 100, filter: {type: [DRAGON], crMin: 15}) "
            "{ nodes { name hitPoints } } }",
            "/v2/creatures/",
            lambda row: row["type"]["key"] == "dragon" and row["challenge_rating"] >= 15,
            lambda row: {"name": row["name"], "hitPoints": row["hit_points"]},
        ),
    ]


@contextmanager
def upstream() -> Iterator[str]:
    """The upstream's process; gives its base URL."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        command = [sys.executable, "-m", "bench.upstream", str(listener.fileno())]
        process = subprocess.Popen(command, pass_fds=[listener.fileno()])
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.wait()


async def everything(client: httpx.AsyncClient, case: Case) -> list[dict[str, Any]]:
    """The answer from all rows, whole."""
    rows: list[dict[str, Any]] = []
    page, more = 1, True
    while more:
        answer = await client.get(case.path, params={"limit": PAGE, "page": page})
        body = orjson.loads(answer.content)
        rows += body["results"]
        page, more = page + 1, body["next"] is not None
    kept = sorted((row for row in rows if case.keep(row)), key=lambda row: (row["name"].lower(), row["key"]))
    return [case.show(row) for row in kept[:100]]


async def measured(
    client: httpx.AsyncClient, cost: Cost, ask: Callable[[], Awaitable[list[dict[str, Any]]]]
) -> list[dict[str, Any]]:
    """One round of one way: its answer, its cost noted."""
    await client.get("/cost")
    started = perf_counter()
    answer = await ask()
    cost.seconds.append(perf_counter() - started)
    spent = (await client.get("/cost")).json()
    cost.requests.append(spent["requests"])
    cost.received.append(spent["bytes"])
    return answer


async def run(base: str, rounds: int) -> list[tuple[str, Cost, Cost]]:
    """Every case, live and as everything. Raises SystemExit when the two answers differ."""
    os.environ |= {
        "LOREGRAPH_OPEN5E_URL": f"{base}/v2",
        "LOREGRAPH_OPEN5E_LIVE": "true",
        "LOREGRAPH_HTTP_FRESH_SECONDS": "0",
        "LOREGRAPH_HTTP_HOST_RATE": "10000",
        "LOREGRAPH_HTTP_HOST_BURST": "10000",
    }
    found = []
    with tempfile.TemporaryDirectory(prefix="loregraph-bench-") as folder:
        settings = load_settings({"data_dir": folder}, env_file=None)
        await prepare(settings)
        async with (
            open_house(settings) as house,
            httpx.AsyncClient(base_url=base, timeout=120, trust_env=False) as client,
        ):
            executor = Executor(build_schema(), scope=lambda: house.scope)
            listed = await client.get("/v2/spells/", params={"limit": 5_000, "fields": "key"})
            keys = [row["key"] for row in listed.json()["results"]]
            for case in cases(keys[:: len(keys) // KEYS][:KEYS]):
                operation = Operation(case.query, variables=case.variables)

                async def live(asked: Operation = operation) -> list[dict[str, Any]]:
                    answer = (await executor.execute(asked)).formatted()
                    if "errors" in answer:
                        raise SystemExit(answer["errors"][0]["message"])
                    nodes: list[dict[str, Any]] = answer["data"]["a"]["nodes"]
                    return nodes

                async def whole(asked: Case = case) -> list[dict[str, Any]]:
                    return await everything(client, asked)

                await live()
                ours, theirs = Cost(), Cost()
                for _ in range(rounds):
                    mine = await measured(client, ours, live)
                    other = await measured(client, theirs, whole)
                    if _sorted(mine) != _sorted(other):
                        raise SystemExit(f"{case.name}: the two ways answer differently")
                found.append((case.name, ours, theirs))
    return found


def _sorted(rows: list[dict[str, Any]]) -> list[bytes]:
    return sorted(orjson.dumps(row) for row in rows)


def table(found: list[tuple[str, Cost, Cost]]) -> str:
    """The result, for people: both ways' figures, and the share that the live path takes."""
    rows = [
        ("question", "requests", "bytes", "ms", "everything:", "requests", "bytes", "ms", "bytes", "time")
    ]
    for name, ours, theirs in found:
        shares = [mine / other for mine, other in zip(ours.seconds, theirs.seconds, strict=True)]
        rows.append(
            (
                name,
                *_figures(ours),
                "",
                *_figures(theirs),
                f"{ours.received[-1] / theirs.received[-1]:.3%}",
                f"{statistics.median(shares):.1%}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _figures(cost: Cost) -> tuple[str, str, str]:
    milliseconds = statistics.median(cost.seconds) * 1000
    return str(cost.requests[-1]), str(cost.received[-1]), f"{milliseconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each question (default 7)")
    arguments = parser.parse_args()
    with upstream() as base:
        print(table(asyncio.run(run(base, arguments.rounds))))


if __name__ == "__main__":
    main()
