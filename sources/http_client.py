"""Asking one upstream, or any of one kind: answers kept for use again, one flight for all, retries."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import anyio
import orjson
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from sources.deadline import seconds_left
from sources.errors import BadInput, UpstreamBadResponse, UpstreamUnavailable, shorten
from sources.http_body import UnusableBody, read_json
from sources.http_cache import CachedResponse, ResponseCache
from sources.http_exchange import Account, Answer, Ask, Exchange
from sources.http_failure import Failure, too_slow, unexpected
from sources.single_flight import Flight, SingleFlight
from sources.web_address import UnusableUrl, read_url

logger = logging.getLogger("loregraph.http")

OK = frozenset({200})
Parameters = Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer, and what it cost.

    - `value`: the JSON; shared with others that asked the same, so it is read and never changed
    - `status`: one of those that the caller accepts; `url`: where it came from, after redirects
    - `fetched_at`: when it left the upstream; `from_cache`: it was kept; `stale`: kept longer than it is fresh,
      and standing in for an upstream that fails
    - `requests`, `bytes_received`: sent and received for this call: redirects and retries count, what another
      call was already asking does not. Bytes are those of bodies, compressed as they came
    """

    value: Any
    status: int
    url: str
    fetched_at: datetime
    from_cache: bool
    stale: bool
    requests: int
    bytes_received: int


@dataclass(frozen=True, slots=True)
class _Brought:
    value: Any
    answer: Answer
    fetched_at: float


