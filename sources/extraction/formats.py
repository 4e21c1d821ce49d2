"""The endings of files that can be read, and where the reader of each is."""

from __future__ import annotations

from collections.abc import Mapping

_MARKDOWN = ("sources.extraction.plain", "read_markdown")
_TEXT = ("sources.extraction.plain", "read_text")
_HTML = ("sources.extraction.markup", "read_html")

READERS: Mapping[str, tuple[str, str]] = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".txt": _TEXT,
    ".text": _TEXT,
    ".pdf": ("sources.extraction.pdf", "read_pdf"),
    ".epub": ("sources.extraction.epub", "read_epub"),
}
"""By ending, in lower case: the module and the function that reads such a file."""
