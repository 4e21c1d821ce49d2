"""How much time the question at hand still has, for code that must decide whether another try is worth it.

The one who sets a deadline also cancels when it passes; this only tells of it. A cancel scope alone would not
do: tasks that a resolver starts do not inherit it, but they do inherit a context variable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import anyio

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


@contextmanager
def bounded_by(at: float) -> Iterator[None]:
    """While the context lasts, nothing has longer than until `at` (seconds on the event loop's clock)."""
    token = _deadline.set(min(at, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """Seconds until the nearest deadline: infinite when there is none, negative when it has passed."""
    return min(_deadline.get(), anyio.current_effective_deadline()) - anyio.current_time()
