"""The application: a CKAN portal's Action API, and the ways in which portals differ and fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.support.fake_ckan import replies
from tests.support.fake_ckan.corpus import Raw, golden_packages, solr_document, tag_names
from tests.support.fake_ckan.datastore import Table, datastore_search
from tests.support.fake_ckan.engine import Engine
from tests.support.fake_ckan.package_search import Manners, package_search
from tests.support.fake_ckan.replies import Refusal, invalid, not_found
from tests.support.fake_upstream import FakeUpstream

MOST_WITH_ALL_FIELDS = 25
"""Organizations and groups that a list with all fields holds at most, unless fewer are asked for."""


class Profile(StrEnum):
    """What kind of portal it is. A portal that is down or slow is one with `faults`."""

    DISMAX = "dismax"
    """CKAN as it comes: a disjunction is ignored, the wrapper works."""
    EDISMAX = "edismax"
    """A disjunction is honoured without the wrapper."""
    NO_TEXT_FIELD = "no-text-field"
    """The wrapper finds nothing."""
    OPERATOR_OR = "q.op=OR"
    """The standard parser joins words by OR."""
    HTML_200 = "html-200"
    """A firewall's page in the place of every answer, with 200."""
    WAF_403 = "waf-403"
    """A firewall turns every request away."""
    SUCCESS_FALSE = "success-false"
    """Every answer says that it is none."""
    OLD = "old-2.6"
    """CKAN 2.6: no DataStore flags, a short status, no field `text`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One action that was asked, with what it was given."""

    action: str
    given: Mapping[str, Any]
    method: str


