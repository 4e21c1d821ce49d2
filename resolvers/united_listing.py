"""A page of one kind of record that an upstream keeps in several lists.

Each list answers the same question for itself, from the same cursor: the first records of the union are among
the first of each. A list is asked only where the filter leaves any of its records possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cmp_to_key
from typing import Any

from resolvers import cursor
from resolvers.planned_listing import ListUpstream, list_planned, together
from resolvers.question import Answer, PageInfo, Question, Wanted
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate, matches, predicates
from sources.page import position_of, position_order
from sources.provenance import Provenance
from sources.united_lists import Part, UnitedLists

_NONE: Mapping[str, Predicate] = {}
NOTHING = AnyOf()
"""Criteria that no record fulfils."""


async def list_united(
    united: UnitedLists[ListUpstream], question: Question, provenance: Provenance
) -> Answer:
    """The page that `question` asks of the union, with `provenance` completed. Raises as `list_planned` does."""
    print_ = cursor.fingerprint(united.kind, question.criteria, question.order)
    asked = [(part, narrowed(question.criteria, part.possible, part.implied)) for part in united.parts]
    asked = [(part, criteria) for part, criteria in asked if criteria != NOTHING]
    # Where no list can have a record, one still checks the page that is asked for.
    asked = asked or [(united.parts[0], NOTHING)]
    accounts = [replace(provenance, pushed_down=[], residual=[], warnings=[]) for _ in asked]
    found: list[Answer | None] = [None] * len(asked)

    async def ask(place: int) -> None:
        part, criteria = asked[place]
        own = replace(question, criteria=criteria, wanted=_early(part, criteria, question))
        found[place] = await list_planned(part.upstream, own, accounts[place], list_print=print_)

    await together([ask(place) for place in range(len(asked))])
    answers = [answer for answer in found if answer is not None]
    _account(provenance, question, [part for part, _ in asked], accounts)
    answer = _merged(united, question, answers, provenance)
    owners = {id(node): part for (part, _), one in zip(asked, answers, strict=True) for node in one.nodes}
    return await _widened(answer, question, asked, owners)


def _late(part: Part[ListUpstream], criteria: Criteria, question: Question) -> Sequence[str]:
    """The columns that are read for the page alone. Records that are asked for by key are few anyway."""
    used = {predicate.attribute for predicate in predicates(criteria)}
    used |= {one.attribute for one in question.order}
    if part.whole is None or part.upstream.key in used or not used.isdisjoint(part.costly):
        return ()
    return [column for column in question.wanted.columns if column in part.costly]


def _early(part: Part[ListUpstream], criteria: Criteria, question: Question) -> Wanted:
    late = _late(part, criteria, question)
    if not late:
        return question.wanted
    columns = [column for column in question.wanted.columns if column not in late]
    return replace(question.wanted, columns=tuple(dict.fromkeys((*columns, part.upstream.key))))


async def _widened(
    answer: Answer,
    question: Question,
    asked: Sequence[tuple[Part[ListUpstream], Criteria]],
    owners: Mapping[int, Part[ListUpstream]],
) -> Answer:
    """`answer` with the columns that were left for later; a record that has gone since is told of."""
    late = [part for part, criteria in asked if _late(part, criteria, question)]
    full: dict[int, Any] = {id(node): node for node in answer.nodes if owners[id(node)] not in late}

    async def read(part: Part[ListUpstream]) -> None:
        nodes = {node.key: node for node in answer.nodes if owners[id(node)] is part}
        if nodes and part.whole is not None:
            columns = tuple(dict.fromkeys((*question.wanted.columns, part.upstream.key)))
            whole = await part.whole(list(nodes), columns)
            full.update((id(node), whole[key]) for key, node in nodes.items() if key in whole)

    await together([read(part) for part in late])
    kept = [place for place, node in enumerate(answer.nodes) if id(node) in full]
    if len(kept) < len(answer.nodes):
        answer.provenance.complete = False
        answer.provenance.warnings.append("Records of this page have gone while it was read.")
    return replace(
        answer,
        nodes=[full[id(answer.nodes[place])] for place in kept],
        cursors=[answer.cursors[place] for place in kept] if answer.cursors else answer.cursors,
        total_count=answer.total_count if len(kept) == len(answer.nodes) else None,
    )


def narrowed(
    criteria: Criteria,
    possible: Mapping[str, Collection[Any]],
    implied: Mapping[str, Predicate] = _NONE,
) -> Criteria:
    """`criteria` for records whose attributes have only these values: without what is then always or never true.

    `EVERYTHING` when all of them fulfil it, `NOTHING` when none can. A condition on an attribute that only some
    records have says which, as `implied` does.
    """
    match criteria:
        case Predicate():
            values = possible.get(criteria.attribute)
            if values is None:
                needs = implied.get(criteria.attribute)
                return criteria if needs is None else All((needs, criteria))
            if criteria.op is Op.IN:
                hits = tuple(value for value in criteria.value if value in values)
                if not hits:
                    return NOTHING
                return EVERYTHING if set(values) <= set(hits) else replace(criteria, value=hits)
            results = {matches(criteria, value, _itself) for value in values}
            if results == {True}:
                return EVERYTHING
            return NOTHING if results == {False} else criteria
        case All(parts):
            kept = [
                part for part in (narrowed(part, possible, implied) for part in parts) if part != EVERYTHING
            ]
            return NOTHING if NOTHING in kept else All(tuple(kept))
        case AnyOf(parts):
            kept = [part for part in (narrowed(part, possible, implied) for part in parts) if part != NOTHING]
            return EVERYTHING if EVERYTHING in kept else AnyOf(tuple(kept))
        case Not(part):
            inner = narrowed(part, possible, implied)
            if inner == EVERYTHING:
                return NOTHING
            return EVERYTHING if inner == NOTHING else Not(inner)


def _itself(value: Any, attribute: str) -> Any:
    return value


def _merged(
    united: UnitedLists[ListUpstream], question: Question, answers: Sequence[Answer], provenance: Provenance
) -> Answer:
    upstream = united.parts[0].upstream
    by_position = cmp_to_key(position_order(question.order))
    rows = [
        (position_of(node, question.order, upstream.key, upstream.read), node, cursor_)
        for answer in answers
        for node, cursor_ in zip(answer.nodes, answer.cursors or [""] * len(answer.nodes), strict=True)
    ]
    rows.sort(key=lambda row: by_position(row[0]))
    first = question.page.first or 0
    page = rows[:first]
    cursors = [cursor_ for _, _, cursor_ in page] if question.wanted.cursors else []
    counts = [answer.total_count for answer in answers if answer.total_count is not None]
    return Answer(
        nodes=[node for _, node, _ in page],
        cursors=cursors,
        page_info=PageInfo(
            has_next_page=len(rows) > first or any(answer.page_info.has_next_page for answer in answers),
            has_previous_page=any(answer.page_info.has_previous_page for answer in answers),
            start_cursor=cursors[0] if cursors else None,
            end_cursor=cursors[-1] if cursors else None,
        ),
        total_count=sum(counts) if len(counts) == len(answers) else None,
        provenance=provenance,
    )


def _account(
    whole: Provenance,
    question: Question,
    parts: Sequence[Part[ListUpstream]],
    accounts: Sequence[Provenance],
) -> None:
    """What the union cost. A condition that only chose among the lists was left to the upstream."""
    whole.scanned += sum(one.scanned for one in accounts)
    whole.upstream_requests += sum(one.upstream_requests for one in accounts)
    read = [one for one in accounts if _was_read(one)]
    whole.fetched_at = min((one.fetched_at for one in read if one.fetched_at is not None), default=None)
    whole.from_cache = bool(read) and all(one.from_cache for one in read)
    whole.stale = any(one.stale for one in accounts)
    whole.complete = whole.complete and all(one.complete for one in accounts)
    whole.residual = _unique(name for one in accounts for name in one.residual)
    named = (predicate.argument.removeprefix("filter.") for predicate in predicates(question.criteria))
    whole.pushed_down = _unique(name for name in named if name and name not in whole.residual)
    whole.warnings.extend(_unique(warning for one in accounts for warning in one.warnings))
    queries = [
        f"{part.label}?{one.effective_query}" if one.effective_query else part.label
        for part, one in zip(parts, accounts, strict=True)
        if _was_read(one)
    ]
    whole.effective_query = " ; ".join(queries) or None


def _was_read(account: Provenance) -> bool:
    return account.upstream_requests > 0 or account.from_cache


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
