"""Trying on a live Open5e what is declared of it: each filter beside the same filter applied here.

An upstream that renames a parameter answers the whole list without a word. So each entry of each allow-list is
sent with a value that tells a filtered list from a whole one, and what comes back is compared with the records
that fulfil it. The planner does the same with every page that it reads, and stops trusting what differs; this
says so before anybody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sources.ability import Ability, Fidelity, Takes
from sources.criteria import Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import Open5e, Open5eList
from sources.dnd.open5e_endpoint import PAGE_SIZE, Endpoint
from sources.dnd.open5e_endpoints import ENDPOINTS
from sources.errors import BadInput, UpstreamBadResponse
from sources.page import OrderKey, sorted_records
from sources.source import Probe, ProbeVerdict

_ENOUGH = 0.5
"""A value that this share of all records fulfils, or less, tells a filter from none."""
_CANDIDATES = 40


async def probe_open5e(open5e: Open5e) -> list[Probe]:
    """Every filter and order of every list, in the order of the declarations. Raises `UpstreamError`."""
    found: list[Probe] = []
    for endpoint in ENDPOINTS.values():
        found += await _probe_list(open5e, endpoint)
    return found


async def _probe_list(open5e: Open5e, endpoint: Endpoint) -> list[Probe]:
    upstream = open5e.one(endpoint.name, Cost())
    sort = endpoint.abilities.sort
    attributes = {ability.attribute for ability in endpoint.abilities.filters}
    attributes |= set(sort.ascending) if sort is not None else set()
    columns = tuple(sorted({"key", *attributes}))
    everything = {record.key: record for record in await _read(upstream, {}, columns)}
    probes = [
        await _probe_filter(upstream, endpoint, ability, everything) for ability in endpoint.abilities.filters
    ]
    if sort is not None:
        for words, descending in ((sort.ascending, False), (sort.descending, True)):
            for attribute in words:
                order = (OrderKey(attribute, descending), OrderKey("key"))
                probes.append(await _probe_order(upstream, endpoint, order, everything))
    return probes


async def _read(upstream: Open5eList, parameters: Mapping[str, str], columns: Sequence[str]) -> list[Any]:
    records: list[Any] = []
    more = True
    while more:
        page = await upstream.fetch(parameters, len(records), PAGE_SIZE, columns)
        if page.has_more and len(page.records) != PAGE_SIZE:
            raise UpstreamBadResponse(
                f"{upstream.name} holds a {upstream.kind} that cannot be read.", upstream=upstream.name
            )
        records += page.records
        more = page.has_more
    return records


async def _probe_filter(
    upstream: Open5eList, endpoint: Endpoint, ability: Ability, everything: Mapping[str, Any]
) -> Probe:
    name = ", ".join(ability.names)
    value = _telling_value(ability, everything.values(), upstream)
    if value is None:
        return Probe(endpoint.path, name, ProbeVerdict.UNTRIED, "no value of the records tells anything")
    asked: list[tuple[Criteria, dict[str, str] | None]] = [
        (_predicate(ability, value), ability.parameters(value))
    ]
    if ability.negated is not None:
        asked.append((Not(_predicate(ability, value)), ability.parameters(value, negated=True)))
    details = []
    agrees = True
    for criteria, parameters in asked:
        sent = "&".join(f"{key}={text}" for key, text in sorted((parameters or {}).items()))
        meant = {key for key, record in everything.items() if matches(criteria, record, upstream.read)}
        try:
            got = {record.key for record in await _read(upstream, parameters or {}, ("key",))}
        except (UpstreamBadResponse, BadInput) as error:
            agrees = False
            details.append(f"{sent}: {error.message}")
            continue
        exact = ability.fidelity is Fidelity.EXACT
        agrees &= len(got) < len(everything)
        agrees &= got == meant if exact else got <= meant or ability.fidelity is Fidelity.SUPERSET
        agrees &= ability.fidelity is not Fidelity.SUPERSET or got >= meant
        details.append(f"{sent}: {len(got)} of {len(everything)}, {len(meant)} meant")
    return Probe(
        endpoint.path, name, ProbeVerdict.AGREES if agrees else ProbeVerdict.DIFFERS, "; ".join(details)
    )


async def _probe_order(
    upstream: Open5eList, endpoint: Endpoint, order: tuple[OrderKey, ...], everything: Mapping[str, Any]
) -> Probe:
    sort = endpoint.abilities.sort
    parameters = sort.parameters(order, "key") if sort is not None else None
    sent = "&".join(f"{key}={text}" for key, text in (parameters or {}).items())
    got = [record.key for record in await _read(upstream, parameters or {}, ("key",))]
    meant = [record.key for record in sorted_records(everything.values(), order, "key")]
    agrees = got == meant
    detail = f"{sent}: {len(got)} records " + ("in order" if agrees else "in another order")
    verdict = ProbeVerdict.AGREES if agrees else ProbeVerdict.DIFFERS
    return Probe(endpoint.path, "ordering", verdict, detail)


def _predicate(ability: Ability, value: Any) -> Predicate:
    if ability.op is Op.HAS_ANY and not isinstance(value, tuple):
        value = (value,)
    return Predicate(ability.attribute, ability.op, value)


def _telling_value(ability: Ability, records: Iterable[Any], upstream: Open5eList) -> Any:
    """A value that some records fulfil and the others do not: of those tried, the one that most fulfil up to
    half of all; None when there is none, or when it cannot be written."""
    records = list(records)
    best, best_count = None, 0
    for value in _candidates(ability, records, upstream):
        if ability.parameters(value) is None:
            continue
        wanted = _predicate(ability, value)
        count = sum(matches(wanted, record, upstream.read) for record in records)
        if best_count < count <= _ENOUGH * len(records) or (best is None and 0 < count < len(records)):
            best, best_count = value, count
    return best


def _candidates(ability: Ability, records: Sequence[Any], upstream: Open5eList) -> Iterator[Any]:
    held: Counter[Any] = Counter()
    for record in records:
        value = upstream.read(record, ability.attribute)
        held.update(value if isinstance(value, tuple | list) else () if value is None else (value,))
    common = [value for value, _ in held.most_common(_CANDIDATES)]
    match ability.op:
        case Op.CONTAINS:
            # A part of a word, so that a filter for whole texts is told from one for parts.
            yield from (str(value)[1:5].strip() for value in common if len(str(value)) > 5)
        case Op.IN if ability.takes is Takes.RANGE:
            whole = sorted(value for value in held if isinstance(value, int))
            yield from (pair for pair in pairwise(whole) if pair[1] == pair[0] + 1)
        case Op.IN | Op.HAS_ANY if ability.takes is Takes.LIST:
            yield from pairwise(common)
            yield from ((one,) for one in common)
        case _:
            yield from common
