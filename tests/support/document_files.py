"""Document files for tests: real PDF, EPUB, HTML, Markdown and text files, and such as are made to do harm."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from pypdf import PdfReader, PdfWriter


def pdf(pages: Sequence[str], title: str | None = None, author: str | None = None, year: int = 2001) -> bytes:
    """A PDF file with a page for each text (Latin letters), and its document properties."""
    count = len(pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(count))}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        lines = [
            line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in text.split("\n")
        ]
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 72 770 Td {shown} ET".encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    told = "".join(
        f"/{name} ({value}) " for name, value in (("Title", title), ("Author", author)) if value is not None
    )
    objects.append(f"<< {told}/CreationDate (D:{year}0203040506Z) >>".encode("cp1252"))
    out = BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(
        b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, len(objects), start)
    )
    return out.getvalue()


def encrypted_pdf(password: str) -> bytes:
    """A PDF file that only its password opens."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(["Secret."]))))
    writer.encrypt(password, algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def epub(
    chapters: Sequence[str],
    *,
    title: str = "A book",
    author: str = "A. Writer",
    isbn: str | None = None,
    extra: str = "",
) -> bytes:
    """An EPUB file whose chapters are these pieces of HTML, in this order."""
    names = [f"chapter {number}.xhtml" for number in range(1, len(chapters) + 1)]
    items = "".join(
        f'<item id="c{number}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(names)))
    identifier = f"<dc:identifier>urn:isbn:{isbn}</dc:identifier>" if isbn else ""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip", ZIP_STORED)
        archive.writestr(
            "META-INF/container.xml",
            '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/>'
            "</rootfiles></container>",
        )
        archive.writestr(
            "OPS/book.opf",
            '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:date>2011-05-06</dc:date>"
            f"{identifier}{extra}</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for name, chapter in zip(names, chapters, strict=True):
            archive.writestr(
                f"OPS/{name}",
                f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>'
                f"<body>{chapter}</body></html>",
                ZIP_DEFLATED,
            )
    return out.getvalue()


def zip_bomb(megabytes: int) -> bytes:
    """A small EPUB file with a chapter that unpacks to this much."""
    return epub(["<p>" + "a" * (megabytes * 2**20) + "</p>"])
