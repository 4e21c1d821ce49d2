"""Importing: what a room says of the files that it takes, and of what became of them.

The command `loregraph import ROOM PATH…` walks the rooms and knows nothing else of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sources.database import Database
from sources.source import Report


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import.

    - `dry_run`: read and check everything, write nothing;
    - `rejects`: the file that takes what was rejected, one JSON object a line with its file, line number and
      reasons; without one, rejects are only counted.
    """

    dry_run: bool = False
    rejects: Path | None = None


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of an import.

    - `counts`: how many records by what happened to them, in the order to show: `{"added": 3, "unchanged": 9}`;
    - `rejected`: how many records, or files, were not taken;
    - `notes`: what a person should know beside the numbers, in sentences.
    """

    counts: Mapping[str, int]
    rejected: int = 0
    notes: tuple[str, ...] = ()


class Importer(ABC):
    """Reads files into the tables of one room. Importing the same files again changes nothing."""

    takes: ClassVar[str]
    """What it takes, for the command's help: `JSON Lines, CSV, …`."""

    @abstractmethod
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of one record of the room's own format."""

    @abstractmethod
    def run(
        self,
        database: Database,
        settings: Any,
        paths: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> ImportOutcome:
        """Imports the files or folders, in transactions of bounded size that each move the data version.

        Blocks; runs off the event loop, on migrated tables, beside running servers. A crash loses nothing of
        what was reported as done, and a rerun completes the rest. `settings` are those of the room. Raises
        LoregraphError where a path cannot be read at all, or the database cannot be written.
        """