class HttpClient:
    """Asks one upstream, or any of one kind. Made by `Http.trusted` and `Http.guarded`."""

    def __init__(
        self,
        exchange: Exchange,
        cache: ResponseCache,
        *,
        rules: str,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._exchange = exchange
        self._settings = exchange.settings
        self._clock = exchange.clock
        self._cache = cache
        self._rules = rules
        self._name = name
        self._headers = dict(headers or {})
        self._flights: SingleFlight[_Brought] = SingleFlight()

    async def get_json(
        self,
        url: str,
        parameters: Parameters = (),
        *,
        headers: Mapping[str, str] | None = None,
        accept: Collection[int] = OK,
        fresh_seconds: float | None = None,
        stale_seconds: float | None = None,
        keep: Callable[[Any], bool] | None = None,
        name: str | None = None,
        argument: str | None = None,
    ) -> Fetched:
        """The JSON at `url` (of a trusted client: also a path below its base).

        - `accept`: statuses whose JSON is an answer; any other is an error
        - `fresh_seconds`, `stale_seconds`: in place of the settings; 0 fresh seconds pass by the cache altogether
        - `keep`: whether a value may be kept for use again; only those with a 2xx status ever are
        - `name`: the upstream's for people, its host when None; `argument`: that which the caller gave the URL in

        Raises BadInput for a URL in `argument` that may not be asked, UpstreamUnavailable, UpstreamTimeout and
        UpstreamBadResponse (the same error for a URL that came from upstream data).
        """
        ask = self._ask("GET", url, parameters, None, headers, accept, name, argument)
        return await self._fetch(ask, fresh_seconds, stale_seconds, keep)

    async def post_json(
        self,
        url: str,
        body: Any,
        *,
        headers: Mapping[str, str] | None = None,
        accept: Collection[int] = OK,
        fresh_seconds: float | None = None,
        stale_seconds: float | None = None,
        keep: Callable[[Any], bool] | None = None,
        name: str | None = None,
        argument: str | None = None,
    ) -> Fetched:
        """The JSON that answers a question put as JSON. For questions alone: it may be sent more than once."""
        ask = self._ask("POST", url, (), orjson.dumps(body), headers, accept, name, argument)
        return await self._fetch(ask, fresh_seconds, stale_seconds, keep)

    async def close(self) -> None:
        """Ends what is under way. The connections belong to `Http`."""
        await self._flights.close()

    def _ask(
        self,
        method: str,
        url: str,
        parameters: Parameters,
        body: bytes | None,
        headers: Mapping[str, str] | None,
        accept: Collection[int],
        name: str | None,
        argument: str | None,
    ) -> Ask:
        base = self._exchange.base
        text = f"{base}".rstrip("/") + url if base is not None and url.startswith("/") else url
        if parameters:
            pairs = parameters.items() if isinstance(parameters, Mapping) else parameters
            text += ("&" if "?" in text else "?") + urlencode(list(pairs), safe=",")
        try:
            address = read_url(text)
        except UnusableUrl as error:
            if argument is not None:
                raise BadInput(str(error), argument=argument) from None
            upstream = name or self._name or "The upstream"
            problem = f"{upstream} names an address that cannot be asked: it {error}"
            raise UpstreamBadResponse(problem, upstream=upstream) from None
        sent = {key.lower(): value for key, value in (headers or {}).items()}
        if base is None or address.origin == base.origin:
            sent = {**self._headers, **sent}
        if body is not None:
            sent["content-type"] = "application/json"
        called = name or self._name or shorten(address.site)
        return Ask(address, called, argument, method, sent, body, frozenset(accept))

    async def _fetch(
        self,
        ask: Ask,
        fresh_seconds: float | None,
        stale_seconds: float | None,
        keep: Callable[[Any], bool] | None,
    ) -> Fetched:
        fresh = self._settings.fresh_seconds if fresh_seconds is None else fresh_seconds
        stale = self._settings.stale_seconds if stale_seconds is None else stale_seconds
        key = self._key(ask)
        kept = await self._cache.get(key) if fresh > 0 else None
        age = self._clock.now() - kept.fetched_at if kept is not None else 0.0
        # A kept answer from the future tells of a clock that was set back: it is no fresher than one of the past.
        if kept is not None and abs(age) <= fresh:
            return _again(kept)
        account = Account()
        keep_seconds = fresh + stale if fresh > 0 else 0.0

        async def work(flight: Flight[_Brought]) -> _Brought:
            return await self._bring(ask, account, flight, key, keep_seconds, keep)

        try:
            # Errors name the upstream and the argument, so only those who would say the same share a flight.
            brought = await self._wait_for(f"{key} {ask.name} {ask.argument}", ask, work)
        except Failure as failure:
            if kept is not None and failure.stale and age <= fresh + stale:
                logger.warning("%s An answer of %d seconds ago stands in.", failure.error, age)
                return _again(kept, stale=True, account=account)
            raise failure.error from failure
        return Fetched(
            value=brought.value,
            status=brought.answer.status,
            url=str(brought.answer.address),
            fetched_at=datetime.fromtimestamp(brought.fetched_at, UTC),
            from_cache=False,
            stale=False,
            requests=account.requests,
            bytes_received=account.received,
        )

    async def _wait_for(self, key: str, ask: Ask, work: Callable[[Flight[_Brought]], Any]) -> _Brought:
        """What the flight brings within this caller's own time, which others may have more of."""
        left = seconds_left()
        # A tenth is kept back: the error must still reach the caller, as ours, before the deadline cuts him off.
        left = min(self._settings.total_seconds, left - min(0.5, left / 10))
        flight, _ = self._flights.join(key, anyio.current_time() + left, work)
        with anyio.move_on_after(left):
            try:
                return await self._flights.wait(key, flight)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if flight.task is not None and flight.task.cancelled() and task and not task.cancelling():
                    raise Failure(
                        UpstreamUnavailable(f"{ask.name} is no longer asked: closing.", upstream=ask.name)
                    ) from None
                raise
        if isinstance(flight.setback, Failure):
            raise flight.setback
        raise too_slow(ask.name, "did not answer")

    async def _bring(
        self,
        ask: Ask,
        account: Account,
        flight: Flight[_Brought],
        key: str,
        keep_seconds: float,
        keep: Callable[[Any], bool] | None,
    ) -> _Brought:
        answer = await self._tried(ask, account, flight)
        try:
            value = read_json(answer.body, answer.content_type)
        except UnusableBody as error:
            raise unexpected(ask.name, f"answered {answer.status} with {error}") from None
        now = self._clock.now()
        worth = answer.keep and 200 <= answer.status < 300 and (keep is None or keep(value))
        if worth and keep_seconds > 0:
            kept = CachedResponse(answer.status, answer.content_type, answer.body, str(answer.address), now)
            await self._cache.put(key, kept, keep_seconds)
        return _Brought(value, answer, now)

    async def _tried(self, ask: Ask, account: Account, flight: Flight[_Brought]) -> Answer:
        settings = self._settings

        def wait(state: RetryCallState) -> float:
            failure = state.outcome.exception() if state.outcome is not None else None
            backoff = settings.retry_seconds * 2 ** (state.attempt_number - 1)
            # Jitter keeps many callers from coming back all at once; a wait that was asked for is never cut.
            jittered = min(backoff, settings.longest_retry_seconds) * random.random()  # noqa: S311
            asked_for = failure.retry_after if isinstance(failure, Failure) else None
            return float(jittered + (asked_for or 0.0))

        def stop(state: RetryCallState) -> bool:
            left = flight.deadline - anyio.current_time()
            longest = min(left, settings.longest_retry_seconds + settings.retry_seconds)
            return state.attempt_number >= settings.attempts or state.upcoming_sleep > longest

        def again(error: BaseException) -> bool:
            if isinstance(error, Failure):
                flight.setback = error
                logger.info("%s", error.error)
                return error.retry
            return False

        retrying = AsyncRetrying(
            sleep=self._clock.sleep, stop=stop, wait=wait, retry=retry_if_exception(again), reraise=True
        )
        return await retrying(self._exchange.attempt, ask, account)

    def _key(self, ask: Ask) -> str:
        """The same for two requests only if each may have the other's answer: what the guard of one lets
        through, or a header of one brings, must not serve another."""
        parts = (
            self._rules,
            ask.method,
            str(ask.address),
            sorted(ask.headers.items()),
            sorted(ask.accept),
        )
        return hashlib.sha256(orjson.dumps(parts) + b"\n" + (ask.body or b"")).hexdigest()


def _again(kept: CachedResponse, *, stale: bool = False, account: Account | None = None) -> Fetched:
    return Fetched(
        value=read_json(kept.body, kept.content_type),
        status=kept.status,
        url=kept.url,
        fetched_at=datetime.fromtimestamp(kept.fetched_at, UTC),
        from_cache=True,
        stale=stale,
        requests=account.requests if account else 0,
        bytes_received=account.received if account else 0,
    )
