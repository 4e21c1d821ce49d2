"""What one answer reads is of one version of the data, though many statements read it.

Data that is replaced as a whole (a mirror is switched over, embedded data is loaded anew) may be replaced between
two statements of one answer. So a shelf pins the version that it found first, whoever made the answer asks at its
end whether that version still stands, and makes the answer again where it does not. No transaction is held open,
and the price is one short read an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sources.errors import LoregraphError

Look = Callable[[], Awaitable[object]]
"""Reads the version that holds now."""


class Reading:
    """The versions that one answer was begun with, by who reads them."""

    def __init__(self) -> None:
        self._pinned: dict[object, tuple[Any, object, Look]] = {}

    def pinned(self, owner: object) -> Any:
        """What `owner` pinned; None while it did not."""
        found = self._pinned.get(owner)
        return None if found is None else found[0]

    def pin(self, owner: object, value: Any, version: object, look: Look) -> Any:
        """Remembers `value`, which is of `version`, unless something was pinned meanwhile; returns what holds."""
        return self._pinned.setdefault(owner, (value, version, look))[0]

    async def moved(self) -> bool:
        """Whether any of the pinned versions has been replaced. A source that cannot be asked now has not."""
        for _, version, look in self._pinned.values():
            try:
                if await look() != version:
                    return True
            except LoregraphError:
                continue
        return False


# Tasks that resolvers start inherit it, as they inherit their deadline.
_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


def this_reading() -> Reading | None:
    """The reading of the answer at hand; None where nobody makes one."""
    return _reading.get()


@contextmanager
def reading() -> Iterator[Reading]:
    """While the context lasts, versions are pinned."""
    found = Reading()
    token = _reading.set(found)
    try:
        yield found
    finally:
        _reading.reset(token)
