"""Cutting a document's text into chunks, and what can be seen of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST = 1_500
"""Characters of a chunk: a passage that can be read at a glance, and short enough to rank by."""

_PARAGRAPHS = re.compile(r"\n[ \t]*\n+")
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+")
_REFERENCES = re.compile(
    r"^\s*(?:\d+\.?\s*)?(?:references|bibliography|works cited|literature cited|literatur|literaturverzeichnis"
    r"|bibliographie|bibliografía|bibliografia)\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING_LENGTH = 80
_MATH = re.compile(
    r"[∑∏∫√∂∇≤≥≠≈∈∉⊂⊆∀∃∞±×÷]|\$[^$\n]{1,200}\$|\\(?:frac|sum|int|sqrt|alpha|beta|begin\{equation)"
)
_GARBLED = re.compile(r"[\ufffd\ue000-\uf8ff]|\(cid:\d+\)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of text, the page that it begins on, and what it looks like."""

    text: str
    page: int | None
    is_reference: bool
    has_math: bool
    has_extraction_issues: bool


def pieces(sections: Sequence[tuple[int | None, str]]) -> list[Piece]:
    """The chunks of sections of text; no chunk goes over a section's end, so that its page is certain.

    From a heading such as `References` on, chunks are lists of references.
    """
    found: list[Piece] = []
    references = False
    for page, text in sections:
        for chunk in _chunks(text):
            heading = _REFERENCES.search(chunk)
            references = references or heading is not None
            found.append(Piece(chunk, page, references, _MATH.search(chunk) is not None, _is_garbled(chunk)))
    return found


def _chunks(text: str) -> Iterator[str]:
    held: list[str] = []
    length = 0
    for part in _parts(text):
        starts_references = len(part) < _HEADING_LENGTH and _REFERENCES.fullmatch(part) is not None
        if held and (length + len(part) > LONGEST or starts_references):
            yield "\n\n".join(held)
            held, length = [], 0
        held.append(part)
        length += len(part) + 2
    if held:
        yield "\n\n".join(held)


def _parts(text: str) -> Iterator[str]:
    """Paragraphs; those that are too long by sentences, and what is still too long by length."""
    for paragraph in _PARAGRAPHS.split(text):
        paragraph = paragraph.strip()
        if len(paragraph) <= LONGEST:
            if paragraph:
                yield paragraph
            continue
        held = ""
        for sentence in _SENTENCES.split(paragraph):
            if held and len(held) + len(sentence) + 1 > LONGEST:
                yield held
                held = ""
            *cuts, rest = _by_length(sentence)
            yield from cuts
            held = f"{held} {rest}" if held else rest
        if held:
            yield held


def _by_length(text: str) -> list[str]:
    """A text in pieces that are not too long, cut at blanks where it has some; the last may be empty."""
    found = []
    start = 0
    while len(text) - start > LONGEST:
        end = text.rfind(" ", start + 1, start + LONGEST)
        end = start + LONGEST if end < 0 else end
        found.append(text[start:end].strip())
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
    return [*(piece for piece in found if piece), text[start:].strip()]


def _is_garbled(text: str) -> bool:
    return len(_GARBLED.findall(text)) > max(2, len(text) * 0.02)
