"""One piece of work for all who ask for the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Flight(Generic[T]):
    """Work under way in a task of its own.

    `deadline` is the latest moment (on the event loop's clock) that any waiter waits until; the work may look
    at it to see whether another try is worth it. `setback` is what last went wrong, for a waiter whose time is
    up before the work is done.
    """

    deadline: float
    waiting: int = 0
    setback: Exception | None = None
    task: asyncio.Task[T] | None = None


class SingleFlight(Generic[T]):
    """Runs work once for each key at a time.

    A waiter that is cancelled leaves the work to the others; when none is left, the work is cancelled.
    """

    def __init__(self) -> None:
        self._flights: dict[str, Flight[T]] = {}

    def join(
        self, key: str, deadline: float, work: Callable[[Flight[T]], Awaitable[T]]
    ) -> tuple[Flight[T], bool]:
        """The flight of `key`, and whether it was begun here. The caller must `wait` for it next."""
        flight = self._flights.get(key)
        begun = flight is None
        if flight is None:
            flight = self._flights[key] = Flight(deadline)
            flight.task = asyncio.ensure_future(self._run(key, flight, work))
            # A task that fails after its last waiter left has nobody to tell.
            flight.task.add_done_callback(lambda task: task.cancelled() or task.exception())
        flight.deadline = max(flight.deadline, deadline)
        flight.waiting += 1
        return flight, begun

    async def wait(self, key: str, flight: Flight[T]) -> T:
        """What the flight brings, or its error."""
        assert flight.task is not None
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0 and not flight.task.done():
                self._leave(key, flight)
                flight.task.cancel()

    async def close(self) -> None:
        """Ends all work, and waits until it has let go of what it held."""
        tasks = [flight.task for flight in self._flights.values() if flight.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: str, flight: Flight[T], work: Callable[[Flight[T]], Awaitable[T]]) -> T:
        try:
            return await work(flight)
        finally:
            self._leave(key, flight)

    def _leave(self, key: str, flight: Flight[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
