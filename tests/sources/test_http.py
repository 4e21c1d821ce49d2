"""What becomes of each kind of answer, over real sockets."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from sources.errors import (
    BadInput,
    SourceNotConfigured,
    UpstreamBadResponse,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from tests.support.faulty_server import (
    HTML,
    JSON,
    Step,
    Turn,
    answer,
    as_json,
    faulty_server,
    gzip_bomb,
    head,
    raw,
    redirect,
    reset_at_once,
    reset_in_body,
    slow_body,
    slow_head,
)
from tests.support.http_world import START, http_world

DUMP = "<html>fq=secret+parameter dump</html>"
FAST: dict[str, Any] = {"connect_seconds": 0.2, "first_byte_seconds": 0.1, "body_seconds": 0.1}


async def ask(*steps: Step, **settings: Any) -> tuple[Any, int, list[float]]:
    """What a trusted client gets from `/x`, or its error; the requests that arrived, the waits between."""
    async with faulty_server() as server, http_world(**settings) as world:
        server.on("/x", *steps)
        client = world.http.trusted("Open5e", server.origin)
        try:
            result: Any = await client.get_json("/x", {"q": "secret"})
        except UpstreamError as error:
            result = error
        if isinstance(result, UpstreamError):
            assert result.upstream == "Open5e"
            assert "secret" not in result.message
            assert "<" not in result.message
        return result, len(server.requests), world.clock.slept


async def test_an_answer_and_its_account() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/api/spells", as_json({"count": 1, "name": "Feuerbälle"}))
        client = world.http.trusted("Open5e", f"{server.origin}/api/")
        fetched = await client.get_json("/spells", {"level__range": "1,3", "name": "a b&c"})
        assert fetched.value == {"count": 1, "name": "Feuerbälle"}
        assert fetched.status == 200
        assert fetched.url == f"{server.origin}/api/spells?level__range=1,3&name=a+b%26c"
        assert fetched.fetched_at == datetime.fromtimestamp(START, UTC)
        assert (fetched.from_cache, fetched.stale) == (False, False)
        assert fetched.requests == 1
        assert fetched.bytes_received == len(json.dumps(fetched.value))
        (request,) = server.requests
        assert request.method == "GET"
        assert request.headers["host"] == f"127.0.0.1:{server.port}"
        assert request.headers["accept"] == "application/json"
        assert request.headers["accept-encoding"] == "gzip, deflate"
        assert request.headers["user-agent"] == "Mozilla/5.0 (compatible; loregraph/0.1)"


async def test_a_question_is_posted_as_json() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/q", as_json([1]))
        client = world.http.trusted("Solr", server.origin)
        fetched = await client.post_json("/q", {"q": "a:b"})
        assert fetched.value == [1]
        (request,) = server.requests
        assert (request.method, request.body) == ("POST", b'{"q":"a:b"}')
        assert request.headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [200, 400, 404, 409, 500])
async def test_accepted_statuses_are_answers(status: int) -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", as_json({"detail": "as it is"}, status))
        client = world.http.trusted("Open5e", server.origin)
        fetched = await client.get_json("/x", accept={status})
        assert (fetched.value, fetched.status) == ({"detail": "as it is"}, status)
        assert len(server.requests) == 1


async def test_connections_are_used_again() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", as_json(1))
        client = world.http.trusted("Open5e", server.origin)
        for n in range(5):
            await client.get_json("/x", {"n": str(n)})
        assert (len(server.requests), server.connections) == (5, 1)


@pytest.mark.parametrize(
    "step",
    [
        as_json([1], headers={"Content-Type": "application/problem+json; charset=UTF-8"}),
        as_json([1], headers={}),
        answer(b"\xef\xbb\xbf[1]"),
        answer(gzip.compress(b"[1]"), headers={**JSON, "Content-Encoding": "gzip"}),
        answer(gzip.compress(b"[") + gzip.compress(b"1]"), headers={**JSON, "Content-Encoding": "x-gzip"}),
        answer(zlib.compress(b"[1]"), headers={**JSON, "Content-Encoding": "deflate"}),
        answer(zlib.compress(b"[1]", wbits=-15), headers={**JSON, "Content-Encoding": "deflate"}),
        raw(head(200, JSON, None) + b"[1]"),
        raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n"
        ),
    ],
)
async def test_json_in_all_its_wrappings(step: Step) -> None:
    result, requests, _ = await ask(step)
    assert result.value == [1]
    assert requests == 1


async def test_other_charsets_and_numbers_that_json_does_not_have() -> None:
    latin = answer('["é"]'.encode("latin-1"), headers={"Content-Type": "application/json; charset=latin-1"})
    assert (await ask(latin))[0].value == ["é"]
    assert (await ask(answer(b'{"a": NaN, "b": -Infinity, "c": 1.5}')))[0].value == {
        "a": None,
        "b": None,
        "c": 1.5,
    }


async def test_a_large_compressed_body_is_whole() -> None:
    value = ["0123456789" * 100_000, "x" * 300_000]
    step = answer(gzip.compress(json.dumps(value).encode()), headers={**JSON, "Content-Encoding": "gzip"})
    result, _, _ = await ask(step)
    assert result.value == value
    assert result.bytes_received < 20_000


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (answer(DUMP.encode(), 200, HTML), "answered 200 with text/html where JSON was expected"),
        (answer(DUMP.encode(), 200, {"Content-Type": "<b>secret"}), "answered 200 with "),
        (
            answer(b"1", 200, {"Content-Type": "text/csv"}),
            "answered 200 with text/csv where JSON was expected",
        ),
        (answer(b'{"results": [1, 2'), "answered 200 with JSON that is damaged or breaks off"),
        (answer(b""), "answered 200 with an empty body where JSON was expected"),
        (answer(b"", 204), "answered 204, which was not expected"),
        (answer(b"[" * 100_000), "answered 200 with JSON that is damaged"),
        (
            answer(b"\xff\xfe", headers={"Content-Type": "application/json; charset=nosuch"}),
            "JSON that is damaged",
        ),
        (as_json({"error": "fq=secret"}, 400), "answered 400, which was not expected"),
        (answer(DUMP.encode(), 403, HTML), "answered 403, which was not expected"),
        (as_json({}, 501), "answered 501, which was not expected"),
        (
            answer(b"x", headers={**JSON, "Content-Encoding": "br"}),
            "compressed in a way that was not asked for",
        ),
        (answer(b"x", headers={**JSON, "Content-Encoding": "gzip, gzip"}), "compressed in a way"),
        (answer(b"not gzip", headers={**JSON, "Content-Encoding": "gzip"}), "a damaged compressed body"),
        (answer(gzip.compress(b"[1]")[:-9], headers={**JSON, "Content-Encoding": "gzip"}), "that breaks off"),
        (raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "not HTTP as it should be"),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"X-Big: " + b"x" * 200_000 + b"\r\n\r\n"), "not HTTP as it should be"),
        (raw(head(200, {f"X-{n}": "y" * 1000 for n in range(200)}, 2) + b"{}"), "not HTTP as it should be"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n12345"), "not HTTP as it should be"),
    ],
)
async def test_answers_that_are_not_what_was_asked_for(step: Step, words: str) -> None:
    result, requests, slept = await ask(step)
    assert type(result) is UpstreamBadResponse
    assert words in result.message
    assert result.message.startswith("Open5e ")
    assert (requests, slept) == (1, [])


async def test_what_arrived_is_kept_for_code_alone() -> None:
    body = b"<html>Incapsula incident" + b"x" * 10_000
    step = answer(gzip.compress(body), 403, {**HTML, "Content-Encoding": "gzip"})
    result, _, _ = await ask(step)
    assert result.arrived.status == 403
    assert result.arrived.content_type == "text/html; charset=utf-8"
    assert result.arrived.body_start == body[:2_000].decode()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (answer(gzip_bomb(20), headers={**JSON, "Content-Encoding": "gzip"}), "too large once decompressed"),
        (answer(b'["' + b"0" * 200_000 + b'"]'), "a body that is too large"),
        (raw(head(200, JSON, None) + b"0" * 200_000), "a body that is too large"),
        (raw(head(200, JSON, 10**12)), "a body that is too large"),
    ],
)
async def test_a_body_beyond_the_cap_is_not_read(step: Step, words: str) -> None:
    result, requests, _ = await ask(step, wire_bytes=100_000, body_bytes=1_000_000)
    assert type(result) is UpstreamBadResponse
    assert words in result.message
    assert requests == 1


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (slow_head, "Open5e did not answer in time."),
        (slow_body, "Open5e did not send all of its answer in time."),
    ],
)
async def test_slow_answers_are_timeouts_and_not_asked_again(step: Step, words: str) -> None:
    result, requests, slept = await ask(step, **FAST)
    assert type(result) is UpstreamTimeout
    assert result.message == words
    assert (requests, slept) == (1, [])


async def endless_hints(turn: Turn) -> None:
    """Informational answers without end: something always comes, the answer never does."""
    while True:
        await turn.send(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)


async def test_the_head_of_an_answer_has_a_time_as_a_whole() -> None:
    async with faulty_server() as server, http_world(breaker_failures=1, total_seconds=3, **FAST) as world:
        server.on("/x", endless_hints)
        client = world.http.trusted("Open5e", server.origin)
        with pytest.raises(UpstreamTimeout, match="Open5e did not answer in time"):
            await client.get_json("/x")
        # It was the request whose time was over, not the caller's: the host counts as down.
        with pytest.raises(UpstreamUnavailable, match="Open5e does not answer at present"):
            await client.get_json("/x")
        assert len(server.requests) == 1


@pytest.mark.parametrize("step", [reset_at_once, reset_in_body, raw(b""), raw(head(200, JSON, 100) + b"[1,")])
async def test_a_broken_connection_is_tried_again(step: Step) -> None:
    result, requests, slept = await ask(step, as_json([1]))
    assert result.value == [1]
    assert (result.requests, requests, len(slept)) == (2, 2, 1)
    result, requests, _ = await ask(step, attempts=4)
    assert type(result) is UpstreamUnavailable
    assert result.message == "Open5e broke off the connection."
    assert requests == 4


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_what_passes_is_asked_again(status: int) -> None:
    result, requests, slept = await ask(answer(b"", status, HTML), as_json([1]))
    assert result.value == [1]
    assert (result.requests, requests) == (2, 2)
    assert len(slept) == 1
    assert 0 <= slept[0] <= 0.25


async def test_waits_grow_and_end() -> None:
    result, requests, slept = await ask(answer(DUMP.encode(), 503, HTML), attempts=5, retry_seconds=1)
    assert type(result) is UpstreamUnavailable
    assert result.message == "Open5e is out of order (it answered 503)."
    assert requests == 5
    assert [wait <= bound for wait, bound in zip(slept, [1, 2, 4, 8], strict=True)] == [True] * 4
    assert len(set(slept)) == 4


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("as_date", [False, True])
async def test_retry_after_is_honoured(status: int, as_date: bool) -> None:
    when = format_datetime(datetime.fromtimestamp(START + 7, UTC), usegmt=True) if as_date else "7"
    result, requests, slept = await ask(answer(b"", status, {"Retry-After": when}), as_json([1]))
    assert result.value == [1]
    assert requests == 2
    assert 7 <= slept[0] <= 7.25


async def test_a_pause_that_is_too_long_is_told_and_not_waited_for() -> None:
    result, requests, slept = await ask(answer(b"", 429, {"Retry-After": "60"}))
    assert type(result) is UpstreamUnavailable
    assert result.retry_after == 60
    assert result.message == (
        "Open5e asks for fewer requests (it answered 429). It may be asked again in 60 seconds."
    )
    assert (requests, slept) == (1, [])


@pytest.mark.parametrize("when", ["soon", "-5", "Wed, 99 Foo 2026", "1" * 40, ""])
async def test_a_retry_after_that_says_nothing_is_as_none(when: str) -> None:
    result, _, slept = await ask(answer(b"", 429, {"Retry-After": when}), as_json([1]))
    assert result.value == [1]
    assert slept[0] <= 0.25


async def test_no_one_else_is_let_through_while_a_host_rests() -> None:
    async with faulty_server() as server, http_world(longest_pause_seconds=50) as world:
        server.on("/x", answer(b"", 429, {"Retry-After": "1000000"}), as_json([1]))
        client = world.http.trusted("Open5e", server.origin)
        for n in range(3):
            with pytest.raises(UpstreamUnavailable) as caught:
                await client.get_json("/x", {"n": str(n)})
            assert caught.value.retry_after == 50
        assert len(server.requests) == 1
        world.clock.pass_by(50)
        assert (await client.get_json("/x")).value == [1]


async def test_nobody_listens() -> None:
    async with faulty_server() as server:
        gone = server.origin
    async with http_world() as world:
        with pytest.raises(UpstreamUnavailable, match=r"^Open5e cannot be reached\.$"):
            await world.http.trusted("Open5e", gone).get_json("/x")
        assert len(world.network.connected) == 3


@pytest.mark.parametrize(("broken", "lookups"), [(False, 1), (True, 3)])
async def test_a_name_that_cannot_be_looked_up(broken: bool, lookups: int) -> None:
    async with http_world() as world:
        world.names.broken = broken
        client = world.http.trusted("Open5e", "http://open5e.example")
        with pytest.raises(UpstreamUnavailable, match="Open5e has a name that cannot be looked up"):
            await client.get_json("/x")
        assert world.names.asked == ["open5e.example"] * lookups
        assert world.network.connected == []


async def test_a_connection_that_never_stands_is_a_timeout() -> None:
    async with http_world(**FAST) as world:

        async def never(host: str, port: int) -> list[str]:
            await asyncio.Event().wait()
            return []

        world.http._resolve = never
        client = world.http.trusted("Open5e", "http://open5e.example")
        with pytest.raises(UpstreamTimeout, match="Open5e cannot be connected to in time"):
            await client.get_json("/x")


async def test_redirects_are_followed_and_counted() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/a", redirect("/b?x=1", 301))
        server.on("/b", redirect(f"{server.origin}/c", 308))
        server.on("/c", as_json([1]))
        client = world.http.trusted("Open5e", server.origin, headers={"Authorization": "Bearer t"})
        fetched = await client.post_json("/a", {"q": 1})
        assert (fetched.value, fetched.url, fetched.requests) == ([1], f"{server.origin}/c", 3)
        assert [request.target for request in server.requests] == ["/a", "/b?x=1", "/c"]
        assert {(r.method, r.body, r.headers["authorization"]) for r in server.requests} == {
            ("POST", b'{"q":1}', "Bearer t")
        }


async def test_see_other_is_fetched() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/a", redirect("/b", 303))
        server.on("/b", as_json([1]))
        await world.http.trusted("Open5e", server.origin).post_json("/a", {"q": 1})
        assert [(request.method, request.body) for request in server.requests] == [
            ("POST", b'{"q":1}'),
            ("GET", b""),
        ]


@pytest.mark.parametrize(
    ("steps", "words", "count"),
    [
        ((redirect("/x?q=secret"),), "Open5e redirects in a circle.", 1),
        (tuple(redirect(f"/x?n={n}") for n in range(9)), "Open5e redirects more than 5 times.", 6),
        ((redirect("http://0x7f.1/"),), "Open5e redirects to a place that must write an IPv4 address", 1),
        ((redirect("file:///etc/passwd"),), "Open5e redirects to a place that must be a URL", 1),
        ((redirect("http://10.0.0.1/"),), "Open5e redirects to an address that is not asked: it names", 1),
        ((redirect("http://169.254.169.254/latest/meta-data/"),), "which has no public address", 1),
        ((redirect("http://127.0.0.1:9/"),), "must not name the port 9", 1),
        ((redirect("http://example.org/?a\x1fb"),), "holds a character that no URL may hold", 1),
        ((redirect("http://exa\x97mple.org/"),), "Open5e redirects to a place that", 1),
        ((redirect("http://user:pass@example.org/"),), "must not hold a user name or password", 1),
    ],
)
async def test_redirects_that_are_not_followed(steps: tuple[Step, ...], words: str, count: int) -> None:
    result, requests, _ = await ask(*steps)
    assert type(result) is UpstreamBadResponse
    assert words in result.message
    assert requests == count


async def test_no_cookie_is_kept() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", as_json(1, headers={**JSON, "Set-Cookie": "a=b; Path=/"}))
        client = world.http.trusted("Open5e", server.origin)
        for n in range(2):
            await client.get_json("/x", {"n": str(n)})
        assert ["cookie" in request.headers for request in server.requests] == [False, False]


async def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    result, requests, _ = await ask(as_json([1]))
    assert (result.value, requests) == ([1], 1)


@pytest.mark.parametrize(
    "base",
    [
        "http://open5e.example/?key=1",
        "open5e.example",
        "ftp://open5e.example",
        "https://user:secret@open5e.example",
    ],
)
async def test_a_base_url_that_cannot_be_used(base: str) -> None:
    async with http_world() as world:
        with pytest.raises(SourceNotConfigured, match="The base URL of Open5e") as caught:
            world.http.trusted("Open5e", base)
        assert "secret" not in caught.value.message


async def test_an_allowed_host_that_cannot_be_used() -> None:
    async with http_world() as world:
        with pytest.raises(SourceNotConfigured, match="An allowed host must be like `host:port`"):
            world.http.guarded(allowed_hosts=["ckan.intranet"])


async def test_a_url_of_a_caller_that_is_none() -> None:
    async with http_world() as world:
        client = world.http.guarded()
        with pytest.raises(BadInput) as caught:
            await client.get_json("data.example.org", argument="serverUrl")
        assert caught.value.argument == "serverUrl"
        assert caught.value.message == (
            "`serverUrl` must be a URL like `https://data.example.org`, got `data.example.org`."
        )
        with pytest.raises(UpstreamBadResponse, match="The upstream names an address that cannot be asked"):
            await client.get_json("data.example.org")


async def test_what_is_asked_stands_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    for step in (as_json([1]), answer(b"", 503), redirect("/x?q=secret")):
        await ask(step)
    assert "Open5e is out of order" in caplog.text
    assert "secret" not in caplog.text
