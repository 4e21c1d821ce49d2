"""The load, in a process of its own: `python -m bench.load PORT CONNECTIONS SECONDS < one raw request`.

Keeps CONNECTIONS open, each with one request under way, for SECONDS; prints how many were answered as JSON.
Raw sockets, and no HTTP library, so that the load takes far less time than what it measures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time


class Connection(asyncio.Protocol):
    """Sends the request again as soon as its answer is complete."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._received = bytearray()
        self._expected = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._load.request)

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        if not self._expected:
            end = received.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(received[:end]).lower()
            length = head[head.index(b"content-length:") + 15 :].split(b"\r\n", 1)[0]
            self._expected = end + 4 + int(length)
        if len(received) < self._expected:
            return
        self._load.answered(bytes(received[:15]))
        received.clear()
        self._expected = 0
        if time.perf_counter() < self._load.end:
            self._transport.write(self._load.request)
        else:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._load.closed(error)


class Load:
    """One burst of requests."""

    def __init__(self, request: bytes, connections: int, seconds: float) -> None:
        self.request = request
        self.end = time.perf_counter() + seconds
        self.count = 0
        self.failed = 0
        self._open = connections
        self._done = asyncio.Event()

    def answered(self, status_line: bytes) -> None:
        self.count += 1
        if status_line[9:12] != b"200":
            self.failed += 1

    def closed(self, error: Exception | None) -> None:
        self.failed += error is not None
        self._open -= 1
        if not self._open:
            self._done.set()

    async def run(self, port: int, connections: int) -> float:
        """Runs to the end; gives the seconds that it took."""
        loop = asyncio.get_running_loop()
        started = time.perf_counter()
        for _ in range(connections):
            await loop.create_connection(lambda: Connection(self), "127.0.0.1", port)
        await self._done.wait()
        return time.perf_counter() - started


async def main() -> None:
    port, connections, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    load = Load(sys.stdin.buffer.read(), connections, seconds)
    elapsed = await load.run(port, connections)
    print(json.dumps({"answered": load.count, "failed": load.failed, "seconds": elapsed}))


if __name__ == "__main__":
    asyncio.run(main())
