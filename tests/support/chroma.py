"""A Chroma server on loopback, as `chroma run` starts it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from tenacity import Retrying, stop_after_delay, wait_fixed


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def chroma_server(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`chroma run` on a loopback port, answering."""
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder)]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}/api/v2/heartbeat"
        retrying = Retrying(stop=stop_after_delay(60), wait=wait_fixed(0.05), reraise=True)
        retrying(httpx.get, address, trust_env=False)
        yield process
    finally:
        process.terminate()
        process.wait()
