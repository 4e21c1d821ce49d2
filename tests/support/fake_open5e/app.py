"""The application: paths, methods, formats and errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from tests.support.fake_open5e.corpora import srd_corpus
from tests.support.fake_open5e.corpus import Corpus, Row
from tests.support.fake_open5e.endpoints import ENDPOINTS, Endpoint
from tests.support.fake_open5e.listing import BadParameters, InvalidPage, filtered, ordered, page_of, shown
from tests.support.fake_open5e.search import SearchUnavailable, TextSearch
from tests.support.fake_upstream import HTML_500, FakeUpstream

LONGEST_REQUEST_LINE = 4094
"""Bytes, method and protocol included, as gunicorn counts them."""

_HTML = "text/html; charset=utf-8"
_NOT_FOUND = (
    b'\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n</head>\n<body>\n'
    b"  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>\n</body>\n</html>\n"
)
_LINE_TOO_LONG = (
    "<html>\n  <head>\n    <title>Bad Request</title>\n  </head>\n  <body>\n    <h1><p>Bad Request</p></h1>\n"
    "    Request Line is too large ({length} &gt; {longest})\n  </body>\n</html>\n"
)
_DETAIL_PATH = re.compile(r"/v2/([a-z]+)/([^/]+)/")
_LIST_PATH = re.compile(r"/v2/([a-z]+)/")


class SearchIndex(StrEnum):
    """What of its search index the server has."""

    WHOLE = "whole"
    NO_VECTORS = "no vectors"
    """Exact search works; everything else is an HTML page with 500."""
    NONE = "none"
    """A strict search finds nothing; everything else is an HTML page with 500."""


class FakeOpen5e(FakeUpstream):
    """The fake: an ASGI application over `corpus`, SRD 5.1 alone unless said otherwise.

    - `ignored`: parameters that it ignores although its endpoints know them: filters that do nothing
    - `losing`: parameters that also lose the last record which they should let pass
    - `search_index`: how much of the search works
    """

    def __init__(
        self, corpus: Corpus | None = None, *, search_index: SearchIndex = SearchIndex.WHOLE
    ) -> None:
        super().__init__()
        self.corpus = srd_corpus() if corpus is None else corpus
        self.ignored: set[str] = set()
        self.losing: set[str] = set()
        self.search_index = search_index
        self._search: TextSearch | None = None

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._answer(Request(scope))
        await response(scope, receive, send)

    def changed(self) -> None:
        """Builds the search index anew at the next search: to be called when the corpus was changed."""
        self._search = None

    def _answer(self, request: Request) -> Response:
        too_long = _too_long(request)
        if too_long is not None:
            return too_long
        path = request.url.path
        if not path.endswith("/"):
            return (
                _redirect(request) if self._known(f"{path}/") else Response(_NOT_FOUND, 404, media_type=_HTML)
            )
        if not self._known(path):
            return Response(_NOT_FOUND, 404, media_type=_HTML)
        if request.method not in ("GET", "HEAD"):
            detail = f'Method "{request.method}" not allowed.'
            return _json({"detail": detail}, 405, {"Allow": "GET, HEAD, OPTIONS"})
        query = request.scope["query_string"].decode("ascii", "replace")
        parameters = dict(parse_qsl(query, keep_blank_values=True))
        if parameters.get("format") == "api" and "text/html" not in request.headers.get("accept", ""):
            return _json({"detail": "Could not satisfy the request Accept header."}, 406)
        try:
            return _json(_with_host(self._found(path, parameters, str(request.url)), request))
        except BadParameters as error:
            return _json(error.messages, 400)
        except InvalidPage:
            return _json({"detail": "Invalid page."}, 404)
        except _Missing as error:
            return _json({"detail": f"No {error.model} matches the given query."}, 404)
        except SearchUnavailable:
            return Response(HTML_500, 500, media_type=_HTML)

    def _known(self, path: str) -> bool:
        if path in ("/v2/", "/v2/search/"):
            return True
        match = _DETAIL_PATH.fullmatch(path) or _LIST_PATH.fullmatch(path)
        return match is not None and match[1] in ENDPOINTS

    def _found(self, path: str, parameters: Mapping[str, str], url: str) -> Row:
        if path == "/v2/":
            return {name: f"/v2/{name}/" for name in ENDPOINTS}
        if path == "/v2/search/":
            return self._searched(parameters, url)
        detail = _DETAIL_PATH.fullmatch(path)
        if detail is not None:
            endpoint = ENDPOINTS[detail[1]]
            record = self.corpus.get(endpoint.path, detail[2])
            if record is None:
                raise _Missing(endpoint)
            return shown(record.row, parameters)
        endpoint = ENDPOINTS[path.split("/")[2]]
        records = filtered(endpoint, self.corpus, parameters, ignored=self.ignored, losing=self.losing)
        wish = "" if "ordering" in self.ignored else parameters.get("ordering", "")
        page = page_of(ordered(endpoint, records, wish), parameters, url)
        envelope = page.envelope()
        envelope["results"] = [shown(record.row, parameters) for record in page.rows]
        return envelope

    def _searched(self, parameters: Mapping[str, str], url: str) -> Row:
        if self._search is None:
            self._search = TextSearch(self.corpus)
        results, exact = self._search.results(
            parameters,
            exact_index=self.search_index is not SearchIndex.NONE,
            vectors=self.search_index is SearchIndex.WHOLE,
        )
        return {**page_of(results, parameters, url).envelope(), "search_metadata": {"exact_matches": exact}}


class _Missing(Exception):
    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint.path)
        self.model = endpoint.model


def _json(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    headers = {"Vary": "Accept, Cookie", "Allow": "GET, HEAD, OPTIONS", **(headers or {})}
    return Response(orjson.dumps(content), status, headers, media_type="application/json")


def _too_long(request: Request) -> Response | None:
    target = request.scope.get("raw_path") or request.scope["path"].encode()
    target = target.partition(b"?")[0]
    query = request.scope["query_string"]
    line = b" ".join([request.method.encode(), target + (b"?" + query if query else b""), b"HTTP/1.1"])
    if len(line) <= LONGEST_REQUEST_LINE:
        return None
    body = _LINE_TOO_LONG.format(length=len(line), longest=LONGEST_REQUEST_LINE)
    return Response(body, 400, {"Connection": "close"}, media_type="text/html")


def _redirect(request: Request) -> Response:
    query = request.scope["query_string"].decode("ascii", "replace")
    response = RedirectResponse(request.url.path + "/" + (f"?{query}" if query else ""), 301)
    response.headers["content-type"] = _HTML
    return response


def _with_host(content: Any, request: Request) -> Any:
    """The links of an answer as whole addresses, built from the host that the request named."""
    host = f"{request.url.scheme}://{request.url.netloc}"
    if isinstance(content, dict):
        return {name: _with_host(value, request) for name, value in content.items()}
    if isinstance(content, list):
        return [_with_host(item, request) for item in content]
    if isinstance(content, str) and content.startswith("/v2/"):
        return host + content
    return content
