"""Text and Markdown files."""

from __future__ import annotations

import re
from pathlib import Path

from sources.extraction.extracted import Extracted, Unreadable, bounded
from sources.extraction.metadata import take_mapping, words

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_LONGEST_FRONT_MATTER = 100_000
_LONGEST_TITLE = 200
_GUESSED = 200_000
"""Bytes from which an encoding is guessed."""


def decode(raw: bytes, declared: str | None = None) -> str:
    """A file's bytes as text: by its byte order mark, what it declares, UTF-8, or else the likeliest encoding.

    Raises Unreadable for bytes that are no text.
    """
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return _clean(raw.decode(encoding, "replace"))
    for likely in (declared, "utf-8"):
        try:
            if likely is not None:
                return _checked(raw.decode(likely))
        except (UnicodeDecodeError, LookupError):
            continue
    from charset_normalizer import from_bytes  # takes long to load, and is seldom needed

    best = from_bytes(raw[:_GUESSED]).best()
    if best is None:
        raise Unreadable("Its bytes are no text in any known encoding.")
    return _checked(raw.decode(best.encoding, "replace"))


def _checked(text: str) -> str:
    odd = sum(1 for character in text[:_GUESSED] if character < " " and character not in "\t\n\r\f\x1b")
    if odd > len(text[:_GUESSED]) * 0.01:
        raise Unreadable("It holds binary data and no text.")
    return _clean(text)


def _clean(text: str) -> str:
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path) -> Extracted:
    """A plain text file. Its title is its first line where that is short and stands alone."""
    text = decode(path.read_bytes())
    extracted = Extracted(sections=bounded([(None, text)]))
    first, _, rest = text.strip().partition("\n")
    if 0 < len(first) <= _LONGEST_TITLE and (not rest or rest.startswith("\n")):
        extracted.title = words(first)
    return extracted


def read_markdown(path: Path) -> Extracted:
    """A Markdown file, with what its front matter says; without a title there, its first heading is it."""
    text = decode(path.read_bytes())
    extracted = Extracted()
    front = _FRONT_MATTER.match(text)
    if front is not None and len(front[1]) <= _LONGEST_FRONT_MATTER:
        import yaml

        try:
            given = yaml.safe_load(front[1])
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise Unreadable("Its front matter is no valid YAML.") from error
        if isinstance(given, dict):
            take_mapping(extracted, given)
        text = text[front.end() :]
    body, heading = markdown_text(text)
    extracted.title = extracted.title or heading
    extracted.sections = bounded([(None, body)])
    return extracted


def markdown_text(text: str) -> tuple[str, str | None]:
    """Markdown without its marks, blocks parted by blank lines; and its first heading."""
    from markdown_it import MarkdownIt

    blocks: list[str] = []
    heading = None
    in_heading = False
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "heading_open":
            in_heading = True
        elif token.type == "heading_close":
            in_heading = False
        elif token.type == "inline":
            block = "".join(
                "\n" if child.type in ("softbreak", "hardbreak") else child.content
                for child in token.children or ()
                if child.type != "html_inline"
            )
            blocks.append(block)
            if in_heading and heading is None:
                heading = words(block)
        elif token.type in ("fence", "code_block"):
            blocks.append(token.content.rstrip())
    return "\n\n".join(block for block in blocks if block.strip()), heading
