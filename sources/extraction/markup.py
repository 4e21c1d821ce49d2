"""HTML files, and the markup inside EPUB files."""

from __future__ import annotations

import re
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sources.extraction.extracted import Extracted, bounded
from sources.extraction.metadata import several, words, year_of
from sources.extraction.plain import decode

_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_LEFT_OUT = ("script", "style", "noscript", "template", "nav", "head", "svg", "iframe", "object")
_BLOCKS = (
    "p", "div", "section", "article", "li", "ul", "ol", "table", "tr", "blockquote", "pre", "figure", "figcaption",
    "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "header", "footer", "main", "aside", "hr", "br", "td", "th",
)  # fmt: skip
_META = {
    "title": ("citation_title", "dc.title", "og:title"),
    "publisher": ("citation_publisher", "dc.publisher"),
    "doi": ("citation_doi", "dc.identifier.doi"),
    "isbn": ("citation_isbn",),
    "arxiv_id": ("citation_arxiv_id",),
    "venue": ("citation_journal_title", "citation_conference_title"),
    "abstract": ("citation_abstract",),
    "summary": ("description", "dc.description", "og:description"),
}
_AUTHORS = ("citation_author", "dc.creator", "author")
_DATES = ("citation_publication_date", "citation_date", "dc.date", "article:published_time", "date")


def read_html(path: Path) -> Extracted:
    """An HTML file, with what its `meta` elements say."""
    raw = path.read_bytes()
    declared = _CHARSET.search(raw[:4096])
    page = LexborHTMLParser(decode(raw, declared[1].decode("ascii") if declared else None))
    extracted = Extracted()
    told: dict[str, list[str]] = {}
    for node in page.css("meta"):
        name = node.attributes.get("name") or node.attributes.get("property")
        content = words(node.attributes.get("content"))
        if name and content:
            told.setdefault(name.strip().lower(), []).append(content)
    for attribute, names in _META.items():
        found = next((told[name][0] for name in names if name in told), None)
        if found is not None:
            setattr(extracted, attribute, found)
    for name in _AUTHORS:
        if name in told and not extracted.authors:
            one = told[name]
            extracted.authors = several(one[0], ";|, | and | & ") if len(one) == 1 else several(one)
    extracted.keywords = several(told.get("keywords", [""])[0])
    extracted.year = next((year for name in _DATES if (year := year_of(told.get(name, [None])[0]))), None)
    for selector in ("title", "h1"):
        told_by = page.css_first(selector)
        if extracted.title is None and told_by is not None:
            extracted.title = words(told_by.text())
    extracted.sections = bounded([(None, text_of(page))])
    return extracted


def text_of(page: LexborHTMLParser) -> str:
    """The text that a reader sees, blocks parted by blank lines."""
    for tag in _LEFT_OUT:
        for node in page.css(tag):
            node.decompose()
    body = page.body
    if body is None:
        return ""
    for tag in _BLOCKS:
        for node in page.css(tag):
            _part(node)
    blocks = (" ".join(block.split()) for block in body.text().split("\x1e"))
    return "\n\n".join(block for block in blocks if block)


def _part(node: LexborNode) -> None:
    """Marks where a block begins and ends, with a character that no text holds."""
    node.insert_before("\x1e")
    node.insert_after("\x1e")
