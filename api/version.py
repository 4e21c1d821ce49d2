"""Which loregraph this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def loregraph_version() -> str:
    """The version of the installed package; `(not installed)` when run from a bare folder of its code."""
    try:
        return version("loregraph")
    except PackageNotFoundError:
        return "(not installed)"
