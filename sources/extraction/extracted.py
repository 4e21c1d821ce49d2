"""What reading a file gives, and why it may give nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

MOST_CHARACTERS = 20_000_000
"""Text kept of one file: some 10,000 pages."""
MOST_FILE_BYTES = 512 * 1024 * 1024


class Unreadable(Exception):
    """A file that cannot be taken; the message is a sentence for the person who imports it."""


@dataclass(slots=True)
class Extracted:
    """A file's text in sections, and what its metadata say.

    `sections` are pieces of text in their order, each with the page it stands on (from 1), or None where the
    format has no pages.
    """

    sections: list[tuple[int | None, str]] = field(default_factory=list)
    title: str | None = None
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    type: str | None = None
    publisher: str | None = None
    isbn: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    venue: str | None = None
    keywords: list[str] = field(default_factory=list)
    abstract: str | None = None
    summary: str | None = None
    categories: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As the reading process hands it over."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Extracted:
        """What `to_json` gave."""
        sections = [(page, text) for page, text in value.pop("sections")]
        return cls(sections=sections, **value)


def bounded(sections: list[tuple[int | None, str]]) -> list[tuple[int | None, str]]:
    """The sections, refused when they hold more text than is kept of one file."""
    check_length(sum(len(text) for _, text in sections))
    return sections


def check_length(characters: int) -> None:
    """Raises Unreadable for more text than is kept of one file."""
    if characters > MOST_CHARACTERS:
        raise Unreadable(f"It holds more than {MOST_CHARACTERS:,} characters of text.")
