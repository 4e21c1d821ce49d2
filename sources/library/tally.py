"""What became of the entries of an import."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

Rejection = tuple[int, tuple[str, ...]]
"""The number of a line and why it was not taken."""


@dataclass(slots=True)
class Tally:
    """Counts by what happened, and what was not taken.

    `kept` are entries of the sample that were left alone, since an import holds their place.
    """

    counts: Counter[str] = field(default_factory=Counter)
    rejections: list[Rejection] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return any(self.counts[word] for word in ("added", "updated", "removed"))

    def add(self, other: Tally) -> None:
        """Counts what another tally counted."""
        self.counts.update(other.counts)
        self.rejections.extend(other.rejections)
        self.notes.extend(other.notes)

    def reject(self, number: int, *reasons: str) -> None:
        """Counts a line that was not taken."""
        self.rejections.append((number, reasons))
