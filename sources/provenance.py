"""Where an answer comes from, and what was done to get it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(slots=True)
class Provenance:
    """The account of one answer. Filled while it is made; read-only afterwards by convention.

    `pushed_down` and `residual` name the filter arguments that the store or upstream applied itself and those
    that were applied here. `scanned` counts the records that were read to find the answer. `complete` is false
    whenever something that belongs to the answer may be missing; `warnings` then says what. `parser_verdict` is what
    measuring told of how the upstream reads queries, where that mattered.
    """

    source: str
    providers: tuple[str, ...] = ()
    fetched_at: datetime | None = None
    from_cache: bool = False
    stale: bool = False
    complete: bool = True
    scanned: int = 0
    pushed_down: list[str] = field(default_factory=list)
    residual: list[str] = field(default_factory=list)
    upstream_requests: int = 0
    effective_query: str | None = None
    parser_verdict: str | None = None
    warnings: list[str] = field(default_factory=list)
