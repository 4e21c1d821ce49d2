"""One list that lies in several lists of an upstream: each is asked for its part, and the parts are merged.

Conditions on what all records of a part have in common (their kind, or that they lack an attribute) are decided
before anything is asked: a part that cannot hold a record that is meant is not asked at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from resolvers.planned_listing import Found, ListUpstream, answer_of, position_after, read_planned, together
from resolvers.pushdown import Either, normal_form
from resolvers.question import Answer, Question
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Predicate, matches, predicates
from sources.page import Position, sorted_records
from sources.provenance import Provenance

NOTHING = AnyOf()


class PartUpstream(ListUpstream, Protocol):
    """A client of one list endpoint that holds a part of a longer list.

    - `common`: attributes of which each of its records has one of these values: `(None,)` where all lack it
    - `costly`: attributes that make its list slow. They are read by key, for the records of the page alone,
      unless they are needed to find those
    """

    common: Mapping[str, tuple[Any, ...]]
    costly: Collection[str]

    async def whole(self, keys: Sequence[str], columns: Sequence[str]) -> Mapping[str, Any]:
        """The records that exist among `keys`, by key. Their requests count to the question's cost."""
        ...


async def list_union(
    parts: Sequence[PartUpstream], question: Question, provenance: Provenance, *, kind: str
) -> Answer:
    """The page that `question` asks of the union of `parts`, with `provenance` completed.

    `kind` is that of the whole list; all parts have the same unique key. Raises as
    `resolvers/planned_listing.py`'s `list_planned`, of any part. `total_count` is None when the answer is not
    complete.
    """
    after = position_after(question, kind)
    asked = [
        _Part(part, criteria, Provenance(provenance.source))
        for part in parts
        if normal_form(criteria := within_part(question.criteria, part.common)) != Either()
    ]
    await together([part.read(question, after) for part in asked])
    _account(provenance, asked, question.criteria)
    found = _merged(asked, question)
    chosen = {id(record): part for part in asked for record in part.found.records}
    found.records = await _widened(found.records, chosen, question, provenance)
    return answer_of(found, question, kind, parts[0].key, parts[0].read, provenance)


def within_part(criteria: Criteria, common: Mapping[str, tuple[Any, ...]]) -> Criteria:
    """`criteria` for records that have these values in common: what they decide is decided."""
    match criteria:
        case Predicate(attribute) if attribute in common:
            verdicts = {matches(criteria, value, _itself) for value in common[attribute]}
            if len(verdicts) > 1:
                return criteria
            return EVERYTHING if verdicts == {True} else NOTHING
        case Predicate():
            return criteria
        case All(parts):
            return All(tuple(within_part(part, common) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(within_part(part, common) for part in parts))
        case Not(part):
            return Not(within_part(part, common))


def _itself(value: Any, _attribute: str) -> Any:
    return value


@dataclass(slots=True)
class _Part:
    """One part, and what was found in it."""

    upstream: PartUpstream
    criteria: Criteria
    provenance: Provenance
    found: Found = field(default_factory=lambda: Found([]))
    late: tuple[str, ...] = ()

    async def read(self, question: Question, after: Position | None) -> None:
        columns = question.wanted.columns
        used = {predicate.attribute for predicate in predicates(self.criteria)}
        used |= {part.attribute for part in question.order}
        if used.isdisjoint(self.upstream.costly) and "key" not in used:
            self.late = tuple(column for column in columns if column in self.upstream.costly)
        early = tuple(column for column in columns if column not in self.late)
        wanted = replace(question.wanted, columns=(*early, self.upstream.key) if self.late else early)
        asked = replace(question, criteria=self.criteria, wanted=wanted)
        self.found = await read_planned(self.upstream, asked, after, self.provenance)


def _merged(parts: Sequence[_Part], question: Question) -> Found:
    if not parts:
        return Found([], total=0)
    first = question.page.first or 0
    upstream = parts[0].upstream
    records = [record for part in parts for record in part.found.records]
    merged = sorted_records(records, question.order, upstream.key, upstream.read)
    totals = [part.found.total for part in parts]
    counted = [total for total in totals if total is not None]
    return Found(
        records=merged[:first],
        total=sum(counted) if len(counted) == len(totals) else None,
        has_next=len(merged) > first or any(part.found.has_next for part in parts),
        has_previous=any(part.found.has_previous for part in parts),
    )


async def _widened(
    records: list[Any], chosen: Mapping[int, _Part], question: Question, provenance: Provenance
) -> list[Any]:
    """`records` with the attributes that were left for later; one that has gone since is told of."""
    late: dict[int, list[str]] = {}
    parts = {id(part): part for part in chosen.values() if part.late}
    for record in records:
        part = chosen[id(record)]
        if part.late:
            late.setdefault(id(part), []).append(record.key)
    whole: dict[int, Mapping[str, Any]] = {}

    async def read(part: _Part, keys: Sequence[str]) -> None:
        used = (predicate.attribute for predicate in predicates(part.criteria))
        order = (one.attribute for one in question.order)
        columns = tuple(dict.fromkeys((*question.wanted.columns, *used, *order, part.upstream.key)))
        whole[id(part)] = await part.upstream.whole(keys, columns)

    await together([read(parts[number], keys) for number, keys in late.items()])
    found = []
    for record in records:
        part = chosen[id(record)]
        full = whole[id(part)].get(record.key) if part.late else record
        if full is not None:
            found.append(full)
        else:
            provenance.complete = False
            provenance.warnings.append(f"{part.upstream.name} no longer gave the record `{record.key}`.")
    return found


def _account(provenance: Provenance, parts: Sequence[_Part], criteria: Criteria) -> None:
    """Adds up what the parts cost. A filter counts as pushed where no part had to apply it here."""
    accounts = [part.provenance for part in parts]
    residual = [name for account in accounts for name in account.residual]
    provenance.residual.extend(dict.fromkeys(residual))
    names = (predicate.argument.removeprefix("filter.") for predicate in predicates(criteria))
    provenance.pushed_down.extend(name for name in dict.fromkeys(names) if name and name not in residual)
    queries = [
        f"{part.upstream.kind}: {part.provenance.effective_query}"
        for part in parts
        if part.provenance.effective_query
    ]
    provenance.effective_query = " ; ".join(queries) or None
    read = [account for account in accounts if account.fetched_at is not None]
    provenance.from_cache = bool(read) and all(account.from_cache for account in read)
    provenance.fetched_at = min((account.fetched_at for account in read if account.fetched_at), default=None)
    for account in accounts:
        provenance.stale = provenance.stale or account.stale
        provenance.complete = provenance.complete and account.complete
        provenance.scanned += account.scanned
        provenance.upstream_requests += account.upstream_requests
        provenance.warnings.extend(
            warning for warning in account.warnings if warning not in provenance.warnings
        )
