"""An upstream to measure against, in a process of its own: `python -m bench.upstream FD`.

It is the fake Open5e of the tests, with the same behaviour as the real one, its content repeated until the lists
are as long as the real ones. `/cost` answers the requests and body bytes since it was last asked.
"""

from __future__ import annotations

import socket
import sys

import orjson
import uvicorn
from starlette.types import Receive, Scope, Send

from tests.support.fake_open5e import Corpus, FakeOpen5e, srd_corpus

SPELLS = 1_955
CREATURES = 3_541
"""How many Open5e 2.1.0 holds."""


def long_corpus() -> Corpus:
    """The SRD's spells and creatures, with copies under other keys up to the real numbers."""
    corpus = srd_corpus()
    for path, wanted in (("spells", SPELLS), ("creatures", CREATURES)):
        rows = [record.row for record in corpus.records(path)]
        for number in range(wanted - len(rows)):
            row = rows[number % len(rows)]
            slug = f"{row['key']}-{number // len(rows) + 2}"
            corpus.add(path, {**row, "key": slug}, document=row["document"]["key"])
    return corpus


class Measured:
    """The fake, and its account."""

    def __init__(self) -> None:
        self.fake = FakeOpen5e(long_corpus())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/cost":
            await self.fake(scope, receive, send)
            return
        body = orjson.dumps({"requests": len(self.fake.calls), "bytes": self.fake.sent})
        self.fake.forget()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def main() -> None:
    listener = socket.socket(fileno=int(sys.argv[1]))
    uvicorn.Server(uvicorn.Config(Measured(), log_level="warning", access_log=False)).run(sockets=[listener])


if __name__ == "__main__":
    main()
