"""The application: lists of references, details, and their manners."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tests.support.fake_dnd5e.collections import Collections, collections, levels, reference
from tests.support.fake_upstream import FakeUpstream
from tests.support.srd_raw import Raw, paragraphs

EDITIONS = ("2014", "2024")

Parameters = Sequence[tuple[str, str]]


@dataclass(slots=True)
class RateLimit:
    """At most `requests` in each window of `seconds`, whoever asks; `clock` gives the time in seconds."""

    requests: int = 50
    seconds: float = 1.0
    clock: Callable[[], float] = time.monotonic
    _began: float = field(default=-math.inf, init=False)
    _counted: int = field(default=0, init=False)

    def wait(self) -> float | None:
        """Counts a request; the seconds until the next window when it is one too many."""
        now = self.clock()
        if now - self._began >= self.seconds:
            self._began, self._counted = now, 0
        self._counted += 1
        return self._began + self.seconds - now if self._counted > self.requests else None


class FakeDnd5e(FakeUpstream):
    """The fake: an ASGI application over the embedded SRD 5.1.

    - `limit`: its rate limit, none unless given: answers 429 in text with `Retry-After` in whole seconds
    - `collections`: records by edition, collection and index, for tests to change
    - `url`: where it is served, set by who serves it
    """

    def __init__(self, limit: RateLimit | None = None) -> None:
        super().__init__()
        self.limit = limit
        self.url = ""
        self.collections: dict[str, Collections] = {edition: collections(edition) for edition in EDITIONS}

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._answer(Request(scope))
        await response(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        wait = None if self.limit is None else self.limit.wait()
        if wait is not None:
            message = "Too many requests from this IP, please try again later."
            return PlainTextResponse(message, 429, {"Retry-After": str(math.ceil(wait))})
        query = request.scope["query_string"].decode("ascii", "replace")
        parts = [part for part in request.url.path.split("/") if part]
        if request.method not in ("GET", "HEAD") or parts[:1] != ["api"]:
            return _not_found()
        if len(parts) < 2 or parts[1] not in EDITIONS:
            target = "/".join(["", "api", "2014", *parts[1:]])
            return Response(status_code=301, headers={"Location": target + (f"?{query}" if query else "")})
        return self._of_edition(parts[1], parts[2:], parse_qsl(query, keep_blank_values=True))

    def _of_edition(self, edition: str, path: Sequence[str], parameters: Parameters) -> Response:
        held = self.collections[edition]
        if not path:
            return _json({name: f"/api/{edition}/{name}" for name in sorted(held)})
        if path[0] not in held:
            return _not_found()
        if len(path) == 1:
            return _listed(path[0], held[path[0]].values(), parameters)
        record = held[path[0]].get(path[1])
        if record is None:
            return _not_found()
        if len(path) == 2:
            return _json(record)
        return self._inside(path, record, held, parameters) if path[0] == "classes" else _not_found()

    def _inside(
        self, path: Sequence[str], record: Raw, held: Collections, parameters: Parameters
    ) -> Response:
        """What belongs to a class."""
        own = record["index"]
        match path[2:]:
            case ["spells"]:
                return _listed("spells", _of_class(held["spells"], own), parameters)
            case ["levels", number, "spells"] if number.isdecimal():
                spells = [raw for raw in _of_class(held["spells"], own) if raw["level"] == int(number)]
                return _listed("spells", spells, ())
            case ["subclasses" | "features" as name]:
                return _listed(name, (raw for raw in held[name].values() if raw["class"]["index"] == own), ())
            case ["proficiencies"]:
                indexes = {item["index"] for item in record["proficiencies"]}
                proficiencies = (raw for raw in held["proficiencies"].values() if raw["index"] in indexes)
                return _listed("proficiencies", proficiencies, ())
            case ["levels"]:
                return _json(_levels(own))
            case ["levels", number] if number.isdecimal():
                found = [raw for raw in _levels(own) if raw["level"] == int(number)]
                return _json(found[0]) if found else _not_found()
            case ["spellcasting"] if "spellcasting" in record:
                return _json(record["spellcasting"])
            case ["multi-classing"]:
                return _json(record["multi_classing"])
            case ["starting-equipment"]:
                return _json(
                    {name: record[name] for name in ("starting_equipment", "starting_equipment_options")}
                )
            case _:
                return _not_found()


def _listed(collection: str, records: Iterable[Raw], parameters: Parameters) -> Response:
    """References of the records that the known parameters let pass; unknown ones are dropped."""
    names = _values(parameters, "name")
    if len(names) > 1:
        detail = {"code": "invalid_type", "expected": "string", "received": "array", "path": ["name"]}
        return _json({"error": "Invalid query parameters", "details": [detail]}, 400)
    kept = list(records)
    if names:
        kept = [raw for raw in kept if _within(names[0], raw["name"])]
    if collection == "spells":
        kept = _numbered(kept, "level", _values(parameters, "level"))
        schools = _values(parameters, "school")
        if schools:
            kept = [raw for raw in kept if any(_within(school, raw["school"]["name"]) for school in schools)]
    if collection == "monsters":
        kept = _numbered(kept, "challenge_rating", _values(parameters, "challenge_rating"))
    if collection in ("rules", "rule-sections"):
        for text in _values(parameters, "desc")[:1]:
            kept = [raw for raw in kept if _within(text, paragraphs(raw["desc"]))]
    results = [reference(raw, level=collection == "spells") for raw in kept]
    return _json({"count": len(results), "results": results})


def _numbered(records: list[Raw], field: str, texts: Sequence[str]) -> list[Raw]:
    """Those whose number is listed, in lists with commas or in repetitions; what is no number is dropped."""
    numbers = {number for text in texts for part in text.split(",") if (number := _number(part)) is not None}
    return [raw for raw in records if raw[field] in numbers] if numbers else records


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _values(parameters: Parameters, name: str) -> list[str]:
    return [value for held, value in parameters if held == name]


def _within(part: str, whole: str) -> bool:
    return part.lower() in whole.lower()


def _of_class(spells: dict[str, Raw], own: str) -> list[Raw]:
    return [raw for raw in spells.values() if own in {item["index"] for item in raw["classes"]}]


def _levels(own: str) -> list[Raw]:
    return [raw for raw in levels() if raw["class"]["index"] == own and "subclass" not in raw]


def _json(content: Any, status: int = 200) -> Response:
    headers = {"Content-Language": "en"}
    return Response(orjson.dumps(content), status, headers, media_type="application/json; charset=utf-8")


def _not_found() -> Response:
    return PlainTextResponse("Not Found", 404)
