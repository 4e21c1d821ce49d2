"""Ids that come more than once in the files of one import: of each, the last record alone is written.

Were every one of them written in its turn, importing the same files again would replace the event by its older form
and back. Which record is the last must be known before the first is read, so the files are read twice, and a third
time where an id comes again. What is remembered is eight bytes an event, and an entry for each id that does.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sources.events.reading import Accepted, read_events, read_ids

_PARTS = 256
"""Hashes are sorted part by part: sorting makes objects of them, which take five times the room."""


class LastOnes:
    """Says of the taken events of an import, given in their order, which are superseded by a later one."""

    def __init__(self, last: dict[str, int]) -> None:
        self._last = last
        self._place = -1

    def superseded(self, id_: str) -> bool:
        """Whether the next taken event is followed by another of its id."""
        self._place += 1
        return self._last.get(id_, self._place) > self._place


def last_ones(files: Sequence[Path]) -> LastOnes:
    """Reads the files for ids that come again. Raises DataFolderError for one that cannot be read."""
    repeated = _repeated(id_ for file in files for id_ in read_ids(file))
    if not repeated:
        return LastOnes({})
    # Of two ids of one hash neither comes again, perhaps: an entry too many, and nothing else.
    taken = (item.event.id for file in files for item in read_events(file) if isinstance(item, Accepted))
    return LastOnes({id_: place for place, id_ in enumerate(taken) if hash(id_) in repeated})


def _repeated(ids: Iterable[str]) -> frozenset[int]:
    """The hashes that occur more than once."""
    parts = [array("q") for _ in range(_PARTS)]
    for id_ in ids:
        number = hash(id_)
        parts[number % _PARTS].append(number)
    return frozenset(number for part in parts for number in _twice(part))


def _twice(part: array[int]) -> Iterator[int]:
    before = None
    for number in sorted(part):
        if number == before:
            yield number
        before = number
