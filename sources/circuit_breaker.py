"""A host that is down is left alone for a while, then tried by one request.

Of the libraries, aiobreaker rests since 2021; pybreaker counts in threads; circuitbreaker and purgatory let
every request through once the time is over, so that 200 waiting ones meet a host that is barely back. None
takes a clock, knows a request that was cancelled, or tells how long is left.
"""

from __future__ import annotations

from collections.abc import Callable


class CircuitOpen(Exception):
    """The host is taken to be down; `retry_after` seconds until it is tried again."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Ticket:
    """Leave to send one request. What became of it is told once; untold at the end, it counts for nothing."""

    def __init__(self, breaker: CircuitBreaker, generation: int) -> None:
        self._breaker: CircuitBreaker | None = breaker
        self._generation = generation

    def succeed(self) -> None:
        """The host answered."""
        self._tell(True)

    def fail(self) -> None:
        """The host could not be reached, or answered that it is out of order."""
        self._tell(False)

    def release(self) -> None:
        """Nothing was learnt: cancelled, or asked to wait."""
        self._tell(None)

    def _tell(self, success: bool | None) -> None:
        breaker, self._breaker = self._breaker, None
        if breaker is not None:
            breaker._learn(self._generation, success)


class CircuitBreaker:
    """Closed it lets all through; after `failures` in a row it opens for `seconds`; then one at a time may try.

    A request that began before the last change of state no longer changes it.
    """

    def __init__(self, failures: int, seconds: float, monotonic: Callable[[], float]) -> None:
        self._most = failures
        self._seconds = seconds
        self._monotonic = monotonic
        self._failures = 0
        self._opened_at: float | None = None
        self._trial = False
        self._generation = 0

    @property
    def is_open(self) -> bool:
        """Whether the host is taken to be down."""
        return self._opened_at is not None

    @property
    def idle(self) -> bool:
        """Whether it remembers nothing that a new one would not know."""
        return self._opened_at is None and self._failures == 0

    def check(self) -> None:
        """Raises CircuitOpen when no request may be sent now."""
        if self._opened_at is None:
            return
        left = self._opened_at + self._seconds - self._monotonic()
        if left > 0:
            raise CircuitOpen(left)
        if self._trial:
            # The one on its way will tell soon; there is no telling when.
            raise CircuitOpen(1.0)

    def admit(self) -> Ticket:
        """Leave for one request. Raises CircuitOpen."""
        self.check()
        self._trial = self._opened_at is not None
        return Ticket(self, self._generation)

    def _learn(self, generation: int, success: bool | None) -> None:
        if generation != self._generation:
            return
        self._trial = False
        if success is None:
            return
        if success:
            self._failures = 0
            if self._opened_at is not None:
                self._opened_at = None
                self._generation += 1
            return
        self._failures += 1
        if self._opened_at is not None or self._failures >= self._most:
            self._opened_at = self._monotonic()
            self._generation += 1
