"""CKAN's envelopes and errors, and the pages that come in their place."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import HTMLResponse, Response

INCAPSULA = (
    '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body>'
    '<iframe src="/_Incapsula_Resource?xinfo=9-1&incident_id=77">Request unsuccessful. '
    "Incapsula incident ID: 77</iframe></body></html>"
)
WAF = (
    "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. "
    "Your support ID is: 4711</body></html>"
)
NOT_FOUND_PAGE = "<!doctype html><html><head><title>404 Not Found</title></head><body>Not found</body></html>"
HOME_PAGE = "<!doctype html><html><head><title>Our town</title></head><body>Welcome</body></html>"

SOLR_DUMP = (
    "SOLR returned an error running query: {'q': 'aria', 'fq': ['+site_id:\"default\"', "
    "'+permission_labels:(\"public\")'], 'rows': 11, 'wt': 'json'} Error: SolrError('Solr responded with an "
    "error (HTTP 400): [Reason: org.apache.solr.search.SyntaxError: Cannot parse]')"
)
"""What a real portal's message leaks; it must never reach a caller."""


class Refusal(Exception):
    """An error of CKAN: status, `__type`, and what stands beside it."""

    def __init__(self, status: int, kind: str, message: str | None = None, **fields: list[str]) -> None:
        super().__init__(kind)
        self.status = status
        self.error: dict[str, Any] = {"__type": kind, **fields}
        if message is not None:
            self.error["message"] = message


def not_found(message: str = "Not found") -> Refusal:
    """404."""
    return Refusal(404, "Not Found Error", message)


def invalid(**fields: list[str]) -> Refusal:
    """409 with the problems of each field."""
    return Refusal(409, "Validation Error", None, **fields)


def search_error() -> Refusal:
    """409: Solr could not read the query. The message is as talkative as the real one."""
    return Refusal(409, "Search Error", f"Search error: {SOLR_DUMP!r}")


def success(action: str, result: Any) -> Response:
    """The envelope of an answer."""
    return json_response({"help": _help(action), "success": True, "result": result})


def failure(action: str, refusal: Refusal) -> Response:
    """The envelope of an error."""
    return json_response({"help": _help(action), "success": False, "error": refusal.error}, refusal.status)


def bare_string(text: str, status: int = 400) -> Response:
    """An unknown action, or a body that is no JSON: a JSON string without an envelope."""
    return json_response(text, status)


def page(text: str, status: int = 200) -> Response:
    """HTML."""
    return HTMLResponse(text, status)


def json_response(content: Any, status: int = 200) -> Response:
    """JSON as CKAN sends it."""
    return Response(orjson.dumps(content), status, media_type="application/json;charset=utf-8")


def _help(action: str) -> str:
    return f"http://ckan.example/api/3/action/help_show?name={action}"
