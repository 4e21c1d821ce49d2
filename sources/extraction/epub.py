"""EPUB files: a zip of pages, with a package file that names them in their order."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile

from selectolax.lexbor import LexborHTMLParser

from sources.extraction.extracted import Extracted, Unreadable, bounded
from sources.extraction.markup import text_of
from sources.extraction.metadata import several, words, year_of
from sources.extraction.plain import decode

MOST_ENTRIES = 20_000
MOST_UNPACKED = 200 * 1024 * 1024
"""Bytes that are unpacked of one file, whatever its entries claim to hold."""

_PAGES = ("application/xhtml+xml", "text/html")


def read_epub(path: Path) -> Extracted:
    """An EPUB file in its reading order. Raises Unreadable for one that is broken, locked or unpacks to too much."""
    try:
        with ZipFile(path) as archive:
            if len(archive.infolist()) > MOST_ENTRIES:
                raise Unreadable(f"It holds more than {MOST_ENTRIES:,} files.")
            return _read(_Unpacking(archive))
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, KeyError) as error:
        raise Unreadable("It is no valid EPUB file, or it is locked.") from error


class _Unpacking:
    """Reads entries of an archive, up to a number of bytes over all."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._left = MOST_UNPACKED

    def read(self, name: str) -> bytes:
        """An entry's bytes. Raises KeyError when there is none, Unreadable when there is too much."""
        with self._archive.open(name) as entry:
            raw = entry.read(self._left + 1)
        self._left -= len(raw)
        if self._left < 0:
            raise Unreadable(f"It unpacks to more than {MOST_UNPACKED // 2**20} MB.")
        return raw

    def page(self, name: str) -> LexborHTMLParser:
        """An entry as markup. The HTML parser reads XML well enough, and no entity of it is ever expanded."""
        return LexborHTMLParser(decode(self.read(name)))


def _read(archive: _Unpacking) -> Extracted:
    root = archive.page("META-INF/container.xml").css_first("rootfile")
    package_name = root.attributes.get("full-path") if root is not None else None
    if not package_name:
        raise Unreadable("It does not say where its package file is.")
    package = archive.page(package_name)
    extracted = _metadata(package)
    folder = posixpath.dirname(package_name)
    pages = {
        node.attributes.get("id"): node.attributes.get("href")
        for node in package.css("item")
        if node.attributes.get("media-type") in _PAGES
    }
    for node in package.css("itemref"):
        href = pages.get(node.attributes.get("idref"))
        if href:
            text = text_of(archive.page(posixpath.normpath(posixpath.join(folder, unquote(href)))))
            if text:
                extracted.sections.append((None, text))
    if not extracted.sections:
        raise Unreadable("None of its pages holds text.")
    bounded(extracted.sections)
    return extracted


def _metadata(package: LexborHTMLParser) -> Extracted:
    told: dict[str, list[str]] = {}
    for name in ("title", "creator", "date", "publisher", "identifier", "description", "subject"):
        for node in package.css(f"dc\\:{name}"):
            text = words(node.text())
            if text:
                told.setdefault(name, []).append(text)
    extracted = Extracted(type="book")
    extracted.title = told.get("title", [None])[0]
    extracted.authors = several(told.get("creator", []))
    extracted.year = year_of(told.get("date", [None])[0])
    extracted.publisher = told.get("publisher", [None])[0]
    extracted.summary = told.get("description", [None])[0]
    extracted.keywords = several(told.get("subject", []))
    for identifier in told.get("identifier", ()):
        bare = re.sub(
            r"^urn:|^isbn:|^doi:|^https?://(dx\.)?doi\.org/", "", identifier.lower().removeprefix("urn:")
        )
        digits = re.sub(r"[\s-]", "", bare).upper()
        if re.fullmatch(r"\d{9}[\dX]|\d{13}", digits):
            extracted.isbn = digits
        elif bare.startswith("10."):
            extracted.doi = bare
    return extracted
