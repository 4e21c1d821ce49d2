"""Relevance: the right dataset comes first, and the score says why."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from resolvers.datasets.queries import RelevanceAnswer, RelevanceSearch, Weights, find_relevant
from resolvers.datasets.terms import TermMatcher, query_terms
from sources.datasets.query_resolver import QueryParser, Verdict
from sources.errors import BadInput
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.corpus import Line, package


async def rank(world: CkanWorld, query: str, **more: Any) -> RelevanceAnswer:
    return await find_relevant(world.scope, RelevanceSearch(world.url, query, **more))


def first(answer: RelevanceAnswer) -> str:
    return str(answer.nodes[0].node.dataset_id)


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("defibrillatori Comune di Lecce", "d09"),
        ("bonifica siti contaminati Piemonte", "d07"),
        ("siti contaminati bonifica aree industriali dismesse Puglia", "d08"),
        ("qualità dell'aria Torino", "d02"),
        ("aria AND Torino", "d02"),
        ("defibrillatore", "d09"),
        ("acqua potabile", "d03"),
        ("e-bike", "d05"),
        ("PM10", "d01"),
        ("UN population", "d13"),
        ("Sea Levels Online: variations", "d14"),
        ("人口", "d15"),
        ("mobilità", "d05"),
        ("Mobilité urbaine", "d12"),
    ],
)
async def test_the_right_dataset_comes_first(query: str, right: str, limit: int) -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await rank(world, query, first=limit)
        assert first(answer) == right
        assert len(answer.nodes) <= limit


@pytest.mark.parametrize("limit", [1, 3, 20])
async def test_at_least_fifty_candidates_are_scored(limit: int) -> None:
    """The best dataset stands behind forty that the engine prefers."""
    many = [Line(f"x{number:02}", "aria aria aria", "aria", ("aria",), "comune") for number in range(40)]
    wanted = Line("wanted", "aria", "", ("tag",), "comune")
    portal = FakeCkan(
        [*(package(line) for line in many), package(wanted, extras=[{"key": "holder_name", "value": "ARIA"}])]
    )
    async with ckan_world(portal) as world:
        answer = await rank(world, "aria", first=limit, weights=Weights(title=0, notes=0, tags=0))
        assert first(answer) == "wanted"
        assert answer.candidates == 41
        assert all(int(given["rows"]) >= 50 for given in portal.searches)


async def test_candidates_with_every_term_come_before_the_default_pass_fills_up() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await rank(world, "defibrillatori Comune di Lecce")
        assert [given.get("mm") for given in portal.searches] == ["100%", None]
        assert portal.searches[0]["q"] == "defibrillatori comune lecce"
        assert portal.searches[1]["q"] == "defibrillatori Comune di Lecce"
        assert [hit.node.dataset_id for hit in answer.nodes] == ["d09", "d10"]
        assert answer.total_count == 2


async def test_a_field_scores_by_the_share_of_terms_that_it_holds() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await rank(world, "defibrillatori Comune di Lecce")
        assert answer.terms == ("defibrillatori", "comune", "lecce")
        best = answer.nodes[0]
        parts = best.parts
        assert [parts.title, parts.notes, parts.tags] == pytest.approx([4 / 3, 4 / 3, 1])
        assert (parts.organization, parts.holder, parts.every_term) == (0, 0, 16)
        assert best.score == pytest.approx(parts.total, abs=1e-4)
        assert best.matched_by == ("title", "notes", "tags")
        second = answer.nodes[1].parts
        assert [second.title, second.tags, second.every_term] == pytest.approx([8 / 3, 2, 0])


async def test_the_probe_and_the_wrapper_are_those_of_the_search() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await rank(world, "aria OR acqua")
        assert answer.resolved is not None
        assert answer.resolved.probe_verdict is Verdict.WRAP
        assert answer.provenance.effective_query == "text:(aria OR acqua)"
        assert answer.terms == ("aria", "acqua")
        assert "mm" not in portal.searches[-1]
        portal.forget()
        again = await rank(world, "bike OR Milano", parser=QueryParser.DEFAULT)
        assert again.provenance.effective_query == "bike OR Milano"


async def test_a_text_parser_is_used_whatever_the_portal() -> None:
    async with ckan_world(FakeCkan(profile=Profile.EDISMAX)) as world:
        answer = await rank(world, "aria Milano", parser=QueryParser.TEXT)
        assert answer.provenance.effective_query == "text:(aria Milano)"


async def test_extras_come_before_the_fields_of_the_dataset_itself() -> None:
    """On an aggregator the dataset's own holder is whoever harvested it."""
    portal = FakeCkan(
        [
            package(
                Line("own", "Dati", "", ("x",), "agg"),
                holder_name="Harvester",
                extras=[{"key": "holder_name", "value": "Comune di Lecce"}],
            ),
            package(
                Line("other", "Dati", "", ("x",), "agg"),
                holder_name="Comune di Martina Franca",
                extras=[{"key": "notes2", "value": "lecce"}],
            ),
        ]
    )
    async with ckan_world(portal) as world:
        answer = await rank(world, "dati comune Lecce")
        assert first(answer) == "own"
        assert answer.nodes[0].parts.holder == pytest.approx(4 * 2 / 3)
        assert answer.nodes[0].node.holder_name == "Comune di Lecce"
        lesser = next(hit for hit in answer.nodes if hit.node.dataset_id == "other")
        assert lesser.parts.holder == pytest.approx(4 / 3)