class FakeCkan(FakeUpstream):
    """The fake: an ASGI application over datasets as `package_show` gives them.

    - `prefix`: the path that the portal lies under, such as `/opendata`
    - `packages`, `organizations`, `groups`, `tables`: what it holds; `refresh` after changing packages
    - `asked`: the actions that were asked, in order
    - `flaky`: numbers of those searches (from 1) that fail
    - `counts_facets`: whether searches tell facets
    - `post_only`: a firewall turns away everything that is not POST
    """

    def __init__(
        self,
        packages: Sequence[Raw] | None = None,
        profile: Profile = Profile.DISMAX,
        *,
        prefix: str = "",
        locale: str = "it",
    ) -> None:
        super().__init__()
        self.profile = profile
        self.prefix = prefix
        self.locale = locale
        self.packages = list(golden_packages() if packages is None else packages)
        self.groups: list[Raw] = []
        self.tables: dict[str, Table] = {}
        self.more_organizations: list[Raw] = []
        self.asked: list[Asked] = []
        self.flaky: set[int] = set()
        self.counts_facets = True
        self.post_only = False
        self.refresh()

    @property
    def searches(self) -> list[Mapping[str, Any]]:
        """What each `package_search` was given, in order."""
        return [asked.given for asked in self.asked if asked.action == "package_search"]

    def refresh(self) -> None:
        """Indexes the packages anew."""
        text_field = self.profile not in (Profile.NO_TEXT_FIELD, Profile.OLD)
        self._by_id = {raw["id"]: raw for raw in self.packages}
        self._engine = Engine([solr_document(raw) for raw in self.packages], text_field=text_field)

    def forget(self) -> None:
        super().forget()
        self.asked.clear()

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        action = self._action(request.url.path)
        if action is None:
            return replies.page(replies.NOT_FOUND_PAGE, 404)
        if request.method == "POST":
            try:
                given = orjson.loads(await request.body() or b"{}")
            except orjson.JSONDecodeError:
                return replies.bare_string("Bad request - JSON Error: Error decoding JSON data.")
        else:
            given = dict(request.query_params)
        self.asked.append(Asked(action, given, request.method))
        if self.profile is Profile.HTML_200:
            return replies.page(replies.INCAPSULA)
        if self.profile is Profile.WAF_403 or (self.post_only and request.method != "POST"):
            return replies.page(replies.WAF, 403)
        failing = action == "package_search" and len(self.searches) in self.flaky
        if self.profile is Profile.SUCCESS_FALSE or failing:
            return replies.json_response({"help": "", "success": False, "error": "Something went wrong"})
        if action not in self._actions:
            return replies.bare_string(f"Bad request - Action name not known: {action}")
        try:
            return replies.success(action, self._actions[action](self, given))
        except Refusal as refusal:
            return replies.failure(action, refusal)

    def _action(self, path: str) -> str | None:
        for base in (f"{self.prefix}/api/3/action/", f"{self.prefix}/api/action/"):
            if path.startswith(base) and "/" not in path.removeprefix(base):
                return path.removeprefix(base)
        return None

    def _search(self, given: Mapping[str, Any]) -> Raw:
        def_type = "edismax" if self.profile is Profile.EDISMAX else "dismax"
        q_op = "OR" if self.profile is Profile.OPERATOR_OR else "AND"
        result = package_search(self._engine, self._by_id, given, Manners(def_type, q_op))
        return result if self.counts_facets else {**result, "facets": {}, "search_facets": {}}

    def _package(self, given: Mapping[str, Any]) -> Raw:
        if not given.get("id"):
            raise invalid(id=["Missing value"])
        for raw in self.packages:
            if given["id"] in (raw["id"], raw["name"]):
                if raw.get("private"):
                    raise Refusal(
                        403, "Authorization Error", "Access denied: User  not authorized to read package"
                    )
                return raw
        raise not_found()

    def _resource(self, given: Mapping[str, Any]) -> Raw:
        for raw in self.packages:
            for resource in raw.get("resources") or []:
                if resource["id"] == given.get("id"):
                    return dict(resource)
        raise not_found()

    def organizations(self) -> list[Raw]:
        """Every organization, with its number of datasets, sorted by name."""
        found: dict[str, Raw] = {raw["name"]: dict(raw) for raw in self.more_organizations}
        for raw in self.packages:
            owner = raw.get("organization")
            if isinstance(owner, dict):
                held = found.setdefault(owner["name"], {**owner, "package_count": 0})
                held["package_count"] = held.get("package_count", 0) + 1
                held["display_name"] = held["title"]
        return [found[name] for name in sorted(found)]

    def _list(self, records: Sequence[Raw], given: Mapping[str, Any]) -> list[Any]:
        everything = str(given.get("all_fields", "false")).lower() == "true"
        most = MOST_WITH_ALL_FIELDS if everything and self.profile is not Profile.OLD else MOST_WITH_NAMES
        limit = min(int(given.get("limit") or most), most)
        offset = int(given.get("offset") or 0)
        piece = records[offset : offset + limit]
        return list(piece) if everything else [raw["name"] for raw in piece]

    def _organization_list(self, given: Mapping[str, Any]) -> list[Any]:
        return self._list(self.organizations(), given)

    def _group_list(self, given: Mapping[str, Any]) -> list[Any]:
        return self._list(self.groups, given)

    def _tag_list(self, given: Mapping[str, Any]) -> list[Any]:
        names = sorted({name for raw in self.packages for name in tag_names(raw)})
        if given.get("query"):
            names = [name for name in names if str(given["query"]).lower() in name.lower()]
        return names

    def _status(self, given: Mapping[str, Any]) -> Raw:
        status: Raw = {
            "ckan_version": "2.6.8" if self.profile is Profile.OLD else "2.12.0",
            "site_title": "Dati di prova",
            "site_description": "",
            "site_url": "https://ckan.example",
            "error_emails_to": None,
            "locale_default": self.locale,
            "extensions": ["datastore", "harvest"],
        }
        if self.profile is Profile.OLD:
            del status["extensions"]
        return status

    def _datastore(self, given: Mapping[str, Any]) -> Raw:
        return datastore_search(self.tables, given)

    _actions: ClassVar[dict[str, Callable[[FakeCkan, Mapping[str, Any]], Any]]] = {
        "package_search": _search,
        "package_show": _package,
        "resource_show": _resource,
        "organization_list": _organization_list,
        "group_list": _group_list,
        "tag_list": _tag_list,
        "status_show": _status,
        "datastore_search": _datastore,
    }


MOST_WITH_NAMES = 1_000
