"""Trying Open5e: what it does as declared, what it was changed to ignore, and what cannot be told."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sources.dnd.open5e_client import Open5e
from sources.dnd.open5e_endpoints import ENDPOINTS
from sources.dnd.open5e_probe import probe_open5e
from sources.errors import UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.source import ProbeVerdict
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down
from tests.support.live import check_requests


@pytest.fixture
async def client(open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", open5e.url))
    await http.close()


async def test_everything_is_as_declared(client: Open5e, open5e: FakeOpen5e) -> None:
    probes = await probe_open5e(client)
    assert [probe for probe in probes if probe.verdict is ProbeVerdict.DIFFERS] == []
    untried = {(probe.where, probe.parameter) for probe in probes if probe.verdict is ProbeVerdict.UNTRIED}
    # Magic items of these documents have neither a price nor a weight, and their few feats and backgrounds one name.
    assert untried == {
        *(("/magicitems/", f"{name}__{bound}") for name in ("cost", "weight") for bound in ("gte", "lte")),
        *((path, f"name__{way}") for path in ("/backgrounds/", "/feats/") for way in ("icontains", "iexact")),
    }
    abilities = [endpoint.abilities for endpoint in ENDPOINTS.values()]
    orders = [one.sort for one in abilities if one.sort is not None]
    assert len(probes) == sum(len(one.filters) for one in abilities) + sum(
        len(sort.ascending) + len(sort.descending) for sort in orders
    )
    check_requests(open5e)


async def test_what_is_ignored_or_loses_rows_differs(client: Open5e, open5e: FakeOpen5e) -> None:
    open5e.ignored |= {"school__key", "ordering"}
    open5e.losing |= {"type"}
    probes = await probe_open5e(client)
    differ = {(probe.where, probe.parameter) for probe in probes if probe.verdict is ProbeVerdict.DIFFERS}
    assert differ >= {("/spells/", "school__key"), ("/spells/", "ordering"), ("/creatures/", "type")}
    assert ("/spells/", "level") not in differ
    (school,) = [probe for probe in probes if probe.parameter == "school__key"]
    spells = len(open5e.corpus.keys("spells"))
    assert f"{spells} of {spells}" in school.detail


async def test_an_outage_is_an_error(client: Open5e, open5e: FakeOpen5e) -> None:
    open5e.faults.always(Down())
    with pytest.raises(UpstreamUnavailable):
        await probe_open5e(client)
