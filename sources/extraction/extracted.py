"""What reading a file gives, and why it may give nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

MOST_CHARACTERS = 20_000_000
"""Text kept of one file: some 10,000 pages."""
MOST_FILE_BYTES = 512 * 1024 * 1024
_LONGEST = {
    "title": 1000, "publisher": 300, "isbn": 40, "doi": 300, "arxiv_id": 60, "venue": 300, "abstract": 100_000,
    "summary": 100_000,
}  # fmt: skip
_IDENTIFIERS = ("isbn", "doi", "arxiv_id")
_MOST_ITEMS = 1000
_LONGEST_ITEM = 300
"""As in a catalogue file."""


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
        """As the reading process hands it over: texts that databases store, and of bounded length."""
        value = asdict(self)
        value["sections"] = [(page, storable(text)) for page, text in self.sections]
        for name, longest in _LONGEST.items():
            text = value[name]
            if text is not None:
                text = storable(text)
                # An identifier that is cut would be another one.
                value[name] = None if name in _IDENTIFIERS and len(text) > longest else text[:longest]
        for name in ("authors", "keywords", "categories"):
            value[name] = [storable(text)[:_LONGEST_ITEM] for text in value[name][:_MOST_ITEMS]]
        return value

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


def check_size(size: int) -> None:
    """Raises Unreadable for a file that is empty, or larger than is read."""
    if size == 0:
        raise Unreadable("It is empty.")
    if size > MOST_FILE_BYTES:
        raise Unreadable(f"It is larger than {MOST_FILE_BYTES // 2**20} MB.")


def storable(text: str) -> str:
    """A text without the characters that databases refuse: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
