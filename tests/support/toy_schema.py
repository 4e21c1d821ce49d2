"""A small schema with one of everything that execution treats specially; its records are in memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any

import strawberry
from graphql import GraphQLSchema
from strawberry import UNSET

from resolvers.scope import Scope
from schema.directives import Constraint
from schema.fields import batch, bind, derived, plain
from sources.errors import NotFound, UpstreamUnavailable


@strawberry.enum(description="What a book is about.")
class Genre(Enum):
    FANTASY = "fantasy"
    SCIENCE_FICTION = "science fiction"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class AuthorRecord:
    key: str
    name: str
    kind: str = "author"


@dataclass(frozen=True, slots=True)
class BookRecord:
    key: str
    title: str
    year: int
    genre: Genre
    author: str
    chapters: tuple[str, ...] = ()
    kind: str = "book"


@dataclass(frozen=True, slots=True)
class PageRecord:
    nodes: Sequence[Any]
    kind: str = "page"

    @property
    def edges(self) -> "tuple[EdgeRecord, ...]":
        return tuple(EdgeRecord(node) for node in self.nodes)


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    node: Any


AUTHORS = {
    key: AuthorRecord(key, name) for key, name in (("leguin", "Ursula K. Le Guin"), ("tey", "Josephine Tey"))
}
BOOKS = tuple(
    BookRecord(key, title, year, genre, author, (f"{title} I", f"{title} II"))
    for key, title, year, genre, author in (
        ("earthsea", "A Wizard of Earthsea", 1968, Genre.FANTASY, "leguin"),
        ("dispossessed", "The Dispossessed", 1974, Genre.SCIENCE_FICTION, "leguin"),
        ("daughter", "The Daughter of Time", 1951, Genre.HISTORY, "tey"),
        ("tombs", "The Tombs of Atuan", 1970, Genre.FANTASY, "leguin"),
    )
)
BY_KEY = {book.key: book for book in BOOKS}


@dataclass
class Diary:
    """What the resolvers did, for tests to read."""

    author_batches: list[tuple[str, ...]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    meeting: asyncio.Barrier | None = None


DIARY = Diary()


async def load_authors(_scope: Scope, keys: Sequence[str], _columns: tuple[str, ...]) -> list[Any]:
    DIARY.author_batches.append(tuple(keys))
    return [AUTHORS[key] for key in keys]


async def load_books_of(
    _scope: Scope, keys: Sequence[str], _columns: tuple[str, ...], first: int = 20
) -> list[Any]:
    return [PageRecord([book for book in BOOKS if book.author == key][:first]) for key in keys]


First = Annotated[int, strawberry.argument(description="Page size.", directives=[Constraint(min=1, max=100)])]


@strawberry.type(description="Who wrote it.")
class Author:
    key: str = plain("Its key.")
    name: str = plain("Its name.")
    books: Annotated["BookConnection", strawberry.lazy("tests.support.toy_schema")] = batch(
        load_books_of, "key", description="What the author wrote."
    )


@strawberry.type(description="A chapter.")
class Chapter:
    title: str = derived(lambda record: record, "title", description="Its title.")


@strawberry.type(description="A book.")
class Book:
    key: str = plain("Its key.")
    title: str = plain("Its title.")
    year: int = plain("Year of its first print.")
    genre: Genre = plain("What it is about.")
    age: int = derived(lambda year: 2026 - year, "year", description="How old it is.")
    author: Author = batch(load_authors, "author", description="Who wrote it.")
    chapters: list[str] = plain("Titles of its chapters.")
    parts: list[Author] = derived(
        lambda key: [AUTHORS[key]], "author", description="A list that nothing bounds."
    )
    heavy: str = derived(lambda key: key, "key", description="Dear to make.", metadata={"cost": 600})


@strawberry.type(description="A book and its place.")
class BookEdge:
    node: Book = plain("The book.")


@strawberry.type(description="A page of books.")
class BookConnection:
    edges: list[BookEdge] = plain("The books with their places.")
    nodes: list[Book] = plain("The books.")


@strawberry.input(description="Which books.")
class BookFilter:
    title: str | None = strawberry.field(
        default=UNSET, description="Part of the title.", directives=[Constraint(min_length=1, max_length=40)]
    )
    key: list[str] | None = strawberry.field(
        default=UNSET, description="Keys.", directives=[Constraint(max_items=3, pattern="[a-z]+")]
    )
    genre: list[Genre] | None = strawberry.field(default=UNSET, description="Genres.")
    year: list[int] | None = strawberry.field(
        default=UNSET, description="Years.", directives=[Constraint(min=1, max=3000)]
    )
    year_min: int | None = strawberry.field(
        default=UNSET, description="Earliest year.", directives=[Constraint(min=1)]
    )
    price: float | None = strawberry.field(default=UNSET, description="Price in gold pieces.")
    any_of: list["BookFilter"] | None = strawberry.field(default=UNSET, description="Any of these.")


def find_books(filter: BookFilter | None = UNSET, first: First = 20) -> Any:
    books = list(BOOKS)
    if filter:
        if filter.genre:
            books = [book for book in books if book.genre in filter.genre]
        if filter.title:
            books = [book for book in books if filter.title.casefold() in book.title.casefold()]
    return PageRecord(books[:first])


def find_book(key: str) -> Any:
    if key not in BY_KEY:
        raise NotFound(f"There is no book `{key}`.", argument="key")
    return BY_KEY[key]


Ids = Annotated[
    list[strawberry.ID], strawberry.argument(description="IDs.", directives=[Constraint(max_items=100)])
]


def find_many(ids: Ids) -> Any:
    return [BY_KEY.get(key) for key in ids]


async def wait_forever() -> str:
    DIARY.started.append("slow")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        DIARY.cancelled.append("slow")
        raise
    raise AssertionError


async def meet() -> int:
    """Ends when two of it have begun."""
    assert DIARY.meeting is not None
    await DIARY.meeting.wait()
    return 2


def fail_upstream() -> str:
    raise UpstreamUnavailable("The toy upstream is down.", upstream="toy")


def fail_inside() -> str:
    raise RuntimeError("password=hunter2")


def echo(text: str) -> str:
    return text


@strawberry.type
class Query:
    books: BookConnection | None = strawberry.field(
        resolver=find_books, description="Books.", graphql_type=BookConnection | None
    )
    book: Book | None = strawberry.field(
        resolver=find_book, description="One book.", graphql_type=Book | None
    )
    many: list[Book | None] | None = strawberry.field(
        resolver=find_many, description="Books by id.", graphql_type=list[Book | None] | None
    )
    slow: str | None = strawberry.field(
        resolver=wait_forever, description="Never ends.", graphql_type=str | None
    )
    meet: int | None = strawberry.field(
        resolver=meet, description="Waits for another of it.", graphql_type=int | None
    )
    down: str | None = strawberry.field(
        resolver=fail_upstream, description="Its upstream is down.", graphql_type=str | None
    )
    broken: str | None = strawberry.field(
        resolver=fail_inside, description="Has a fault.", graphql_type=str | None
    )
    echo: str | None = strawberry.field(resolver=echo, description="Says it again.", graphql_type=str | None)


def toy_schema() -> GraphQLSchema:
    """A fresh schema, bound as the house binds its own."""
    schema = strawberry.Schema(query=Query)._schema
    bind(schema, {"book": "Book", "author": "Author"})
    return schema


def toy_scope() -> Scope:
    """A scope with nothing in it."""
    return Scope(shelves={}, unopened={})
