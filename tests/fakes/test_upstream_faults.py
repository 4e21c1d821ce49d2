"""The log and the faults of every fake, over a real port and without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.support.fake_open5e import Corpus, FakeOpen5e
from tests.support.fake_upstream import (
    Down,
    Fault,
    Gate,
    Held,
    ResetMidBody,
    Truncated,
    html_error,
    html_with_200,
    too_many_requests,
    unavailable,
)
from tests.support.server import serving

PATH = "/v2/spells/?document__key=srd-2014&fields=key"


@pytest.fixture(scope="module")
def served(corpus: Corpus) -> Iterator[tuple[FakeOpen5e, str]]:
    fake = FakeOpen5e(corpus)
    with serving(fake) as url:
        yield fake, url


@pytest.fixture(params=["port", "transport"])
async def asked(
    request: pytest.FixtureRequest, served: tuple[FakeOpen5e, str], open5e: FakeOpen5e
) -> AsyncIterator[tuple[FakeOpen5e, httpx.AsyncClient]]:
    """A fake and its client, over a socket and without one."""
    fake, url = served if request.param == "port" else (open5e, "http://open5e.test")
    transport = None if request.param == "port" else httpx.ASGITransport(fake)
    fake.forget()
    fake.faults.clear()
    async with httpx.AsyncClient(transport=transport, base_url=url, timeout=10) as client:
        yield fake, client
    fake.faults.clear()


Asked = tuple[FakeOpen5e, httpx.AsyncClient]


async def test_requests_are_logged(asked: Asked) -> None:
    fake, client = asked
    first = await client.get(f"{PATH}&name__icontains=%C3%A9l%20x&level=1&level=2", headers={"X-Word": "one"})
    second = await client.get("/v2/nosuch/")
    assert fake.paths == [f"{PATH}&name__icontains=%C3%A9l%20x&level=1&level=2", "/v2/nosuch/"]
    call = fake.calls[0]
    assert (call.method, call.path, call.status) == ("GET", "/v2/spells/", 200)
    assert call.parameters[-2:] == (("level", "1"), ("level", "2"))
    assert call.values["name__icontains"] == "él x"
    assert call.headers["x-word"] == "one"
    assert [call.sent for call in fake.calls] == [len(first.content), len(second.content)]
    assert fake.sent == len(first.content) + len(second.content)
    fake.forget()
    assert (fake.calls, fake.sent, fake.most_at_once) == ([], 0, 0)


@pytest.mark.parametrize(
    ("fault", "status", "content_type", "retry_after"),
    [
        (html_error(), 500, "text/html", None),
        (html_error(502), 502, "text/html", None),
        (html_with_200(), 200, "text/html", None),
        (too_many_requests("7"), 429, "text/plain", "7"),
        (unavailable(), 503, "text/html", None),
        (unavailable("2"), 503, "text/html", "2"),
    ],
)
async def test_canned_answers(
    asked: Asked, fault: Fault, status: int, content_type: str, retry_after: str | None
) -> None:
    fake, client = asked
    fake.faults.once(fault, times=2)
    for _ in range(2):
        answer = await client.get(PATH)
        assert (answer.status_code, answer.headers.get("retry-after")) == (status, retry_after)
        assert answer.headers["content-type"].startswith(content_type)
    assert (await client.get(PATH)).json()["count"] == 319
    assert [call.status for call in fake.calls] == [status, status, 200]


async def test_faults_come_one_after_the_other_and_by_path(asked: Asked) -> None:
    fake, client = asked
    fake.faults.once(html_error())
    fake.faults.always(unavailable(), path="/v2/spells/")
    statuses = [
        (await client.get(path)).status_code
        for path in (PATH, PATH, PATH, "/v2/documents/", "/v2/spells/srd_aid/")
    ]
    assert statuses == [500, 503, 503, 200, 503]
    fake.faults.clear()
    assert (await client.get(PATH)).status_code == 200


async def test_truncated_json(asked: Asked) -> None:
    fake, client = asked
    whole = (await client.get(PATH)).content
    fake.faults.once(Truncated())
    answer = await client.get(PATH)
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == whole[: len(whole) // 2]
    with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
        answer.json()


@pytest.mark.parametrize("fault", [Down(), ResetMidBody()])
async def test_broken_connections(asked: Asked, fault: Fault) -> None:
    fake, client = asked
    fake.faults.always(fault)
    for _ in range(3):
        with pytest.raises(httpx.TransportError):
            await client.get(PATH)
    fake.faults.clear()
    assert (await client.get(PATH)).json()["count"] == 319
    assert len(fake.calls) == 4


async def test_answers_are_held_until_the_gate_opens(asked: Asked) -> None:
    fake, client = asked
    gate = Gate()
    fake.faults.always(Held(gate))
    tasks = [asyncio.create_task(client.get(PATH)) for _ in range(3)]
    await gate.arrived(3)
    assert [task.done() for task in tasks] == [False] * 3
    assert [call.status for call in fake.calls] == [None] * 3
    gate.open()
    answers = await asyncio.gather(*tasks)
    assert [answer.json()["count"] for answer in answers] == [319] * 3
    assert fake.most_at_once == 3
    assert (await client.get(PATH)).status_code == 200


async def test_bodies_are_held_until_the_gate_opens(served: tuple[FakeOpen5e, str]) -> None:
    fake, url = served
    fake.forget()
    gate = Gate()
    fake.faults.once(Held(gate, after_headers=True))
    async with httpx.AsyncClient(base_url=url) as client, client.stream("GET", PATH) as answer:
        assert answer.status_code == 200
        gate.open()
        await answer.aread()
        assert answer.json()["count"] == 319


async def test_connections_are_counted(served: tuple[FakeOpen5e, str]) -> None:
    fake, url = served
    fake.forget()
    async with httpx.AsyncClient(base_url=url, limits=httpx.Limits(max_connections=2)) as client:
        await asyncio.gather(*(client.get(PATH) for _ in range(12)))
    assert len(fake.calls) == 12
    assert fake.connections <= 2
    assert fake.most_at_once <= 2


async def test_a_real_port_shows_the_same_manners(served: tuple[FakeOpen5e, str]) -> None:
    _, url = served
    async with httpx.AsyncClient(base_url=url) as client:
        page = (await client.get(PATH)).json()
        assert page["next"] == f"{url}/v2/spells/?document__key=srd-2014&fields=key&page=2"
        assert (await client.get(page["next"])).json()["previous"] == f"{url}{PATH}"
        too_long = await client.get("/v2/spells/?key__in=" + "k," * 2100)
        assert (too_long.status_code, too_long.headers["content-type"]) == (400, "text/html; charset=utf-8")
        found = (await client.get("/v2/search/?query=fireball&object_model=Spell")).json()
        assert found["search_metadata"] == {"exact_matches": True}
