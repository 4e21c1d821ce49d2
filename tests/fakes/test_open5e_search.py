"""The manners of the unified search."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.fake_open5e import Corpus, FakeOpen5e, SearchIndex


async def search(client: httpx.AsyncClient, **parameters: str) -> Any:
    answer = await client.get("/v2/search/", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def found(answer: Any) -> list[tuple[str, str]]:
    return [(row["object_pk"], row["match_type"]) for row in answer["results"]]


async def test_whole_words(v2: httpx.AsyncClient) -> None:
    answer = await search(v2, query="fireball", object_model="Spell", document_pk="srd-2014")
    assert found(answer) == [
        ("srd_fireball", "exact"),
        ("srd_delayed-blast-fireball", "exact"),
        ("srd_sanctuary", "exact"),
        ("srd_antimagic-field", "exact"),
    ]
    assert answer["search_metadata"] == {"exact_matches": True}
    first = answer["results"][0]
    assert first["object"] == {"school": "Evocation", "level": 3}
    assert first["document"] == {"key": "srd-2014", "name": "System Reference Document 5.1"}
    assert (first["route"], first["match_score"], first["matched_term"]) == ("v2/spells/", 1.0, "fireball")
    assert first["highlighted"].startswith('<span class="highlighted">Fireball</span>\n\nA bright streak')


async def test_near_words_keep_one_record_a_name(v2: httpx.AsyncClient) -> None:
    answer = await search(v2, query="firbal", fuzzy="true", vector="true", object_model="Spell")
    assert found(answer) == [("srd_delayed-blast-fireball", "fuzzy"), ("srd_fireball", "fuzzy")]
    assert [row["match_score"] for row in answer["results"]] == pytest.approx([6 * 2 / 14] * 2)
    assert answer["search_metadata"] == {"exact_matches": False}
    assert found(await search(v2, query="firbal", object_model="Spell")) == found(answer)


async def test_strict_leaves_near_words_out(v2: httpx.AsyncClient) -> None:
    assert (await search(v2, query="firbal", strict="true", vector="true"))["count"] == 0


async def test_near_words_compare_the_whole_query(v2: httpx.AsyncClient) -> None:
    assert (await search(v2, query="cury wounds", fuzzy="true"))["count"] == 0


async def test_word_statistics_stand_behind_in_the_order_of_names(v2: httpx.AsyncClient) -> None:
    exact = await search(v2, query="healing potion", object_model="Spell")
    answer = await search(v2, query="healing potion", object_model="Spell", vector="true")
    kinds = [kind for _, kind in found(answer)]
    assert kinds == sorted(kinds, key=["exact", "fuzzy", "vector"].index)
    assert len(kinds) > exact["count"]
    names = [row["object_name"] for row in answer["results"] if row["match_type"] == "vector"]
    assert names == sorted(names)
    assert len(names) > 3
    assert all(row["match_score"] > 0.05 for row in answer["results"] if row["match_type"] == "vector")


@pytest.mark.parametrize(
    ("model", "query", "some"),
    [
        ("Spell", "fireball", True),
        ("spell", "fireball", True),
        ("Sp%", "fireball", True),
        ("Item", "rope", True),
        ("Creature", "goblin", True),
        ("CharacterClass", "wizard", True),
        ("Species", "elf", True),
        ("Feat", "grappler", True),
        ("Background", "acolyte", True),
        ("Environment", "forest", True),
        ("Rule", "opportunity", True),
        ("Spell,Creature", "fireball", False),
        ("MagicItem", "bag", False),
        ("Condition", "blinded", False),
        ("Monster", "goblin", False),
    ],
)
async def test_models_are_patterns(v2: httpx.AsyncClient, model: str, query: str, some: bool) -> None:
    answer = await search(v2, query=query, object_model=model, strict="true")
    assert bool(answer["results"]) is some
    models = {row["object_model"].lower() for row in answer["results"]}
    assert models <= {model.lower().replace("sp%", "spell")}


async def test_documents_are_patterns(v2: httpx.AsyncClient) -> None:
    async def documents(pattern: str) -> set[str]:
        answer = await search(v2, query="fireball", document_pk=pattern, strict="true", limit="100")
        return {row["document"]["key"] for row in answer["results"]}

    assert await documents("srd-2014") == {"srd-2014"}
    assert await documents("srd-%") == {"srd-2014", "srd-2024"}
    assert await documents("srd-2014,srd-2024") == set()


@pytest.mark.parametrize("query", ["don't", "fire-bolt", "blindness/deafness", '"fire'])
async def test_syntax_errors_find_nothing(v2: httpx.AsyncClient, query: str) -> None:
    assert (await search(v2, query=query, strict="true"))["count"] == 0


async def test_quoted_words_are_no_syntax(v2: httpx.AsyncClient) -> None:
    answer = await search(v2, query='"fire-bolt"', object_model="Spell", document_pk="srd-2014")
    assert found(answer)[0] == ("srd_fire-bolt", "exact")


@pytest.mark.parametrize("parameters", [{}, {"query": ""}, {"query": "fire", "schema": "v1"}])
async def test_nothing_asked(v2: httpx.AsyncClient, parameters: dict[str, str]) -> None:
    answer = await search(v2, **parameters)
    assert (answer["count"], answer["search_metadata"]) == (0, {"exact_matches": False})


async def test_pages(v2: httpx.AsyncClient) -> None:
    answer = await search(v2, query="dragon", object_model="Creature", limit="5", page="2")
    assert len(answer["results"]) == 5
    assert answer["next"].endswith("/v2/search/?limit=5&object_model=Creature&page=3&query=dragon")


@pytest.mark.parametrize(
    ("index", "parameters", "status"),
    [
        (SearchIndex.NO_VECTORS, {"query": "fireball"}, 200),
        (SearchIndex.NO_VECTORS, {"query": "fireball", "fuzzy": "true"}, 500),
        (SearchIndex.NO_VECTORS, {"query": "fireball", "vector": "true"}, 500),
        (SearchIndex.NO_VECTORS, {"query": "firbal"}, 500),
        (SearchIndex.NO_VECTORS, {"query": "firbal", "strict": "true"}, 200),
        (SearchIndex.NONE, {"query": "fireball", "strict": "true"}, 200),
        (SearchIndex.NONE, {"query": "fireball"}, 500),
    ],
)
async def test_a_missing_index_is_a_page_of_html(
    corpus: Corpus, index: SearchIndex, parameters: dict[str, str], status: int
) -> None:
    fake = FakeOpen5e(corpus, search_index=index)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(fake), base_url="http://o.test") as client:
        answer = await client.get("/v2/search/", params=parameters)
    assert answer.status_code == status
    html = answer.headers["content-type"].startswith("text/html")
    assert html is (status == 500)


async def test_without_any_index_a_strict_search_finds_nothing(corpus: Corpus) -> None:
    fake = FakeOpen5e(corpus, search_index=SearchIndex.NONE)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(fake), base_url="http://o.test") as client:
        assert (await search(client, query="fireball", strict="true"))["count"] == 0
