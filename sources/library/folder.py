"""Importing a folder of documents: what is new or changed is read, what is gone goes, the rest stays as it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from sources.errors import DataFolderError
from sources.extraction.extracted import Extracted, Unreadable, check_size
from sources.extraction.formats import READERS
from sources.extraction.reader import Reader
from sources.library.catalogue import CHARACTERS_AT_ONCE, Transaction, import_catalogue
from sources.library.chunking import Piece, pieces
from sources.library.identity import LONGEST_KEY, LONGEST_NAME, LONGEST_TITLE, cut, mark_of
from sources.library.keywords import Keyword, keywords
from sources.library.records import DOCUMENT_TYPES, ChunkEntry, DocumentEntry, Mention, Origin
from sources.library.settings import LibrarySettings
from sources.library.similarity import Category, CategoryList
from sources.library.statistics import CATEGORY, DOCUMENT, batches
from sources.library.tally import Tally
from sources.library.write_documents import remove_documents, write_documents
from sources.source import Report
from sources.text_index import index_tokens

CATEGORIES_FILE = "categories.jsonl"
"""A catalogue file in the folder, with the categories that its documents can be put into."""

AT_ONCE = 20
FORMAT = "1"
"""Changes when files must be read anew although they are the same."""


class Reject(NamedTuple):
    """A file that was not taken, and why."""

    path: Path
    reason: str


class _Held(NamedTuple):
    key: str
    digest: str


def import_folder(
    folder: Path, settings: LibrarySettings, begin: Transaction, report: Report
) -> tuple[Tally, list[Reject]]:
    """Imports the documents below a folder, and takes away those that were imported from there and are gone.

    A file that cannot be read is left out, with its reason; what was imported of it before stays. Raises
    DataFolderError when the folder cannot be read, and when it holds no document at all although some were imported
    from there: a drive that is not mounted looks like that.
    """
    folder = folder.resolve()
    tally = Tally()
    files, passed_over = _walk(folder)
    with begin() as connection:
        held = _held(connection, folder)
        prefix = _prefix(connection, folder, held)
    if held and not files:
        raise DataFolderError(
            f"The folder {stored(str(folder))} holds no document any more, so its {len(held)} documents were not "
            "taken away.",
            hint="Check that its drive is mounted. If they are to go, leave one document in it and import it again.",
        )
    digest_of_list = ""
    list_file = folder / CATEGORIES_FILE
    if list_file.is_file() and not list_file.is_symlink():
        tally.add(import_catalogue(list_file, Origin.IMPORT, begin, report))
        digest_of_list = _digest(list_file)
    with begin() as connection:
        categories = _categories(connection)
    work = _Folder(folder, prefix, held, categories, digest_of_list)
    rejects: list[Reject] = []
    present: dict[str, Path] = {}
    for file in files:
        if present.setdefault(work.path(file), file) is not file:
            rejects.append(
                Reject(file, "Its name is no text, and written as text it is that of another file.")
            )
    done = 0
    report(folder.name, 0, len(present))
    with Reader(settings.library_file_seconds, settings.library_file_memory_mb) as reader:
        batch: list[DocumentEntry] = []
        for path, file in present.items():
            try:
                digest = work.digest(file)
                if path in held and held[path].digest == digest:
                    tally.counts["unchanged"] += 1
                else:
                    batch.append(work.entry(file, digest, reader.read(file)))
            except Unreadable as error:
                rejects.append(Reject(file, str(error)))
            done += 1
            if len(batch) == AT_ONCE or sum(map(_characters, batch)) > CHARACTERS_AT_ONCE:
                _write(batch, begin, tally)
                report(folder.name, done, len(present))
        _write(batch, begin, tally)
    gone = [one.key for path, one in held.items() if path not in present]
    for keys in batches(gone):
        with begin() as connection:
            remove_documents(connection, keys)
        tally.counts["removed"] += len(keys)
    if passed_over:
        kinds = ", ".join(f"{number} × {ending}" for ending, number in sorted(passed_over.items()))
        tally.notes.append(f"Files of other kinds were passed over: {kinds}.")
    report(folder.name, len(present), len(present))
    return tally, rejects


def _write(batch: list[DocumentEntry], begin: Transaction, tally: Tally) -> None:
    if batch:
        with begin() as connection:
            tally.add(write_documents(connection, batch, Origin.IMPORT))
        batch.clear()


def _characters(entry: DocumentEntry) -> int:
    return sum(len(chunk.text) for chunk in entry.chunks)


def _walk(folder: Path) -> tuple[list[Path], Counter[str]]:
    """The document files below a folder, sorted, and how many others there are by ending.

    Hidden files and folders are left out, and so are links, which may lead anywhere, and what is no file, such as
    pipes, which may never end.
    """
    files: list[Path] = []
    others: Counter[str] = Counter()
    left = [folder]
    while left:
        place = left.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False):
                        left.append(path)
                    elif not entry.is_file(follow_symlinks=False):
                        continue
                    elif path.suffix.lower() in READERS:
                        files.append(path)
                    elif not (place == folder and entry.name == CATEGORIES_FILE):
                        others[stored(path.suffix.lower()) or "no ending"] += 1
        except OSError as error:
            raise DataFolderError(
                f"The folder {stored(str(place))} cannot be read.",
                hint=f"{error.strerror or error}. Check its rights.",
            ) from error
    return sorted(files), others


def _held(connection: sa.Connection, folder: Path) -> dict[str, _Held]:
    """What was imported from the folder, by path."""
    query = sa.select(DOCUMENT.c.path, DOCUMENT.c.key, DOCUMENT.c.content_hash)
    rows = connection.execute(query.where(DOCUMENT.c.folder == stored(str(folder))))
    return {path: _Held(key, digest) for path, key, digest in rows}


def _prefix(connection: sa.Connection, folder: Path, held: Mapping[str, _Held]) -> str:
    """What the keys of the folder's new documents begin with.

    As those that it has; else its name, and more where other documents have keys that begin with that.
    """
    for path, one in held.items():
        if one.key.endswith(f"/{path}"):
            return one.key.removesuffix(path)
    name = cut(stored(folder.name), 100, 100)
    taken = connection.execute(
        sa.select(DOCUMENT.c.key)
        .where(
            DOCUMENT.c.key >= f"{name}/",
            DOCUMENT.c.key < f"{name}0",  # the character after the slash
            DOCUMENT.c.folder.is_distinct_from(stored(str(folder))),
        )
        .limit(1)
    ).first()
    return f"{name}/" if taken is None else f"{name}-{mark_of(stored(str(folder)))}/"


def _categories(connection: sa.Connection) -> CategoryList:
    """The categories that texts are compared with: those that were defined, not merely named."""
    query = sa.select(CATEGORY.c.key, CATEGORY.c.name, CATEGORY.c.aliases, CATEGORY.c.description)
    rows = connection.execute(query.where(CATEGORY.c.content_hash.is_not(None)))
    return CategoryList(
        Category(key, (name, *orjson.loads(aliases)), description or "")
        for key, name, aliases, description in rows
    )


def _digest(file: Path, start: str = "") -> str:
    hashed = blake2b(start.encode(), digest_size=16)
    with file.open("rb") as opened:
        while part := opened.read(1 << 20):
            hashed.update(part)
    return hashed.hexdigest()


def stored(text: str) -> str:
    """A file's name as it is stored: bytes of it that are no text are spelled out."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")


