"""Events: the list, one event, and events by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from resolvers.events.visibility import check_statuses, only_visible, visible_statuses
from resolvers.listing import list_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.criteria import Criteria, Op, predicates
from sources.errors import NotFound, shorten
from sources.events.store import EventsShelf, sample_notice
from sources.page import OrderKey, Record
from sources.provenance import Provenance

NEWEST = (OrderKey("timestamp", descending=True), OrderKey("key", descending=True))


@dataclass(frozen=True, slots=True)
class EventPage(Answer):
    """A page of events, with the number and the size that it was asked by; no number after a cursor."""

    page: int | None
    limit: int


def order_by(attribute: str, *, descending: bool) -> tuple[OrderKey, ...]:
    """The order by one attribute: the newest first among equals, then by key, so that it is total."""
    if attribute == "timestamp":
        return (OrderKey("timestamp", descending), OrderKey("key", descending))
    return (OrderKey(attribute, descending), *NEWEST)


async def find_events(scope: Scope, question: Question, page: int | None) -> EventPage:
    """The events that `question` asks for; `page` is the number of the page, for the answer to repeat.

    Raises `Forbidden` for a status that the caller may not see, and `BadInput` for a cursor of another list.
    """
    shelf = scope.shelf("events", EventsShelf)
    check_statuses(scope, statuses_of(question.criteria))
    provenance = await provenance_of(scope, shelf, question.criteria)
    answer = await list_records(shelf.events, question, provenance)
    parts = {field.name: getattr(answer, field.name) for field in fields(Answer)}
    return EventPage(**parts, page=page, limit=question.page.first or 0)


async def get_event(scope: Scope, key: str, columns: Sequence[str]) -> Record:
    """One event by its key. Raises `NotFound`, also for one that the caller may not see."""
    found = await events_by_key(scope, [key], columns)
    if key not in found:
        raise NotFound(f"No event has the id `{shorten(key)}`.", argument="id")
    return found[key]


async def events_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The events that exist among `keys` and that the caller may see."""
    store = scope.shelf("events", EventsShelf).events
    wanted = tuple(sorted({*columns, "key"}))
    return await store.by_keys(keys, wanted, only_visible(scope))


def statuses_of(criteria: Criteria) -> tuple[str, ...]:
    """The statuses that a question asks for."""
    return tuple(status for one in predicates(criteria) if one.attribute == "status" for status in one.value)


async def provenance_of(scope: Scope, shelf: EventsShelf, criteria: Criteria) -> Provenance:
    """Where an answer to `criteria` comes from, with a warning for the sample and for words that no event has."""
    held = await shelf.holdings()
    provenance = Provenance("events", providers=("local",), fetched_at=held.changed_at)
    notice = sample_notice(held)
    if notice is not None:
        provenance.warnings.append(notice)
    statuses = sorted(visible_statuses(scope))
    for one in predicates(criteria):
        if one.op is Op.HAS_ANY and one.attribute in ("tags", "entities"):
            unknown = await shelf.unknown(one.attribute, one.value, statuses)
            what = "tag" if one.attribute == "tags" else "entity"
            provenance.warnings.extend(f"No event has the {what} `{shorten(word)}`." for word in unknown)
    return provenance
