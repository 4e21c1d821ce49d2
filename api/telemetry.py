"""What the server says of itself: for now, its log."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextvars import ContextVar

REQUEST_ID: ContextVar[str | None] = ContextVar("loregraph_request_id", default=None)
"""The id of the request that is being answered, as its answer has it in `X-Request-Id`."""

FORMAT = "%(asctime)s %(levelname)-7s %(name)s%(request)s: %(message)s"
QUIET = ("alembic", "httpx", "httpcore", "asyncio", "filelock", "sqlalchemy", "mcp", "uvicorn")
"""Libraries whose routine messages would drown ours: only their warnings pass, below the level `debug`."""


NOISE = ("Unsupported upgrade request.", "No supported WebSocket library detected.")
"""What uvicorn warns of when a caller asks for another protocol: nothing that an operator could mend."""


def worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a record says something to an operator.

    A request that is cut off as the server stops ends in a traceback of its cancellation, right after the line
    that says how many were cut off.
    """
    if not record.name.startswith("uvicorn"):
        return True
    if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    return not record.getMessage().startswith(NOISE)


def with_request_id(record: logging.LogRecord) -> bool:
    """Adds the id of the request that a record was written for."""
    request_id = REQUEST_ID.get()
    record.request = f" [{request_id}]" if request_id else ""
    return True


def configure_logging(level: str) -> None:
    """One log for everything, to standard error; standard output stays free for what a command answers.

    Requests are not logged line by line: a GET URL holds the query and its variables, which may be private.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(FORMAT, datefmt="%Y-%m-%dT%H:%M:%S%z"))
    handler.addFilter(worth_a_line)
    handler.addFilter(with_request_id)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.NOTSET if level == "debug" else logging.WARNING)
