"""Who may see which events: the one place that decides it.

Published events are for everybody. The others (pending, enriched, rejected, archived) are for those on this machine,
until tokens tell people apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.scope import Scope
from sources.criteria import EVERYTHING, Criteria, Op, Predicate
from sources.errors import Forbidden
from sources.events.vocabulary import PUBLIC_STATUSES, STATUSES


def visible_statuses(scope: Scope) -> frozenset[str]:
    """The statuses of the events that this caller may see."""
    return frozenset(STATUSES) if scope.local else PUBLIC_STATUSES


def check_statuses(scope: Scope, statuses: Sequence[str]) -> None:
    """Raises Forbidden when the caller asks for events that are not for them, rather than answer with none."""
    hidden = [status for status in statuses if status not in visible_statuses(scope)]
    if hidden:
        raise Forbidden(
            f"Events of the status {', '.join(hidden)} are not published. They are shown on the machine of the server "
            "alone."
        )


def only_visible(scope: Scope) -> Criteria:
    """The condition that an event fetched by its key must fulfil."""
    if scope.local:
        return EVERYTHING
    return Predicate("status", Op.IN, tuple(sorted(visible_statuses(scope))))
