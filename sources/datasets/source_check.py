"""Where a resource lies on another CKAN portal: are its rows there?

An aggregator lists files of other portals and says that they have no DataStore, while the portal that they come
from has. The URL of such a file names that portal and the resource. It comes from upstream data, so nothing of it
is believed: only usual ports, the address guard on every hop, a cap on how many are asked, and no error is ever
raised for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import anyio

from sources.datasets.client import Ckan
from sources.datasets.portals import Portal, Portals
from sources.datasets.records import Resource
from sources.deadline import bounded_by
from sources.errors import (
    BadInput,
    LoregraphError,
    NotCkan,
    NotFound,
    PortalBlocked,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from sources.web_address import DEFAULT_PORTS, UnusableUrl, WebAddress, read_url

CHECK_SECONDS = 15.0
AT_ONCE = 5
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_RESOURCE = re.compile(rf"/resource/({_UUID})(?=/|$)", re.IGNORECASE)
_LOCALE = re.compile(r"/[a-z]{2}(?:_[A-Z]{2})?$")


class SourceState(StrEnum):
    """What asking the other portal brought."""

    ACTIVE = "active"
    """It has the rows."""
    INACTIVE = "inactive"
    """It has none, or answers with an error."""
    UNREACHABLE = "unreachable"
    """It does not answer."""
    SKIPPED = "skipped"
    """It was not asked; the note says why."""


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What was found. `portal_url` and `resource_id` say where the rows can be asked for; `note` explains."""

    state: SourceState
    portal_url: str | None = None
    resource_id: str | None = None
    note: str | None = None

    @property
    def active(self) -> bool | None:
        """Whether the rows are there; None where nobody was asked."""
        return None if self.state is SourceState.SKIPPED else self.state is SourceState.ACTIVE


@dataclass(frozen=True, slots=True)
class Checked:
    """The checks of a dataset's resources, in their order, the requests that they took, and how many were over
    the cap."""

    checks: Sequence[SourceCheck | None]
    requests: int
    over: int


async def check_sources(
    ckan: Ckan, portals: Portals, portal: Portal, resources: Sequence[Resource], *, most: int
) -> Checked:
    """Asks the portals that resources come from, `most` resources at most. Never raises.

    None stands for a resource whose rows are here anyway, or that lies on this very portal.
    """
    found: list[SourceCheck | None] = []
    places: list[tuple[int, WebAddress, str]] = []
    over = 0
    for resource in resources:
        planned = _planned(portals, portal, resource)
        if isinstance(planned, tuple):
            if len(places) < most:
                places.append((len(found), *planned))
                found.append(None)
            else:
                over += 1
                found.append(_skipped(f"At most {most} resources of a dataset are checked."))
        else:
            found.append(planned)
    limiter = anyio.CapacityLimiter(AT_ONCE)
    requests = 0

    async def ask(place: int, address: WebAddress, identifier: str) -> None:
        nonlocal requests
        async with limiter:
            check, sent = await _asked(ckan, portals, address, identifier)
        found[place] = check
        requests += sent

    async with anyio.create_task_group() as tasks:
        for place in places:
            tasks.start_soon(ask, *place)
    return Checked(found, requests, over)


def _planned(
    portals: Portals, portal: Portal, resource: Resource
) -> tuple[WebAddress, str] | SourceCheck | None:
    """Where to ask for a resource, or why not."""
    if resource.datastore_active or resource.url is None:
        return None
    try:
        address = read_url(resource.url)
    except UnusableUrl:
        return _skipped("Its URL is none that can be asked.")
    if any(portals.same(address.host, host) for host in portal.hosts):
        return None
    private = portals.lets(address.host, address.port)
    if address.port != DEFAULT_PORTS[address.scheme] and not private:
        return _skipped("Its URL names a port that is not asked.")
    named = _RESOURCE.search(address.target.partition("?")[0])
    if named is None:
        return _skipped("Its URL does not name a resource of another CKAN portal.")
    if not private and not portals.may_ask(address.host):
        return _skipped("Its portal is not one that this server asks.")
    return address, named[1].lower()


def _skipped(note: str) -> SourceCheck:
    return SourceCheck(SourceState.SKIPPED, note=note)


def _candidates(portals: Portals, address: WebAddress) -> Iterator[Portal]:
    """The known portal of the host; else what stands before `/dataset/` in the path, and the root."""
    path = address.target.partition("?")[0].partition("/dataset/")[0]
    prefix = _LOCALE.sub("", path if "/dataset/" in address.target else "")
    yielded: set[str] = set()
    for target in (prefix, ""):
        portal = portals.of_address(
            WebAddress(address.scheme, address.host, address.port, target or "/"), argument="url"
        )
        if portal.api_base not in yielded:
            yielded.add(portal.api_base)
            yield portal


async def _asked(
    ckan: Ckan, portals: Portals, address: WebAddress, identifier: str
) -> tuple[SourceCheck, int]:
    check = SourceCheck(SourceState.INACTIVE, resource_id=identifier)
    requests = 0
    try:
        for source in _candidates(portals, address):
            check, sent = await _ask_one(ckan, portals, source, identifier)
            requests += sent
            if check.state is not SourceState.INACTIVE or check.note is None:
                break  # It answered as a portal, or not at all; only what is no portal there may be one elsewhere.
    except NotCkan as error:
        check = SourceCheck(SourceState.SKIPPED, resource_id=identifier, note=error.message)
    except BadInput as error:
        check = SourceCheck(SourceState.SKIPPED, resource_id=identifier, note=f"Its URL {error.problem}")
    return check, requests


async def _ask_one(ckan: Ckan, portals: Portals, source: Portal, identifier: str) -> tuple[SourceCheck, int]:
    def found(state: SourceState, note: str | None = None) -> SourceCheck:
        url = source.api_url if state is SourceState.ACTIVE else None
        return SourceCheck(state, url, identifier, note)

    try:
        with bounded_by(anyio.current_time() + CHECK_SECONDS):
            reply = await ckan.call(
                source,
                "datastore_search",
                {"resource_id": identifier, "limit": 0},
                missing="",
                fresh_seconds=0,
                argument="url",
            )
    except NotFound:
        return found(SourceState.INACTIVE), 1
    except BadInput as error:
        return SourceCheck(SourceState.SKIPPED, None, identifier, f"Its URL {error.problem}"), 0
    except PortalBlocked as error:
        return found(SourceState.INACTIVE, error.message), 2
    except (UpstreamUnavailable, UpstreamTimeout) as error:
        return found(SourceState.UNREACHABLE, error.message), 1
    except LoregraphError as error:
        return found(SourceState.INACTIVE, error.message), 1
    host = read_url(reply.url).host
    if not portals.same(host, read_url(source.api_url).host):
        note = f"{source.title} sends the question on to another host."
        return found(SourceState.INACTIVE, note), reply.told.requests
    return found(SourceState.ACTIVE), reply.told.requests
