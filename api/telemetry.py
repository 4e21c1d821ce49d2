"""What the server says of itself: for now, its log."""

from __future__ import annotations

import logging
import sys

FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
QUIET = ("alembic", "httpx", "httpcore", "asyncio", "filelock", "sqlalchemy", "mcp", "uvicorn")
"""Libraries whose routine messages would drown ours: only their warnings pass, below the level `debug`."""


def configure_logging(level: str) -> None:
    """One log for everything, to standard error; standard output stays free for what a command answers.

    Requests are not logged line by line: a GET URL holds the query and its variables, which may be private.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(FORMAT, datefmt="%Y-%m-%dT%H:%M:%S%z"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.NOTSET if level == "debug" else logging.WARNING)
