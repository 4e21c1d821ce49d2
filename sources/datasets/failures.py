"""What a portal answered in place of a result, as our errors. Its own words never reach a caller: they hold its
parameters, SQL, or a page of HTML."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from sources.datasets.portals import Portal
from sources.errors import (
    BadInput,
    LoregraphError,
    NotCkan,
    NotFound,
    PortalBlocked,
    UpstreamBadResponse,
    UpstreamUnavailable,
    shorten,
)

log = logging.getLogger("loregraph.datasets")

_FIREWALLS = re.compile(
    r"incapsula|imperva|cloudflare|akamai|request rejected|request unsuccessful|access denied|attention required"
    r"|just a moment|support id|web application firewall|captcha|forbidden by",
    re.IGNORECASE,
)
_TURNED_AWAY = frozenset({401, 403, 405, 406, 418, 451})

Arguments = Mapping[str, str]
"""Names of CKAN's parameters and the arguments of ours that they were made from."""


def of_page(portal: Portal, action: str, error: UpstreamBadResponse, *, is_ckan: bool) -> LoregraphError:
    """The meaning of an answer that is no JSON. `is_ckan`: it is known that the portal runs CKAN."""
    arrived = error.arrived
    if arrived is None:
        return error
    name = portal.title
    firewall = _FIREWALLS.search(arrived.body_start) is not None
    if arrived.status in _TURNED_AWAY or (firewall and arrived.status != 404):
        return PortalBlocked(f"The firewall of {name} turned the request away.", upstream=name)
    if arrived.status == 200 and is_ckan:
        return PortalBlocked(f"{name} answered with a web page in place of data.", upstream=name)
    if not is_ckan and (arrived.status == 404 or "html" in arrived.content_type):
        return NotCkan(
            f"{name} answers, but not as a CKAN portal: there is no Action API at {portal.api_base}.",
            upstream=name,
        )
    if arrived.status == 404:
        return UpstreamBadResponse(f"{name} does not offer `{action}` to the public.", upstream=name)
    return error


def of_refusal(
    portal: Portal, action: str, status: int, body: Any, arguments: Arguments, missing: str | None
) -> LoregraphError:
    """The meaning of JSON without success. `missing` is the sentence for the one thing asked for being absent."""
    name = portal.title
    error = body.get("error") if isinstance(body, Mapping) else body
    log.info("%s refused %s with %s: %s", portal.api_base, action, status, shorten(error, 500))
    if isinstance(body, str):
        return UpstreamBadResponse(f"{name} does not know or take the request `{action}`.", upstream=name)
    kind = str(error.get("__type", "")) if isinstance(error, Mapping) else ""
    if status == 404 or kind == "Not Found Error":
        if missing is not None:
            return NotFound(missing, argument=next(iter(arguments.values()), None))
        return UpstreamBadResponse(f"{name} does not offer `{action}`.", upstream=name)
    if status == 403 or kind == "Authorization Error":
        if missing is not None:
            return NotFound(f"{missing} (It may be private.)", argument=next(iter(arguments.values()), None))
        return UpstreamBadResponse(f"{name} does not let the public ask `{action}`.", upstream=name)
    if kind == "Validation Error" and isinstance(error, Mapping):
        return _of_fields(portal, action, error, arguments)
    if kind == "Search Query Error" or (kind == "Search Error" and status < 500):
        # A bad order is told from a bad query by its status alone.
        guilty = "sort" if status == 400 and "sort" in arguments else "q"
        return BadInput(
            f"cannot be read by the search engine of {name}.", argument=arguments.get(guilty, guilty)
        )
    if kind in ("Search Connection Error", "Search Index Error"):
        return UpstreamUnavailable(f"The search engine of {name} is out of order.", upstream=name)
    return UpstreamBadResponse(f"{name} says that `{action}` did not succeed.", upstream=name)


def _of_fields(portal: Portal, action: str, error: Mapping[str, Any], arguments: Arguments) -> LoregraphError:
    for field in error:
        if field in arguments:
            return BadInput(f"holds a value that {portal.title} does not take.", argument=arguments[field])
    fields = ", ".join(f"`{shorten(field, 40)}`" for field in error if field not in ("__type", "message"))
    return UpstreamBadResponse(
        f"{portal.title} refused {fields or 'something'} of the request `{action}`.", upstream=portal.title
    )