async def test_equal_scores_keep_the_order_of_the_engine() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await rank(
            world, "aria", weights=Weights(title=0, notes=0, tags=0, organization=0, holder=0, publisher=0)
        )
        assert [hit.node.dataset_id for hit in answer.nodes] == ["d02", "d01", "d04"]


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"query": " a "}, "query"),
        ({"query": "OR NOT"}, "query"),
        ({"weights": Weights(tags=-1)}, "weights.tags"),
    ],
)
async def test_what_cannot_be_ranked_is_refused(change: dict[str, Any], argument: str) -> None:
    async with ckan_world(FakeCkan()) as world:
        with pytest.raises(BadInput) as caught:
            await find_relevant(
                world.scope, RelevanceSearch(**{"server_url": world.url, "query": "aria", **change})
            )
        assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("query", "language", "terms"),
    [
        ("UN population", "it", ("un", "population")),
        ("un comune", "it", ("comune",)),
        ("UN COMUNE", "it", ("comune",)),
        ("un comune", "fr", ("comune",)),
        ("un comune", None, ("un", "comune")),
        ("the air of Milan", "en", ("air", "milan")),
        ("the air of Milan", "it", ("the", "air", "of", "milan")),
        ("aria OR acqua", "it", ("aria", "acqua")),
        ('"AND OR" data', "en", ("and", "or", "data")),
        ('"AND \\" OR" data', "en", ("and", "or", "data")),
        ("dell'aria", "it", ("aria",)),
        ("l’acqua d'Italia", "it", ("acqua", "italia")),
        ("aria aria ARIA", "it", ("aria",)),
        ("aria -rifiuti NOT acqua", "it", ("aria",)),
        ("PM10 2024 x", "it", ("pm10", "2024")),
        ("mobilita\u0300_urbana", "it", ("mobilità", "urbana")),
        ("人口 東", "ja", ("人口", "東")),
        ("di", "it", ("di",)),
        ("title:aria license_id:cc-by acqua", "it", ("aria", "acqua")),
        ("text:(aria OR acqua)", "it", ("aria", "acqua")),
        ("Online: variations", "en", ("online", "variations")),
        ("हिन्दी भाषा", "hi", ("हिन्दी", "भाषा")),
    ],
)
def test_terms(query: str, language: str | None, terms: tuple[str, ...]) -> None:
    assert query_terms(query, language) == terms


@pytest.mark.parametrize(
    ("term", "text", "language", "held"),
    [
        ("mobilità", "Mobilità urbana", "it", True),
        ("mobilità", unicodedata.normalize("NFD", "mobilità urbana"), "it", True),
        ("mobilita", "mobilità", "it", True),
        ("aria", "Qualità dell'aria", "it", True),
        ("aria", "malaria e varianti", "it", False),
        ("aria", "aria2", "it", False),
        ("aria", "qualità_aria_2024", "it", True),
        ("aria", "ariàs", "it", False),
        ("perché", "perchéx", "it", False),
        ("defibrillatore", "Defibrillatori DAE", "it", True),
        ("defibrillatori", "defibrillatore", "it", True),
        ("school", "Schools of the town", "en", True),
        ("cities", "city map", "en", True),
        ("policies", "policy paper", "en", True),
        ("statistic", "statistics", None, True),
        ("人口", "東京都の人口", "ja", True),
        ("人口", "口人", "ja", False),
        ("ประชากร", "จำนวนประชากรไทย", "th", True),
        ("हिन्दी", "हिन्दी भाषा", "hi", True),
        ("न्दी", "हिन्दी भाषा", "hi", False),
        ("ΑΘΗΝΑ", "αθηνα", "el", True),
        ("вода", "Вода и воздух", "uk", True),
    ],
)
def test_whether_a_text_holds_a_term(term: str, text: str, language: str | None, held: bool) -> None:
    assert bool(TermMatcher((term.lower(),), language).held([text])) is held
