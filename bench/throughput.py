"""Requests per second of the GraphQL door beside a bare ASGI route: `python -m bench.throughput --help`.

Machines differ and are shared, so a number of requests means little by itself. Each query is therefore measured
in rounds that alternate with a bare ASGI route answering as many static bytes, and the result is the ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.queries import QUERIES, BenchQuery

START_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Options:
    """How long and how hard to measure."""

    rounds: int
    seconds: float
    connections: int


@dataclass(slots=True)
class Line:
    """One line of the table: rates of all rounds, in requests per second."""

    name: str
    size: int
    rates: list[float] = field(default_factory=list)
    static_rates: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The median of the rounds' own ratios: each round compares what was measured in the same moment."""
        return statistics.median(
            rate / static for rate, static in zip(self.rates, self.static_rates, strict=True)
        )


@contextmanager
def server(name: str, data_dir: str) -> Iterator[int]:
    """A server process; gives its port. A request waits in the socket's queue until the server is ready."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        environment = {**os.environ, "LOREGRAPH_DATA_DIR": data_dir}
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.serve", name, str(listener.fileno())],
            pass_fds=[listener.fileno()],
            env=environment,
        )
        try:
            yield listener.getsockname()[1]
        finally:
            process.terminate()
            process.wait()


def first_answer(port: int, query: BenchQuery) -> tuple[dict[str, Any], bytes]:
    """The variables to measure a query with, and its answer, after checking that it has one."""
    variables = dict(query.variables)
    url = f"http://127.0.0.1:{port}/graphql"
    for _ in range(2 if query.after_first_page else 1):
        response = httpx.post(
            url, json={"query": query.query, "variables": variables}, timeout=START_SECONDS, trust_env=False
        )
        body = response.json()
        if "errors" in body:
            raise SystemExit(f"{query.name}: {body['errors'][0]['message']}")
        (answer,) = body["data"].values()
        sent = dict(variables)
        if query.after_first_page:
            variables["after"] = answer["pageInfo"]["endCursor"]
    return sent, response.content


def raw_request(path: str, body: dict[str, Any]) -> bytes:
    """A POST as it goes over the wire."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/graphql-response+json\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def rate(port: int, request: bytes, options: Options) -> float:
    """Requests per second in one burst."""
    command = [sys.executable, "-m", "bench.load", str(port), str(options.connections), str(options.seconds)]
    run = subprocess.run(command, input=request, stdout=subprocess.PIPE, check=True)
    result = json.loads(run.stdout)
    if result["failed"]:
        raise SystemExit(f"{result['failed']} of {result['answered']} requests failed")
    return float(result["answered"] / result["seconds"])


def measure(app_port: int, static_port: int, options: Options) -> list[Line]:
    """All queries, round by round, each beside the static route."""
    cases: list[tuple[Line, bytes, bytes]] = []
    for query in QUERIES:
        variables, answer = first_answer(app_port, query)
        body = {"query": query.query, "variables": variables}
        cases.append(
            (
                Line(query.name, len(answer)),
                raw_request("/graphql", body),
                raw_request(f"/{len(answer)}", body),
            )
        )
    for _ in range(options.rounds):
        for line, request, static_request in cases:
            line.rates.append(rate(app_port, request, options))
            line.static_rates.append(rate(static_port, static_request, options))
    return [line for line, _, _ in cases]


def table(lines: list[Line]) -> str:
    """The result, for people."""
    rows = [("query", "bytes", "req/s", "static req/s", "ratio", "lowest", "highest")]
    for line in lines:
        ratios = [rate / static for rate, static in zip(line.rates, line.static_rates, strict=True)]
        rows.append(
            (
                line.name,
                str(line.size),
                f"{statistics.median(line.rates):.0f}",
                f"{statistics.median(line.static_rates):.0f}",
                f"{line.ratio:.3f}",
                f"{min(ratios):.3f}",
                f"{max(ratios):.3f}",
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds, each of all queries (default 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of one burst (default 2)")
    parser.add_argument("--connections", type=int, default=16, help="requests under way at once (default 16)")
    arguments = parser.parse_args()
    options = Options(arguments.rounds, arguments.seconds, arguments.connections)
    with ExitStack() as stack:
        data_dir = stack.enter_context(tempfile.TemporaryDirectory(prefix="loregraph-bench-"))
        app_port = stack.enter_context(server("app", data_dir))
        static_port = stack.enter_context(server("static", data_dir))
        print(table(measure(app_port, static_port, options)))


if __name__ == "__main__":
    main()
