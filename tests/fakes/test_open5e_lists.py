"""Pages, order, fields, details and errors of the fake Open5e."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.fake_open5e import FakeOpen5e, srd_corpus

SRD_SPELLS = "/v2/spells/?document__key=srd-2014"


async def body(client: httpx.AsyncClient, path: str) -> Any:
    answer = await client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("limit", "length"),
    [
        ("", 50),
        ("&limit=7", 7),
        ("&limit=0", 50),
        ("&limit=-5", 50),
        ("&limit=many", 50),
        ("&limit=5000", 319),
    ],
)
async def test_limits(v2: httpx.AsyncClient, limit: str, length: int) -> None:
    page = await body(v2, SRD_SPELLS + limit)
    assert (page["count"], len(page["results"])) == (319, length)


async def test_pages_are_linked(v2: httpx.AsyncClient) -> None:
    base = "http://open5e.test/v2/spells/?document__key=srd-2014&fields=key%2Cname&limit=100"
    path = f"{SRD_SPELLS}&limit=100&fields=key,name"
    first, second, last = [await body(v2, f"{path}&page={page}") for page in ("1", "2", "last")]
    assert (first["previous"], first["next"]) == (None, f"{base}&page=2")
    assert (second["previous"], second["next"]) == (base, f"{base}&page=3")
    assert (last["previous"], last["next"], len(last["results"])) == (f"{base}&page=3", None, 19)


@pytest.mark.parametrize("page", ["0", "-1", "8", "two", "1.5"])
async def test_there_is_no_such_page(v2: httpx.AsyncClient, page: str) -> None:
    answer = await v2.get(f"{SRD_SPELLS}&page={page}")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Invalid page."})


async def test_nothing_is_one_page(v2: httpx.AsyncClient) -> None:
    path = "/v2/spells/?document__key=nosuch"
    assert await body(v2, path) == {"count": 0, "next": None, "previous": None, "results": []}
    assert (await v2.get(f"{path}&page=2")).status_code == 404


async def test_order(v2: httpx.AsyncClient) -> None:
    async def names(ordering: str) -> list[str]:
        page = await body(v2, f"{SRD_SPELLS}&limit=3&fields=key&ordering={ordering}")
        return [row["key"].removeprefix("srd_") for row in page["results"]]

    by_key = ["acid-arrow", "acid-splash", "aid"]
    assert await names("") == by_key
    assert await names("nosuch") == await names("document__key") == await names("damage_types") == by_key
    assert await names("-level,name") == ["astral-projection", "foresight", "gate"]
    assert await names("nosuch,-name") == ["zone-of-truth", "word-of-recall", "wish"]
    assert await names("school,key") == ["aid", "alarm", "antilife-shell"]


async def test_equals_are_in_no_helpful_order(v2: httpx.AsyncClient) -> None:
    page = await body(v2, f"{SRD_SPELLS}&limit=400&fields=key&ordering=level")
    keys = [row["key"] for row in page["results"]]
    firsts, settled = keys[:24], await body(v2, f"{SRD_SPELLS}&limit=24&fields=key&ordering=level,key")
    assert firsts == sorted(firsts, reverse=True)
    assert sorted(firsts) == [row["key"] for row in settled["results"]]


async def test_decimals_in_texts_are_ordered_as_numbers(v2: httpx.AsyncClient) -> None:
    page = await body(v2, "/v2/items/?limit=500&fields=cost&ordering=cost")
    costs = [row["cost"] for row in page["results"]]
    assert costs[0] is None
    assert costs[1:] == sorted(costs[1:], key=float)


async def test_rules_are_ordered_by_their_index(v2: httpx.AsyncClient) -> None:
    page = await body(v2, "/v2/rules/?fields=index")
    indexes = [row["index"] for row in page["results"]]
    assert indexes == sorted(indexes)
    assert indexes.count(1) > 1


async def test_fields(v2: httpx.AsyncClient) -> None:
    async def first(query: str) -> Any:
        return (await body(v2, f"{SRD_SPELLS}&limit=1&{query}"))["results"][0]

    arrow = {"key": "srd_acid-arrow", "name": "Acid Arrow"}
    assert await first("fields=name,key") == arrow
    assert await first("fields=name,key,nosuch") == arrow
    assert await first("fields=nosuch") == {}
    nested = await first("fields=name,key,document&document__fields=key")
    assert nested == {**arrow, "document": {"key": "srd-2014"}}
    assert await first("fields=key&document__fields=key") == {"key": "srd_acid-arrow"}
    whole = await first("fields=")
    without = await first("exclude=desc,casting_options&document__exclude=publisher")
    assert set(whole) - set(without) == {"desc", "casting_options"}
    assert set(whole["document"]) - set(without["document"]) == {"publisher"}


async def test_fields_of_lists_of_objects(v2: httpx.AsyncClient) -> None:
    goblin = await body(v2, "/v2/creatures/srd_goblin/?fields=actions&actions__exclude=attacks,desc")
    assert {"name", "action_type"} <= set(goblin["actions"][0])
    assert not {"attacks", "desc"} & set(goblin["actions"][0])


async def test_details(v2: httpx.AsyncClient) -> None:
    fireball = await body(v2, "/v2/spells/srd_fireball/")
    assert (fireball["name"], fireball["damage_roll"], fireball["level"]) == ("Fireball", "8d6", 3)
    assert fireball["crossreferences"]["to"] == [
        {"anchor": "Dexterity", "url": "http://open5e.test/v2/abilities/dexterity/"}
    ]


@pytest.mark.parametrize(
    ("endpoint", "model"), [("spells", "Spell"), ("creatures", "Creature"), ("classes", "CharacterClass")]
)
async def test_a_missing_record(v2: httpx.AsyncClient, endpoint: str, model: str) -> None:
    answer = await v2.get(f"/v2/{endpoint}/nosuch/")
    assert answer.status_code == 404
    assert answer.json() == {"detail": f"No {model} matches the given query."}


@pytest.mark.parametrize("path", ["/v2/nosuch/", "/v2/monsters/x/", "/v2/nosuch", "/", "/v3/spells/"])
async def test_an_unknown_endpoint_is_a_page_of_html(v2: httpx.AsyncClient, path: str) -> None:
    answer = await v2.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Not Found</h1>" in answer.text


@pytest.mark.parametrize("path", ["/v2/spells", "/v2/spells/srd_fireball", "/v2/search", "/v2"])
async def test_a_path_without_its_last_slash(v2: httpx.AsyncClient, path: str) -> None:
    answer = await v2.get(f"{path}?level=3&name=a%20b")
    assert (answer.status_code, answer.headers["location"]) == (301, f"{path}/?level=3&name=a%20b")


async def test_the_request_line_has_an_end(v2: httpx.AsyncClient) -> None:
    line = "GET /v2/spells/?key__in= HTTP/1.1"
    fits = await v2.get("/v2/spells/?key__in=" + "k" * (4094 - len(line)))
    assert (fits.status_code, fits.json()["count"]) == (200, 0)
    answer = await v2.get("/v2/spells/?key__in=" + "k" * (4095 - len(line)))
    assert (answer.status_code, answer.headers["content-type"]) == (400, "text/html; charset=utf-8")
    assert "Request Line is too large (4095 &gt; 4094)" in answer.text


async def test_formats_and_methods(v2: httpx.AsyncClient) -> None:
    answer = await v2.get("/v2/spells/?format=api", headers={"Accept": "application/json"})
    assert answer.status_code == 406
    answer = await v2.post("/v2/spells/", json={})
    assert (answer.status_code, answer.json()) == (405, {"detail": 'Method "POST" not allowed.'})


async def test_root_names_every_endpoint(v2: httpx.AsyncClient) -> None:
    root = await body(v2, "/v2/")
    assert len(root) == 33
    assert root["magicitems"] == "http://open5e.test/v2/magicitems/"
    for url in root.values():
        assert (await v2.get(url)).status_code == 200


async def test_documents_have_licences_and_records_have_not(v2: httpx.AsyncClient) -> None:
    licences = {
        row["key"]: [licence["key"] for licence in row["licenses"]]
        for row in (await body(v2, "/v2/documents/"))["results"]
    }
    assert licences == {
        "a5e-lantern": ["cc-by-40"],
        "core": ["cc-by-40", "ogl-10a"],
        "ember": ["ogl-10a"],
        "srd-2014": ["cc-by-40", "ogl-10a"],
        "srd-2024": ["cc-by-40"],
        "tide": ["ogl-10a"],
    }
    assert "licenses" not in (await body(v2, "/v2/spells/srd_fireball/"))["document"]


async def test_numbers_in_texts(v2: httpx.AsyncClient) -> None:
    longsword = await body(v2, "/v2/items/srd_longsword/")
    assert (longsword["cost"], longsword["weight"]) == ("15.00", "3.000")
    rope = await body(v2, "/v2/items/ember_rope/")
    assert (rope["cost"], rope["weight"]) == (None, None)


async def test_a_corpus_belongs_to_its_owner() -> None:
    mine, other = srd_corpus(as_upstream=True), srd_corpus()
    mine.remove("spells", "srd_wish")
    assert len(other.records("spells")) == 319

    def classes(fake: FakeOpen5e) -> list[str]:
        record = fake.corpus.get("spells", "srd_bless")
        assert record is not None
        return [item["name"] for item in record.row["classes"]]

    assert classes(FakeOpen5e(mine)) == ["Cleric"]
    assert classes(FakeOpen5e(other)) == ["Cleric", "Paladin"]
