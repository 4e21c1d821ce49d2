"""Time, as code that waits and expires asks for it; tests bring a clock of their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """`now` is seconds since 1970, `monotonic` seconds that never run backwards, `sleep` waits for seconds."""

    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def today(self) -> datetime:
        """This moment, in UTC."""
        return datetime.fromtimestamp(self.now(), UTC)
