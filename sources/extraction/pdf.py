"""PDF files."""

from __future__ import annotations

from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PdfReadError, PyPdfError

from sources.extraction.extracted import Extracted, Unreadable, check_length
from sources.extraction.metadata import several, words, year_of

MOST_PAGES = 20_000


def read_pdf(path: Path) -> Extracted:
    """A PDF file page by page. Raises Unreadable for one that is encrypted, broken, or only pictures."""
    try:
        return _read(path)
    except (DependencyError, FileNotDecryptedError) as error:
        raise Unreadable("It is encrypted; its text needs a password.") from error
    except PdfReadError as error:
        raise Unreadable("It is no valid PDF file.") from error
    except PyPdfError as error:
        raise Unreadable("Its text cannot be read.") from error


def _read(path: Path) -> Extracted:
    with path.open("rb") as file:
        reader = PdfReader(file, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("It is encrypted; its text needs a password.")
        pages = len(reader.pages)
        if pages > MOST_PAGES:
            raise Unreadable(f"It has more than {MOST_PAGES:,} pages.")
        extracted = Extracted()
        held = 0
        for number, page in enumerate(reader.pages, 1):
            text = page.extract_text().replace("\0", "")
            held += len(text)
            check_length(held)
            if text.strip():
                extracted.sections.append((number, text))
        if not extracted.sections:
            raise Unreadable("No page of it holds text; its pages may be pictures.")
        told = reader.metadata
        if told is not None:
            extracted.title = words(told.title)
            extracted.authors = several(told.author, ";|, | and | & ")
            # A date of PDF is written without separators: D:20010203040506.
            extracted.year = year_of(str(told.get("/CreationDate", "")).removeprefix("D:")[:4])
            extracted.keywords = several(words(told.get("/Keywords")) or "")
            extracted.summary = words(told.subject)
        return extracted
