"""The fake search engine finds what Lucene found with CKAN's analyzers, row for row."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.fake_ckan import FakeCkan

ERROR = "syntax error"
SEVEN = "siti contaminati bonifica aree industriali dismesse Puglia"

# What is sent, how many are found, and where it was measured, which in their order.
GOLDEN: list[tuple[str, int | str, str | None]] = [
    ("aria", 3, "02 01 04"),
    ("aria Milano", 2, "01 04"),
    ("aria OR Milano", 2, "01 04"),
    ("text:(aria OR Milano)", 4, "01 04 02 03"),
    ("aria OR acqua OR rifiuti", 1, "04"),
    ("text:(aria OR acqua OR rifiuti)", 4, None),
    ("bike OR acqua", 0, None),
    ("text:(bike OR acqua)", 3, "03 05 06"),
    ('"aria Milano" OR acqua', 0, None),
    ('text:("aria Milano" OR acqua)', 2, "03 01"),
    ("aria Milano Torino", 3, None),
    ("+aria Milano Torino", 0, None),
    ("aria -Milano", 1, "02"),
    ("aria NOT Milano", 1, "02"),
    (r"text:(aria \-Milano)", 2, "01 04"),
    ("aria !Milano", 2, "01 04"),
    ("text:(aria !Milano)", 1, "02"),
    ("-Milano", 12, None),
    ("aria OR acqua -rifiuti", 0, None),
    ("text:(aria OR acqua -rifiuti)", 3, "03 02 01"),
    ("foo OR (-aria)", 0, None),
    ("text:(foo OR (-aria))", 0, None),
    (r"text:(foo OR \(\-aria\))", 3, None),
    ("(aria OR acqua) AND Milano", 0, None),
    ("text:((aria OR acqua) AND Milano)", 3, "03 01 04"),
    (r"text:(\(aria OR acqua\) AND Milano)", 1, None),
    ("text:(aria OR acqua Milano)", 3, "03 01 04"),
    ("text:(aria or Milano)", 0, None),
    ("aria or Milano", 2, None),
    ("aria || acqua", 0, None),
    ("text:(aria || acqua)", 4, None),
    (r"text:(aria \|\| acqua)", 0, None),
    ("bonifica siti Piemonte", 2, "07 08"),
    ("bonifica siti contaminati Piemonte", 1, "07"),
    (SEVEN, 1, "08"),
    (f"text:({SEVEN})", 0, None),
    ("defibrillatori Comune di Lecce", 2, "10 09"),
    ("text:(defibrillatori Comune di Lecce)", 0, None),
    ("defibrillatori", 2, "11 09"),
    ("defibrillatore", 1, "09"),
    ("e-bike", 4, "05 06 04 01"),
    ('"e-bike"', 1, "05"),
    (r"text:(e\-bike)", 1, "05"),
    ("dell'aria", 3, None),
    ("text:(dell'aria)", 2, "01 02"),
    ("PM10", 3, "01 12 10"),
    ('"PM10"', 1, "01"),
    ("text:(PM10)", 1, "01"),
    ("l'aria", 3, None),
    ("text:(l'aria)", 0, None),
    ("mobilità", 2, None),
    ("mobilita", 2, None),
    ("mobilité", 1, None),
    ("mobilite", 0, None),
    ("title:qualita", 2, None),
    ("QUALITÀ", 2, None),
    ("tags:mobilita", 1, None),
    ("tags:mobilità", 1, None),
    ("tags:Aria", 0, None),
    ("aria*", 3, None),
    ("*milano*", 3, None),
    ("aria~", 3, None),
    ("[aria]", 3, None),
    ("aria)", 3, None),
    ("text:(ari*)", 3, None),
    (r"text:(ari\*)", 0, None),
    ("organization:*milano*", 3, None),
    ("organization:*Milano*", 0, None),
    ("regione:Piemonte", 0, None),
    ("Levels Online: variations", 0, None),
    ('"Levels Online: variations"', 1, "14"),
    (r"Levels Online\: variations", 1, "14"),
    ("aria/acqua", 4, None),
    ("text:(aria/acqua)", ERROR, None),
    ("http://x.org/aria", ERROR, None),
    ('"aria', 3, None),
    ('text:("aria)', ERROR, None),
    ("text:(aria))", ERROR, None),
    ("text:([aria])", ERROR, None),
    ("text:(aria -)", ERROR, None),
    (r"text:(aria \-)", 3, None),
    ("OR", ERROR, None),
    ("aria OR", ERROR, None),
    ("aria AND OR Milano", ERROR, None),
    ('text:("OR")', 1, "13"),
    ("人口", 1, "15"),
    ("text:(*人口*)", 1, "15"),
]


@pytest.fixture
async def portal() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(FakeCkan())
    async with httpx.AsyncClient(transport=transport, base_url="http://ckan.test/api/3/action/") as client:
        yield client


async def found(portal: httpx.AsyncClient, **given: str) -> tuple[int | str, str]:
    response = await portal.get("package_search", params={"rows": "100", **given})
    body = response.json()
    if response.status_code == 409 and body["error"]["__type"] == "Search Error":
        return ERROR, ""
    result = body["result"]
    return result["count"], " ".join(raw["id"].removeprefix("d") for raw in result["results"])


@pytest.mark.parametrize(("query", "count", "ids"), GOLDEN, ids=[row[0] for row in GOLDEN])
async def test_golden_row(portal: httpx.AsyncClient, query: str, count: int | str, ids: str | None) -> None:
    got_count, got_ids = await found(portal, q=query)
    assert got_count == count
    if ids is not None:
        assert got_ids == ids


async def test_every_term_can_be_asked_for(portal: httpx.AsyncClient) -> None:
    assert await found(portal, q="defibrillatori Comune Lecce", mm="100%") == (1, "09")


@pytest.mark.parametrize(
    ("words", "needed"),
    [(1, 1), (2, 2), (3, 2), (4, 3), (5, 4), (6, 4), (7, 5), (8, 6), (9, 7), (10, 8)],
)
async def test_how_many_words_must_occur(portal: httpx.AsyncClient, words: int, needed: int) -> None:
    """Of words of d01 and words that no dataset has, d01 is found with `needed` of its own, not with fewer."""
    own = ["Milano", "Rilevazione", "NO", "centraline", "ambiente", "comune", "delle", "e", "aria", "dell"]
    for held, expected in ((needed, True), (needed - 1, False)):
        strange = [f"niente{'x' * number}" for number in range(words - held)]
        count, ids = await found(portal, q=" ".join([*own[:held], *strange]))
        assert ("01" in ids.split()) is (expected and held > 0), count
