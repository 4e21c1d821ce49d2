"""A page of a store's records: slices, cursors, the two page ends, and the count, as far as they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from resolvers import cursor
from resolvers.question import Answer, PageInfo, Question
from sources.criteria import Criteria, predicates
from sources.page import OrderKey, Page, Position, Slice, position_order
from sources.provenance import Provenance


class RecordStore(Protocol):
    """A store that applies every criterion and order itself, and can count."""

    kind: str

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        """A slice of the records that fulfil `criteria`, in `order` with the unique key appended."""
        ...

    async def count(self, criteria: Criteria) -> int:
        """How many records fulfil `criteria`."""
        ...

    def checked(self, position: Position, order: Sequence[OrderKey], argument: str) -> Position:
        """`position`, after checking that its values are of the kinds that `order` compares."""
        ...


async def list_records(store: RecordStore, question: Question, provenance: Provenance) -> Answer:
    """The page that `question` asks of `store`, with `provenance` completed.

    Raises `BadInput` for a cursor of another list. Only what is wanted is read: no select for a bare
    `totalCount`, no count without it, and a page end is probed only where the slice itself does not tell it.
    """
    wanted, page = question.wanted, question.page
    print_ = cursor.fingerprint(store.kind, question.criteria, question.order)
    piece = Slice(
        limit=page.first if page.first is not None else page.last or 0,
        after=_position(store, question, print_, page.after, "after"),
        before=_position(store, question, print_, page.before, "before"),
        backward=page.first is None,
        offset=page.offset,
    )
    provenance.pushed_down.extend(_arguments(question.criteria))
    found = Page([], [], False)
    ends = (False, False)
    if wanted.records or wanted.cursors or wanted.has_next or wanted.has_previous:
        found = await store.select(wanted.columns, question.criteria, question.order, piece)
        provenance.scanned += len(found.records)
        ends = await _ends(store, question, piece, found)
    total = await store.count(question.criteria) if wanted.total_count else None
    minted = found.positions if wanted.cursors else []
    if wanted.only_ends and minted:
        minted = [minted[0], minted[-1]]
    cursors = [cursor.mint(position, print_) for position in minted]
    return Answer(
        nodes=found.records,
        cursors=[] if wanted.only_ends else cursors,
        page_info=PageInfo(
            has_next_page=ends[0],
            has_previous_page=ends[1],
            start_cursor=cursors[0] if cursors else None,
            end_cursor=cursors[-1] if cursors else None,
        ),
        total_count=total,
        provenance=provenance,
    )


def _position(
    store: RecordStore, question: Question, print_: str, text: str | None, argument: str
) -> Position | None:
    if text is None:
        return None
    position = cursor.read(text, print_, len(question.order) + 1, argument=argument)
    return store.checked(position, question.order, argument)


async def _ends(store: RecordStore, question: Question, piece: Slice, found: Page) -> tuple[bool, bool]:
    """Whether records follow and precede the page; true only where it is wanted or known anyway.

    The slice itself tells the end that it was read towards. The other end is open only where a cursor cut it.
    """
    wanted = question.wanted
    following = (
        wanted.has_next and piece.before is not None and await _lies_beyond(store, question, piece, found)
    )
    preceding = (
        wanted.has_previous
        and (piece.after is not None or piece.offset > 0)
        and await _lies_beyond(store, question, piece, found, before=True)
    )
    if piece.backward:
        return following, found.has_more or preceding
    return found.has_more or following, preceding


async def _lies_beyond(
    store: RecordStore, question: Question, piece: Slice, found: Page, *, before: bool = False
) -> bool:
    """Whether the list's last (or, `before`, first) record lies beyond the page.

    For an empty page the cursor that cut it off stands for the page, and its own record counts as beyond.
    """
    outermost = await store.select((), question.criteria, question.order, Slice(1, backward=not before))
    if not outermost.positions:
        return False
    sign = 1 if before else -1
    compare = position_order(question.order)
    if found.positions:
        return sign * compare(outermost.positions[0], found.positions[0 if before else -1]) < 0
    bound = piece.after if before else piece.before
    if bound is None and piece.offset:
        return True  # The list is not empty, and all of it lies before this page.
    return bound is not None and sign * compare(outermost.positions[0], bound) <= 0


def _arguments(criteria: Criteria) -> list[str]:
    names = (predicate.argument.removeprefix("filter.") for predicate in predicates(criteria))
    return list(dict.fromkeys(name for name in names if name))
