"""Trying on a live D&D 5e API what is declared of its lists: each filter beside the same filter applied here.

It reads all spells and monsters whole, some 650 requests, since a list does not tell what it filtered by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sources.ability import Ability, Fidelity
from sources.criteria import Op, Predicate, matches
from sources.dnd.dnd5e_client import Dnd5e
from sources.dnd.dnd5e_endpoints import CREATURE_LIST, SPELL_LIST, Endpoint, compile_query
from sources.dnd.live_index import Cost
from sources.errors import UpstreamBadResponse
from sources.source import Probe, ProbeVerdict

_VALUES: Mapping[tuple[str, Op], Any] = {
    ("name", Op.CONTAINS): "IRE",
    ("name", Op.FOLDED_EQUALS): None,
    ("level", Op.IN): (3, 5),
    ("level", Op.AT_LEAST): 8,
    ("level", Op.AT_MOST): 1,
    ("school", Op.IN): ("illusion", "necromancy"),
    ("challenge_rating", Op.IN): (0.25, 17.0),
    ("challenge_rating", Op.AT_LEAST): 20.0,
    ("challenge_rating", Op.AT_MOST): 0.125,
}
"""For each filter a value that some records of the SRD 5.1 fulfil and most do not; None: the name of one of them."""
_WHOLE = 10_000


async def probe_dnd5e(dnd5e: Dnd5e) -> list[Probe]:
    """Every filter of the lists that have any. Raises `UpstreamError`."""
    return [probe for endpoint in (SPELL_LIST, CREATURE_LIST) for probe in await _probe_list(dnd5e, endpoint)]


async def _probe_list(dnd5e: Dnd5e, endpoint: Endpoint) -> list[Probe]:
    tried = [one for one in endpoint.abilities.filters if (one.attribute, one.op) in _VALUES]
    columns = tuple(sorted({"key", *(one.attribute for one in tried)}))
    cost = Cost()
    records = (await dnd5e.list(endpoint.kind, cost).fetch({}, 0, _WHOLE, columns)).records
    if cost.losses:
        raise UpstreamBadResponse(cost.losses[0], upstream=dnd5e.name)
    everything = {record.key: record for record in records}
    return [await _probe_filter(dnd5e, endpoint, ability, everything) for ability in tried]


async def _probe_filter(
    dnd5e: Dnd5e, endpoint: Endpoint, ability: Ability, everything: Mapping[str, Any]
) -> Probe:
    value = _VALUES[ability.attribute, ability.op]
    if value is None:
        value = min(record.name for record in everything.values()).upper()
    conditions = ability.parameters(value) or {}
    sent = "&".join(f"{name}={text}" for name, text in compile_query(endpoint, conditions).parameters)
    wanted = Predicate(ability.attribute, ability.op, value)
    meant = {key for key, record in everything.items() if matches(wanted, record)}
    page = await dnd5e.list(endpoint.kind, Cost()).fetch(conditions, 0, _WHOLE, ("key",))
    got = {record.key for record in page.records}
    agrees = len(got) < len(everything) and (
        got == meant if ability.fidelity is Fidelity.EXACT else bool(got) and got <= meant
    )
    return Probe(
        f"/{endpoint.collections[0].path}",
        ability.names[0],
        ProbeVerdict.AGREES if agrees else ProbeVerdict.DIFFERS,
        f"{sent}: {len(got)} of {len(everything)}, {len(meant)} meant",
    )
