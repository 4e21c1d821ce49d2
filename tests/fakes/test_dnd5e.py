"""The manners of the fake D&D 5e API."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.fake_dnd5e import FakeDnd5e, RateLimit


async def listed(client: httpx.AsyncClient, path: str) -> list[Any]:
    answer = await client.get(f"/api/2014/{path}")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert list(body) == ["count", "results"]
    assert body["count"] == len(body["results"])
    results: list[Any] = body["results"]
    return results


async def test_lists_hold_references(api: httpx.AsyncClient) -> None:
    monsters = await listed(api, "monsters")
    assert len(monsters) == 334
    assert monsters[0] == {"index": "aboleth", "name": "Aboleth", "url": "/api/2014/monsters/aboleth"}
    indexes = [row["index"] for row in monsters]
    assert indexes == sorted(indexes)


async def test_lists_of_spells_add_the_level(api: httpx.AsyncClient) -> None:
    spells = await listed(api, "spells")
    assert len(spells) == 319
    arrow = {"index": "acid-arrow", "name": "Acid Arrow", "level": 2, "url": "/api/2014/spells/acid-arrow"}
    assert spells[0] == arrow


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("spells?name=FIRE", 7),
        ("spells?name=.", 0),
        ("spells?level=3", 42),
        ("spells?level=8,9", 31),
        ("spells?level=8&level=9", 31),
        ("spells?level=9,x,", 15),
        ("spells?school=evocation", 60),
        ("spells?school=EVOC&school=abj", 60 + 39),
        ("spells?school=evocation,abjuration", 0),
        ("spells?level=3&school=evocation", 7),
        ("monsters?challenge_rating=0.5", 33),
        ("monsters?challenge_rating=20,21,22,23,24,30", 15),
        ("monsters?challenge_rating=30&challenge_rating=24", 3),
        ("monsters?name=dragon", 43),
        ("rules?desc=nosuchword", 0),
        ("rule-sections?desc=OPPORTUNITY", 5),
        ("conditions?name=ed", 11),
    ],
)
async def test_filters(api: httpx.AsyncClient, path: str, count: int) -> None:
    assert len(await listed(api, path)) == count


@pytest.mark.parametrize(
    "query", ["class=wizard", "ritual=true", "desc=fire", "nosuch=1", "level__gte=3", "page=2", "limit=1"]
)
async def test_unknown_parameters_are_dropped(api: httpx.AsyncClient, query: str) -> None:
    assert len(await listed(api, f"spells?{query}")) == 319


@pytest.mark.parametrize("query", ["type=dragon", "size=Huge", "level=3"])
async def test_monsters_know_few(api: httpx.AsyncClient, query: str) -> None:
    assert len(await listed(api, f"monsters?{query}")) == 334


async def test_a_repeated_name_is_refused(api: httpx.AsyncClient) -> None:
    answer = await api.get("/api/2014/spells?name=fire&name=ice")
    assert answer.status_code == 400
    body = answer.json()
    assert body["error"] == "Invalid query parameters"
    assert body["details"][0]["path"] == ["name"]


async def test_details(api: httpx.AsyncClient) -> None:
    answer = await api.get("/api/2014/spells/fireball", headers={"Accept-Language": "en"})
    fireball = answer.json()
    assert (fireball["level"], fireball["school"]["index"], fireball["desc"][0][:15]) == (
        3,
        "evocation",
        "A bright streak",
    )
    assert fireball["url"] == "/api/2014/spells/fireball"
    assert fireball["classes"][0]["url"] == "/api/2014/classes/sorcerer"
    assert answer.headers["content-language"] == "en"
    feature = (await api.get("/api/2014/features/rage")).json()
    assert feature["class"] == {
        "index": "barbarian",
        "name": "Barbarian",
        "url": "/api/2014/classes/barbarian",
    }


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/spells/fireball", "/api/2014/spells/fireball"),
        ("/api/spells?level=3&name=a%20b", "/api/2014/spells?level=3&name=a%20b"),
        ("/api", "/api/2014"),
    ],
)
async def test_paths_without_an_edition_lead_to_2014(api: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await api.get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, target)


@pytest.mark.parametrize(
    "path",
    ["/api/2014/nosuch", "/api/2014/spells/nosuch", "/api/2024/spells", "/nosuch", "/api/2014/spells/x/y"],
)
async def test_what_is_not_there_is_text(api: httpx.AsyncClient, path: str) -> None:
    answer = await api.get(path)
    assert (answer.status_code, answer.text) == (404, "Not Found")
    assert answer.headers["content-type"].startswith("text/plain")


async def test_the_other_edition_has_other_collections(api: httpx.AsyncClient) -> None:
    root = (await api.get("/api/2024")).json()
    assert root["species"] == "/api/2024/species"
    assert not {"spells", "races", "rules"} & set(root)
    assert (await api.get("/api/2024/monsters")).json() == {"count": 0, "results": []}


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("classes/wizard/spells", 204),
        ("classes/wizard/spells?level=1", 27),
        ("classes/wizard/levels/9/spells", 12),
        ("classes/wizard/subclasses", 1),
        ("classes/paladin/spells", 31),
        ("classes/wizard/proficiencies", 7),
    ],
)
async def test_what_belongs_to_a_class(api: httpx.AsyncClient, path: str, count: int) -> None:
    assert len(await listed(api, path)) == count


async def test_levels_of_a_class(api: httpx.AsyncClient) -> None:
    levels = (await api.get("/api/2014/classes/wizard/levels")).json()
    assert [row["level"] for row in levels] == list(range(1, 21))
    third = (await api.get("/api/2014/classes/wizard/levels/3")).json()
    assert third == levels[2]
    assert (await api.get("/api/2014/classes/barbarian/spellcasting")).status_code == 404


async def test_too_many_requests() -> None:
    now = 100.0
    fake = FakeDnd5e(RateLimit(requests=2, seconds=3.0, clock=lambda: now))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(fake), base_url="http://d.test") as client:
        statuses = [(await client.get("/api/2014/conditions")).status_code for _ in range(2)]
        now = 101.5
        refused = await client.get("/api/2014/conditions")
        now = 103.0
        after = await client.get("/api/2014/conditions")
    assert statuses == [200, 200]
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
    assert refused.headers["content-type"].startswith("text/plain")
    assert after.status_code == 200
