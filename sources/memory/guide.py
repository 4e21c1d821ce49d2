"""The embedded database `guide`: loregraph's own documents, a chunk for each heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from sources.memory.records import Draft

DESCRIPTION = "How to use this loregraph server: its tools, filters, errors, settings and how to run it."
LONGEST_CHUNK = 1_500
"""Characters of a chunk's text: what an embedding still weighs."""

_PACKAGED = Path(__file__).with_name("docs")
_IN_TREE = Path(__file__).parents[2] / "docs"
_HEADING = re.compile(r"^(#{1,4})\s+(.+?)\s*#*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_SLUG = re.compile(r"[^a-z0-9]+")


def documents(folder: Path | None = None) -> list[tuple[str, str]]:
    """The documents, by their path: those in the package, or in the tree that loregraph runs from."""
    home = folder or (_PACKAGED if _PACKAGED.is_dir() else _IN_TREE)
    return [
        (file.relative_to(home).as_posix(), file.read_text(encoding="utf-8"))
        for file in sorted(home.rglob("*.md"))
    ]


def version_of(texts: list[tuple[str, str]]) -> str:
    """Changes with what the documents say."""
    digest = blake2b(digest_size=6)
    for path, text in texts:
        digest.update(f"{path}\0{text}\0".encode())
    return f"guide-{digest.hexdigest()}"


def chunks(texts: list[tuple[str, str]]) -> list[Draft]:
    """The documents cut at their headings; an id says document and heading, and stays while these do."""
    found: dict[str, Draft] = {}
    for path, text in texts:
        title = path
        headings: list[str] = []
        for level, heading, body in _sections(text):
            if level == 1:
                title = heading
            headings = [*headings[: max(level - 2, 0)], heading] if level > 1 else []
            for part in _parts(body):
                said = " › ".join([title, *headings])
                base = f"{path.removesuffix('.md')}#{_slug(headings[-1] if headings else title)}"
                id_, number = base, 1
                while id_ in found:
                    number += 1
                    id_ = f"{base}-{number}"
                metadata = {"document": path, "title": title, "heading": headings[-1] if headings else title}
                found[id_] = Draft(id_, f"{said}\n\n{part}", metadata, None)
    return list(found.values())


def _slug(heading: str) -> str:
    return _SLUG.sub("-", heading.lower()).strip("-")


def _sections(text: str) -> Iterator[tuple[int, str, str]]:
    """The level and words of each heading, and what stands below it; code is not looked at for headings."""
    level, heading, lines, fenced = 1, "", [], False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        found = None if fenced else _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield level, heading, "\n".join(lines).strip()
        level, heading, lines = len(found[1]), found[2].replace("`", ""), []
    yield level, heading, "\n".join(lines).strip()


def _parts(body: str) -> Iterator[str]:
    """The paragraphs of a section, gathered up to `LONGEST_CHUNK`; a longer one is cut at its lines."""
    held = ""
    for paragraph in re.split(r"\n\s*\n", body):
        for piece in _lines(paragraph):
            if held and len(held) + len(piece) + 2 > LONGEST_CHUNK:
                yield held
                held = ""
            held = f"{held}\n\n{piece}" if held else piece
    if held.strip():
        yield held


def _lines(paragraph: str) -> Iterator[str]:
    held = ""
    for line in paragraph.splitlines():
        if held and len(held) + len(line) + 1 > LONGEST_CHUNK:
            yield held
            held = ""
        held = f"{held}\n{line}" if held else line
    if held:
        yield held
