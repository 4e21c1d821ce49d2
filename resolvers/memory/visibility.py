"""Who may read which memory databases: the one place that decides it.

Whoever is on this machine may read all of them. Others may read none, until tokens tell people apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from resolvers.scope import Scope
from sources.errors import Forbidden
from sources.registry import KeptDatabase


def check_reachable(scope: Scope) -> None:
    """Raises Forbidden where this caller may read no database at all, rather than answer with none."""
    if not scope.local:
        raise Forbidden("Memory databases are read on the machine of the server alone.")


def readable(scope: Scope, databases: Iterable[KeptDatabase]) -> list[KeptDatabase]:
    """The active databases that this caller may read."""
    return [one for one in databases if one.active] if scope.local else []
