"""What can become of one try at an upstream, other than its answer: our error, and whether to try again."""

from __future__ import annotations

import math
import re
import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpcore

from sources.errors import (
    Arrived,
    LoregraphError,
    UpstreamBadResponse,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from sources.http_body import media_type

NETWORK_ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    OSError,
)
"""What httpcore raises for all that goes wrong between here and the upstream."""

_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,60}")
_BROKEN_OFF = ("disconnected without sending", "closed connection", "connection closed", "incomplete")


class Failure(Exception):
    """One try that failed.

    - `error`: what is raised when there is no other try
    - `retry`: whether another may succeed, `retry_after` seconds from now at the earliest where that was said
    - `down`: it speaks for the host being down
    - `stale`: an older answer may stand in
    """

    def __init__(
        self,
        error: LoregraphError,
        *,
        retry: bool = False,
        retry_after: float | None = None,
        down: bool = False,
        stale: bool = True,
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.retry = retry
        self.retry_after = retry_after
        self.down = down
        self.stale = stale


def too_slow(name: str, what: str) -> Failure:
    """Nothing, or not all, came in time. Not tried again: a slow upstream is not helped by more requests."""
    return Failure(UpstreamTimeout(f"{name} {what} in time.", upstream=name), down=True)


def unreachable(name: str, how: str, *, retry: bool = True) -> Failure:
    """No connection, or one that broke."""
    return Failure(UpstreamUnavailable(f"{name} {how}.", upstream=name), retry=retry, down=True)


def resting(name: str, seconds: float) -> Failure:
    """The upstream asked for a pause."""
    text = f"{name} asks for a pause; it may be asked again in {_seconds(seconds)}."
    error = UpstreamUnavailable(text, upstream=name, retry_after=seconds)
    return Failure(error, retry=True, retry_after=seconds)


def left_alone(name: str, seconds: float) -> Failure:
    """The circuit breaker is open."""
    text = f"{name} does not answer at present; it is asked again in {_seconds(seconds)}."
    return Failure(UpstreamUnavailable(text, upstream=name, retry_after=seconds))


def busy(name: str, status: int, retry_after: float | None) -> Failure:
    """429, or a 5xx that may pass.

    A plain 500 does not speak for the host being down: with some upstreams a single odd question gets one, and
    whoever asks it must not close the door on all others.
    """
    what = "asks for fewer requests" if status == 429 else "is out of order"
    text = f"{name} {what} (it answered {status})."
    if retry_after:
        text += f" It may be asked again in {_seconds(retry_after)}."
    error = UpstreamUnavailable(text, upstream=name, retry_after=retry_after)
    return Failure(error, retry=True, retry_after=retry_after, down=status in (502, 503, 504))


def unexpected(name: str, problem: str, arrived: Arrived | None = None) -> Failure:
    """An answer that is not what was asked for. A refusal (4xx) is the truth of now: nothing older stands in."""
    refused = arrived is not None and 400 <= arrived.status < 500
    return Failure(
        UpstreamBadResponse(f"{name} {problem}.", upstream=name, arrived=arrived), stale=not refused
    )


def _seconds(seconds: float) -> str:
    whole = max(1, math.ceil(seconds))
    return "1 second" if whole == 1 else f"{whole} seconds"


def kind_of(content_type: str) -> str:
    """A Content-Type as it may stand in a message: it is the upstream's text."""
    kind = media_type(content_type)[0]
    if not kind:
        return "something without a type"
    return kind if _MEDIA_TYPE.fullmatch(kind) else "something of no known type"


def of_network(error: Exception, name: str) -> Failure:
    """What an error on the way means."""
    match error:
        case httpcore.ConnectTimeout():
            return Failure(
                UpstreamTimeout(f"{name} cannot be connected to in time.", upstream=name),
                retry=True,
                down=True,
            )
        case httpcore.PoolTimeout():
            text = f"{name} cannot be asked now: too many requests are under way."
            return Failure(UpstreamUnavailable(text, upstream=name))
        case httpcore.TimeoutException():
            return too_slow(name, "did not answer")
        case httpcore.ConnectError() if _certificate(error):
            return unreachable(name, "shows a certificate that is not trusted", retry=False)
        case httpcore.ConnectError():
            return unreachable(name, "cannot be reached")
        case httpcore.ProxyError():
            return unreachable(name, "cannot be reached through the proxy")
        case httpcore.NetworkError() | OSError():
            # A damaged TLS record comes as an OSError of its own.
            return unreachable(name, "broke off the connection")
        case httpcore.RemoteProtocolError() if any(words in str(error) for words in _BROKEN_OFF):
            return unreachable(name, "broke off the connection")
        case _:
            return unexpected(name, "answered with something that is not HTTP as it should be")


def _certificate(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def read_retry_after(text: str | None, now: Callable[[], float]) -> float | None:
    """The seconds of a Retry-After header, which gives seconds or a date; None when it says nothing usable."""
    text = (text or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    at = (date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.fromtimestamp(now(), UTC)
    return max(0.0, at.total_seconds())
