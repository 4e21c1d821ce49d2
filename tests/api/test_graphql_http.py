"""GraphQL over HTTP: media types, methods, status codes, bodies. The audit suite has its own place."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Message

from api.execution import Executor, Outcome
from api.graphql_http import GraphQLEndpoint, answer, graphql_endpoint
from tests.support.server import serving
from tests.support.toy_schema import toy_schema, toy_scope

MODERN = "application/graphql-response+json"
LEGACY = "application/json"
BOOK = '{book(key: "tombs") {key}}'
JSON_BODY = {"content-type": LEGACY}


def page(_request: Request) -> Response:
    return HTMLResponse("<p>the page</p>")


def client_of(**options: Any) -> httpx.AsyncClient:
    route = graphql_endpoint(Executor(toy_schema(), scope=toy_scope), **options)
    transport = httpx.ASGITransport(Starlette(routes=[route]))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with client_of() as client:
        yield client


def error_of(response: httpx.Response) -> dict[str, Any]:
    """The first error of a body that has errors alone."""
    body = response.json()
    assert "data" not in body
    error: dict[str, Any] = body["errors"][0]
    return error


async def test_answers_post(client: httpx.AsyncClient) -> None:
    response = await client.post("/graphql", json={"query": BOOK})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json; charset=utf-8"
    assert response.headers["vary"] == "Accept"
    assert response.headers["cache-control"] == "no-store"
    assert response.json()["data"] == {"book": {"key": "tombs"}}


async def test_answers_get_with_variables(client: httpx.AsyncClient) -> None:
    parameters = {
        "query": "query Other {__typename} query One($k: String!) {book(key: $k) {key}}",
        "variables": json.dumps({"k": "tombs"}),
        "operationName": "One",
        "extensions": "",
    }
    response = await client.get("/graphql", params=parameters)
    assert response.json()["data"] == {"book": {"key": "tombs"}}


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (None, LEGACY),
        ("", LEGACY),
        ("*/*", LEGACY),
        ("application/*", LEGACY),
        (LEGACY, LEGACY),
        (MODERN, MODERN),
        (f"{MODERN}, {LEGACY};q=0.9", MODERN),
        (f"{MODERN};q=0.5, {LEGACY};q=0.9", LEGACY),
        (f"{LEGACY}, {MODERN}", LEGACY),
        (f"{LEGACY};q=0, */*", MODERN),
        (f"text/html, {MODERN}, */*;q=0.1", MODERN),
        (f"{MODERN.upper()}; charset=UTF-8", MODERN),
        (f"multipart/mixed, {LEGACY}", LEGACY),
        (f"{LEGACY};q=0.2, {MODERN};q=nonsense", MODERN),
        (f"{LEGACY};q=nan, {MODERN};q=0.001", MODERN),
    ],
)
async def test_the_answer_has_the_media_type_that_is_asked_for(
    client: httpx.AsyncClient, accept: str | None, content_type: str
) -> None:
    request = client.build_request("POST", "/graphql", json={"query": BOOK})
    del request.headers["accept"]
    if accept is not None:
        request.headers["accept"] = accept
    response = await client.send(request)
    assert response.status_code == 200
    assert response.headers["content-type"] == f"{content_type}; charset=utf-8"


@pytest.mark.parametrize("accept", ["text/html", "image/*", f"{LEGACY};q=0", f"{LEGACY}; charset=utf-16"])
async def test_nothing_acceptable(client: httpx.AsyncClient, accept: str) -> None:
    response = await client.post("/graphql", json={"query": BOOK}, headers={"accept": accept})
    assert response.status_code == 406
    assert error_of(response)["extensions"] == {
        "code": "BAD_USER_INPUT",
        "argument": "Accept",
        "allowed": [MODERN, LEGACY],
    }


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"query": "{"}, "GRAPHQL_PARSE_FAILED"),
        ({"query": "{nothing}"}, "GRAPHQL_VALIDATION_FAILED"),
        ({"query": "query ($k: String!) {book(key: $k) {key}}", "variables": {"k": 1}}, "BAD_USER_INPUT"),
        ({"query": "query A {__typename} query B {__typename}"}, "BAD_USER_INPUT"),
        ({"query": "{books(first: 100) {nodes {heavy}}}"}, "QUERY_TOO_EXPENSIVE"),
    ],
)
async def test_what_is_not_executed_is_400_in_the_modern_media_type_and_200_in_the_old(
    client: httpx.AsyncClient, payload: dict[str, Any], code: str
) -> None:
    modern = await client.post("/graphql", json=payload, headers={"accept": MODERN})
    legacy = await client.post("/graphql", json=payload, headers={"accept": LEGACY})
    assert (modern.status_code, legacy.status_code) == (400, 200)
    assert error_of(modern)["extensions"]["code"] == code
    assert modern.json() == legacy.json()


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("UNAUTHENTICATED", 401),
        ("FORBIDDEN", 403),
        ("RATE_LIMITED", 429),
        ("INTERNAL_SERVER_ERROR", 500),
        (None, 400),
    ],
)
def test_status_of_a_refusal_by_its_code(code: str | None, status: int) -> None:
    outcome = Outcome(
        None, (GraphQLError("no", extensions={"code": code} if code else None),), request_error=True
    )
    assert answer(outcome, MODERN).status_code == status
    assert answer(outcome, LEGACY).status_code == 200


async def test_an_error_of_a_field_is_200(client: httpx.AsyncClient) -> None:
    response = await client.post("/graphql", json={"query": "{down}"}, headers={"accept": MODERN})
    assert response.status_code == 200
    assert response.json()["data"] == {"down": None}


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/graphql",
        "application/json; charset=latin-1",
        "application/jsonp",
    ],
)
async def test_other_media_types_are_refused(client: httpx.AsyncClient, content_type: str | None) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    response = await client.post("/graphql", content=json.dumps({"query": BOOK}), headers=headers)
    assert response.status_code == 415
    assert response.headers["accept-post"] == LEGACY
    assert error_of(response)["extensions"] == {"code": "BAD_USER_INPUT", "argument": "Content-Type"}


async def test_compressed_bodies_are_refused(client: httpx.AsyncClient) -> None:
    response = await client.post("/graphql", content=b"x", headers={**JSON_BODY, "content-encoding": "gzip"})
    assert response.status_code == 415
    assert error_of(response)["message"] == "`Content-Encoding` must be absent, got gzip."


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "APPLICATION/JSON;charset=UTF-8", 'application/json; charset="utf-8"'],
)
async def test_json_in_every_spelling(client: httpx.AsyncClient, content_type: str) -> None:
    body = json.dumps({"query": '{echo(text: "Külmking 🏃")}'}, ensure_ascii=False).encode()
    response = await client.post("/graphql", content=body, headers={"content-type": content_type})
    assert response.json()["data"] == {"echo": "Külmking 🏃"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "HEAD"])
async def test_other_methods(client: httpx.AsyncClient, method: str) -> None:
    response = await client.request(method, "/graphql")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, POST"


async def test_options(client: httpx.AsyncClient) -> None:
    response = await client.options("/graphql")
    assert (response.status_code, response.headers["allow"]) == (204, "GET, POST")


@pytest.mark.parametrize(
    ("body", "argument", "words"),
    [
        (b"", "body", "is not valid JSON"),
        (b'{"query', "body", "is not valid JSON"),
        (b'{"query": "\xff"}', "body", "is not valid JSON"),
        (b'{"query": "a\x00b"}', "body", "is not valid JSON"),
        (b'{"query": "{__typename}", "variables": {"a": "\\ud800"}}', "body", "is not valid JSON"),
        (b"[" * 5000, "body", "is not valid JSON"),
        (
            b'{"query": "{__typename}", "variables": ' + b'{"a":' * 2000 + b"1" + b"}" * 2001,
            "body",
            "is not valid JSON",
        ),
        (b"7", "body", "must be a JSON object"),
        (b"null", "body", "must be a JSON object"),
        (b'[{"query": "{__typename}"}]', "body", "batches are not supported"),
        (b"[]", "body", "batches are not supported"),
        (b"{}", "query", "is missing"),
        (b'{"query": null}', "query", "is missing"),
        (b'{"query": ["x"]}', "query", "must be a string, got a list."),
        (b'{"query": true}', "query", "must be a string, got a boolean."),
        (
            b'{"query": "{__typename}", "operationName": {}}',
            "operationName",
            "must be a string or null, got an object.",
        ),
        (
            b'{"query": "{__typename}", "variables": "x"}',
            "variables",
            "must be an object or null, got a string.",
        ),
        (
            b'{"query": "{__typename}", "variables": []}',
            "variables",
            "must be an object or null, got a list.",
        ),
        (
            b'{"query": "{__typename}", "extensions": 0}',
            "extensions",
            "must be an object or null, got a number.",
        ),
        (
            b'{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ab"}}}',
            "query",
            "persisted queries are not supported",
        ),
    ],
)
async def test_bodies_that_are_no_request(
    client: httpx.AsyncClient, body: bytes, argument: str, words: str
) -> None:
    for accept in (MODERN, LEGACY):
        response = await client.post("/graphql", content=body, headers={**JSON_BODY, "accept": accept})
        assert response.status_code == 400
        assert response.headers["content-type"] == f"{accept}; charset=utf-8"
        error = error_of(response)
        assert words in error["message"]
        assert error["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


@pytest.mark.parametrize(
    ("query_string", "argument"),
    [
        ("", "query"),
        ("query=%7B__typename%7D&query=x", "query"),
        ("query=%7B__typename%7D&variables=x", "variables"),
        ("query=%7B__typename%7D&variables=[]", "variables"),
        ("query=%FF", "URL"),
        ("a=1&" * 30, "URL"),
    ],
)
async def test_urls_that_are_no_request(client: httpx.AsyncClient, query_string: str, argument: str) -> None:
    response = await client.get(f"/graphql?{query_string}")
    assert response.status_code == 400
    assert error_of(response)["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


async def test_get_runs_no_mutation(client: httpx.AsyncClient) -> None:
    response = await client.get("/graphql", params={"query": "mutation {a}"}, headers={"accept": MODERN})
    assert response.status_code == 400
    assert error_of(response)["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://app.example", "content-type": LEGACY}, 200),
        ({"origin": "https://app.example", "content-type": "text/plain"}, 403),
        ({"sec-fetch-site": "cross-site", "apollo-require-preflight": "1"}, 200),
        ({"sec-fetch-site": "cross-site", "graphql-require-preflight": "1"}, 200),
    ],
)
async def test_a_get_must_show_that_no_foreign_page_sent_it(
    client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    response = await client.get("/graphql", params={"query": BOOK}, headers=headers)
    assert response.status_code == status
    if status == 403:
        assert error_of(response)["extensions"] == {"code": "FORBIDDEN"}


async def test_a_browser_gets_the_page_where_there_is_one(client: httpx.AsyncClient) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    async with client_of(html=page) as with_page:
        assert (await with_page.get("/graphql", headers=browser)).text == "<p>the page</p>"
        assert (
            await with_page.get("/graphql", params={"query": BOOK}, headers=browser)
        ).text == "<p>the page</p>"
        assert (await with_page.get("/graphql", params={"query": BOOK})).json()["data"] == {
            "book": {"key": "tombs"}
        }
        posted = await with_page.post("/graphql", json={"query": BOOK}, headers=browser)
        assert posted.json()["data"] == {"book": {"key": "tombs"}}
    without = await client.get("/graphql", params={"query": BOOK}, headers=browser)
    assert without.json()["data"] == {"book": {"key": "tombs"}}


async def test_body_at_the_limit_and_beyond() -> None:
    body = json.dumps({"query": BOOK}).encode()
    async with client_of(body_limit=len(body)) as client:
        assert (await client.post("/graphql", content=body, headers=JSON_BODY)).status_code == 200
        response = await client.post("/graphql", content=body + b" ", headers=JSON_BODY)
    assert response.status_code == 413
    assert error_of(response)["message"] == f"`body` must have at most {len(body)} bytes."
    assert error_of(response)["extensions"] == {"code": "BAD_USER_INPUT", "argument": "body"}


async def test_a_chunked_body_is_read_no_further_than_the_limit() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b" " * 1000

    async with client_of(body_limit=10_000) as client:
        response = await client.post("/graphql", content=endless(), headers=JSON_BODY)
    assert response.status_code == 413
    assert sent == 11


async def test_a_caller_who_leaves_while_sending_gets_no_answer() -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/graphql",
        "headers": [(b"content-type", b"application/json")],
    }
    await GraphQLEndpoint(Executor(toy_schema(), scope=toy_scope))(scope, receive, send)
    assert sent == []


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    route = graphql_endpoint(Executor(toy_schema(), scope=toy_scope))
    with serving(Starlette(routes=[route])) as url:
        yield f"{url}/graphql"


@pytest.mark.parametrize("chunked", [False, True])
def test_two_megabytes_through_a_socket(url: str, chunked: bool) -> None:
    body = json.dumps({"query": BOOK, "variables": {"a": "x" * 2_000_000}}).encode()
    content = (part for part in (body[:1000], body[1000:])) if chunked else body
    response = httpx.post(url, content=content, headers=JSON_BODY, trust_env=False)
    assert response.status_code == 413
    assert response.headers["connection"] == "close"
    assert error_of(response)["message"] == "`body` must have at most 1048576 bytes."
    # The server is well after it.
    assert httpx.post(url, json={"query": BOOK}, trust_env=False).status_code == 200


def test_huge_variables_below_the_body_limit(url: str) -> None:
    query = "query ($f: BookFilter) {books(filter: $f) {nodes {key}}}"
    body = {"query": query, "variables": {"f": {"year": [1] * 400_000}}}
    content = json.dumps(body, separators=(",", ":"))
    response = httpx.post(url, content=content, headers={**JSON_BODY, "accept": MODERN}, trust_env=False)
    assert response.status_code == 400
    assert error_of(response)["extensions"] == {"code": "QUERY_TOO_EXPENSIVE"}
