"""What one operation works with: the opened sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from sources.errors import SourceNotConfigured, UpstreamUnavailable
from sources.source import Shelf, SourceState, SourceStatus

ShelfT = TypeVar("ShelfT", bound=Shelf)


@dataclass(frozen=True, slots=True)
class Scope:
    """Handed to every resolver of one operation.

    `shelves` maps a room's name to its opened source; a source that could not be opened stands in `unopened`
    with the status that says why. `local`: only people on this machine can be asking; false unless it is certain.
    """

    shelves: Mapping[str, Shelf]
    unopened: Mapping[str, SourceStatus]
    local: bool = False

    def shelf(self, name: str, kind: type[ShelfT]) -> ShelfT:
        """The opened source of a room.

        Raises `SourceNotConfigured` or `UpstreamUnavailable`, with the reason, when it could not be opened.
        """
        shelf = self.shelves.get(name)
        if shelf is None:
            status = self.unopened.get(name)
            reason = (status.message if status else None) or "It is not part of this server."
            if status is not None and status.state is SourceState.UNAVAILABLE:
                raise UpstreamUnavailable(f"The source `{name}` cannot answer. {reason}", upstream=name)
            raise SourceNotConfigured(f"The source `{name}` is not configured. {reason}")
        if not isinstance(shelf, kind):
            raise TypeError(f"the shelf of {name} is a {type(shelf).__name__}, not a {kind.__name__}")
        return shelf
