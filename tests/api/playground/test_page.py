"""What the page and its files are answered with: policies, caching, media types, and nothing but what is listed."""

from __future__ import annotations

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import Message, Scope

from api.guard import Guard
from api.playground.assets import IMMUTABLE, MEDIA_TYPES, Assets
from api.playground.page import BUILT, PLAIN, Playground
from tests.support.browser import NOT_BUILT, missing

SCRIPT = b"export const answer = 42;\n" * 200
HASHED = "playground/index-Ab12_-9z.js"


def client_of(playground: Playground) -> httpx.AsyncClient:
    app = Starlette(routes=playground.routes(), middleware=[Middleware(Guard)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost:8000")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder as the build makes it, with one script, its gzipped form, and a file that is not for serving."""
    folder = tmp_path / "static"
    (folder / "playground").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    (folder / HASHED).write_bytes(SCRIPT)
    (folder / f"{HASHED}.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "playground" / "index-Ab12_-9z.js.map").write_text("{}")
    (tmp_path / "secret.js").write_text("secret")
    return folder


@pytest.fixture
async def client(built: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(Playground(built)) as one:
        yield one


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(Playground(tmp_path / "absent")) as one:
        yield one


def directives(response: httpx.Response) -> dict[str, list[str]]:
    """The Content-Security-Policy of a response, by directive."""
    policy = response.headers["content-security-policy"]
    return {name: values for name, *values in (part.split() for part in policy.split(";"))}


async def test_without_a_build_the_plain_page_is_served(plain: httpx.AsyncClient) -> None:
    answer = await plain.get("/")
    assert answer.status_code == 200
    assert answer.content == (PLAIN / "index.html").read_bytes()


async def test_with_a_build_the_built_page_is_served(client: httpx.AsyncClient) -> None:
    assert "<title>built</title>" in (await client.get("/")).text


async def test_the_plain_page_may_load_its_own_files_and_nothing_else(plain: httpx.AsyncClient) -> None:
    policy = directives(await plain.get("/"))
    assert policy.pop("default-src") == ["'none'"]
    for closed in ("base-uri", "form-action", "frame-ancestors"):
        assert policy.pop(closed) == ["'none'"]
    assert policy == {name: ["'self'"] for name in ("script-src", "style-src", "img-src", "connect-src")}


async def test_the_built_page_has_one_exception_for_styles(client: httpx.AsyncClient) -> None:
    policy = directives(await client.get("/"))
    assert policy.pop("style-src") == ["'self'", "'unsafe-inline'"]
    assert policy["default-src"] == policy["frame-ancestors"] == ["'none'"]
    assert policy["script-src"] == policy["worker-src"] == policy["connect-src"] == ["'self'"]
    allowed = {value for values in policy.values() for value in values}
    assert allowed == {"'none'", "'self'", "data:"}
    assert "data:" not in policy["script-src"]


async def test_the_guard_adds_its_headers_and_leaves_the_policy(client: httpx.AsyncClient) -> None:
    headers = (await client.get("/")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers.get_list("content-security-policy") == [headers["content-security-policy"]]


@pytest.mark.parametrize("folder", [PLAIN, BUILT], ids=["plain", "built"])
def test_no_page_holds_a_script_or_a_style_or_a_foreign_address(folder: Path) -> None:
    if folder == BUILT and not (BUILT / "index.html").is_file():
        missing(NOT_BUILT)
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", page) == []
    addresses = re.findall(r"(?:src|href)=\"([^\"]+)\"", page)
    assert addresses
    assert [address for address in addresses if not address.startswith("./")] == []


async def test_what_the_plain_page_names_is_there(plain: httpx.AsyncClient) -> None:
    named = re.findall(r"(?:src|href)=\"\.(/playground/[^\"]+)\"", (await plain.get("/")).text)
    assert sorted(named) == ["/playground/icon.svg", "/playground/plain.css", "/playground/plain.js"]
    types = {name: (await plain.get(name)).headers["content-type"] for name in named}
    assert types == {
        "/playground/icon.svg": "image/svg+xml",
        "/playground/plain.css": "text/css; charset=utf-8",
        "/playground/plain.js": "text/javascript; charset=utf-8",
    }


async def test_built_files_are_kept_for_good(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"/{HASHED}")
    assert answer.content == SCRIPT
    assert answer.headers["cache-control"] == IMMUTABLE == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/playground/plain.js", "/playground/content.json"])
async def test_the_others_are_asked_after_and_not_sent_twice(path: str, client: httpx.AsyncClient) -> None:
    first = await client.get(path)
    assert first.headers["cache-control"] == "no-cache"
    again = await client.get(path, headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    changed = await client.get(path, headers={"if-none-match": '"other"'})
    assert changed.content == first.content


async def test_gzip_is_sent_to_those_who_take_it(client: httpx.AsyncClient) -> None:
    for accepted, packed in {
        "gzip, deflate, br": True,
        "br;q=1.0, GZIP;q=0.5": True,
        "gzip;q=0": False,
        "identity": False,
        "": False,
    }.items():
        answer = await client.get(f"/{HASHED}", headers={"accept-encoding": accepted})
        assert answer.content == SCRIPT
        assert answer.headers["vary"].split(", ")[0] == "Accept-Encoding"
        assert ("content-encoding" in answer.headers) is packed
        assert int(answer.headers["content-length"]) == len(SCRIPT) or packed


async def test_a_worker_may_load_our_scripts_and_nothing_else(client: httpx.AsyncClient) -> None:
    assert directives(await client.get(f"/{HASHED}")) == {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "frame-ancestors": ["'none'"],
    }


@pytest.mark.parametrize("path", ["/", f"/{HASHED}", "/playground/plain.css", "/playground/content.json"])
async def test_head_has_the_headers_of_get(path: str, client: httpx.AsyncClient) -> None:
    got, head = await client.get(path), await client.head(path)
    assert head.status_code == 200
    for headers in (got.headers, head.headers):
        del headers["x-request-id"]
    assert dict(head.headers) == dict(got.headers)


@pytest.mark.parametrize(
    "path",
    [
        "/playground/../secret.js",
        "/playground/%2e%2e/secret.js",
        "/playground/..%2f..%2fsecret.js",
        "/playground/%2e%2e%2f%2e%2e%2fsecret.js",
        "/playground/..%5c..%5csecret.js",
        "/playground/%2fetc%2fpasswd",
        "/playground//etc/passwd",
        "/playground/./plain.js",
        "/playground/plain.js%00",
        "/playground/../index.html",
        "/playground/index-Ab12_-9z.js.map",
        "/playground/index-Ab12_-9z.js.gz",
        "/playground/",
        "/playground/absent.js",
    ],
)
async def test_what_is_not_listed_is_not_served(path: str, built: Path) -> None:
    status, body = await raw_get(Playground(built), path)
    assert status == 404
    assert b"secret" not in body


async def test_the_raw_request_reaches_what_is_listed(built: Path) -> None:
    assert await raw_get(Playground(built), f"/{HASHED}") == (200, SCRIPT)


async def raw_get(playground: Playground, path: str) -> tuple[int, bytes]:
    """Status and body for a path as it stands; a client would tidy it before sending it."""
    sent: list[Message] = []
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [],
    }

    async def receive() -> Message:
        # The caller neither sends more nor goes away.
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    await Starlette(routes=playground.routes())(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_the_page_is_only_read(method: str, client: httpx.AsyncClient) -> None:
    for path in ("/", f"/{HASHED}"):
        answer = await client.request(method, path)
        assert answer.status_code == 405
        assert {"GET", "HEAD"} == set(answer.headers["allow"].split(", "))


def test_files_of_kinds_that_are_not_known_are_not_listed(built: Path) -> None:
    assets = Assets(immutable=built / "playground", revalidated=PLAIN / "playground", made={"a.json": b"{}"})
    assert assets.names == {"index-Ab12_-9z.js", "a.json", "plain.js", "plain.css", "icon.svg"}
    assert ".map" not in MEDIA_TYPES
    assert ".gz" not in MEDIA_TYPES