class _Folder:
    """How the files of one folder become documents."""

    def __init__(
        self,
        folder: Path,
        prefix: str,
        held: Mapping[str, _Held],
        categories: CategoryList,
        digest_of_list: str,
    ) -> None:
        self._folder = folder
        self._prefix = prefix
        self._held = held
        self._categories = categories
        self._digest_of_list = digest_of_list

    def path(self, file: Path) -> str:
        """The path of a file below the folder, as it is stored."""
        return stored(file.relative_to(self._folder).as_posix())

    def digest(self, file: Path) -> str:
        """Identifies what a document is made of. Raises Unreadable when the file cannot be opened."""
        try:
            check_size(file.stat().st_size)
            return _digest(file, f"{FORMAT} {self._digest_of_list} ")
        except OSError as error:
            raise Unreadable(f"It cannot be opened: {error.strerror or type(error).__name__}.") from error

    def _key(self, path: str) -> str:
        """A document keeps its key as long as its file stays where it is."""
        if path in self._held:
            return self._held[path].key
        key = self._prefix + path
        return key if cut(key, LONGEST_KEY) == key else f"{cut(key, 160)}-{_mark(path)}"

    def entry(self, file: Path, digest: str, read: Extracted) -> DocumentEntry:
        """The document that a file is."""
        path = self.path(file)
        name = stored(file.stem)
        title = cut(read.title or spoken(name) or name, LONGEST_TITLE)
        found = pieces(read.sections)
        text = "\n\n".join(piece.text for piece in found if not piece.is_reference)
        named = keywords(text, title)
        spoken_of = _spoken_of(named, found)
        plain: Mapping[str, Any] = {
            name: getattr(read, name)
            for name in ("year", "publisher", "isbn", "doi", "arxiv_id", "venue", "abstract", "summary")
        }
        return DocumentEntry(
            key=self._key(path),
            title=title,
            digest=digest,
            authors=tuple(read.authors),
            type=read.type if read.type in DOCUMENT_TYPES else "unknown",
            keywords=tuple(read.keywords),
            folder=stored(str(self._folder)),
            path=path,
            categories=self._categories_of(file, title, text, read),
            concepts=tuple(_mention(keyword, found, spoken_of) for keyword in named),
            chunks=tuple(
                ChunkEntry(
                    piece.text,
                    piece.page,
                    piece.is_reference,
                    piece.has_math,
                    piece.has_extraction_issues,
                    phrases,
                )
                for piece, phrases in zip(found, spoken_of, strict=True)
            ),
            **plain,
        )

    def _categories_of(self, file: Path, title: str, text: str, read: Extracted) -> tuple[str, ...]:
        """What front matter says; else the folder that the file stands in; else the category that fits best."""
        if read.categories:
            return tuple(dict.fromkeys(cut(name, LONGEST_NAME) for name in read.categories))
        if file.parent != self._folder:
            name = stored(file.parent.name)
            return (cut(spoken(name) or name, LONGEST_NAME),)
        nearest = self._categories.nearest(title, text)
        return () if nearest is None else (nearest,)


def spoken(name: str) -> str:
    """A file's name as a person would write it."""
    return " ".join(name.replace("_", " ").replace("-", " ").split())


def _mark(path: str) -> str:
    return blake2b(path.encode(), digest_size=8).hexdigest()


def _spoken_of(named: list[Keyword], found: list[Piece]) -> list[tuple[str, ...]]:
    """The keywords that each piece of text holds, as whole words."""
    words = [(one.phrase, f" {' '.join(index_tokens(one.phrase))} ") for one in named]
    texts = [f" {' '.join(index_tokens(piece.text))} " for piece in found]
    return [tuple(phrase for phrase, wanted in words if wanted in text) for text in texts]


def _mention(keyword: Keyword, found: list[Piece], spoken_of: list[tuple[str, ...]]) -> Mention:
    pages = {
        piece.page
        for piece, phrases in zip(found, spoken_of, strict=True)
        if piece.page is not None and keyword.phrase in phrases
    }
    return Mention(keyword.phrase, keyword.weight, tuple(sorted(pages)), "keyword")
