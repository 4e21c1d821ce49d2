"""Measuring a portal: does its own parser read OR, and does the wrapper help?

One request for the tags of the catalog, then four counts of two words that datasets have: each by itself, joined
by OR, and the same wrapped. Where OR is read, it finds at least what the more frequent word finds.

- Nobody measures unless a query needs to know, and all who need to know at the same time measure once.
- A verdict is kept only if everything was counted, and then for `probe_seconds`. What failed is tried again by
  the next query that needs it, with other words if these told nothing; until then the last verdict stands.
- The four counts are asked at once; with the tags and the search itself that is six requests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import anyio

from sources.clock import Clock
from sources.datasets.client import Ckan, Told
from sources.datasets.portals import Portal
from sources.datasets.query_resolver import EVERYTHING, Verdict
from sources.deadline import seconds_left
from sources.errors import LoregraphError, UpstreamError
from sources.single_flight import Flight, SingleFlight

LONGEST_SECONDS = 20.0
"""After which a search no longer waits for a verdict."""
_FEWEST, _MOST = 0.005, 0.30
"""The share of the catalog that a word must be in, to tell anything."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_TITLES = 25
_SHORTEST_TITLE_WORD = 5
_OPERATORS = frozenset({"and", "or", "not"})


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted: each of two words, both joined by OR, and that wrapped."""

    words: tuple[str, str]
    first: int
    second: int
    joined: int
    wrapped: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A portal's verdict.

    `at`: seconds since 1970; `requests`: what measuring cost now; `problem`: why the verdict is unknown.
    """

    verdict: Verdict
    at: float
    requests: int = 0
    counts: Counts | None = None
    problem: str | None = None


def judged(counts: Counts) -> Verdict:
    """What the counts tell. Nothing, where a word finds nothing or one word's datasets hold the other's."""
    most = max(counts.first, counts.second)
    if min(counts.first, counts.second) == 0:
        return Verdict.UNKNOWN
    if counts.joined < most:
        return Verdict.WRAP if counts.wrapped > counts.joined else Verdict.NO_WRAPPER
    if counts.joined == most and counts.wrapped <= most:
        return Verdict.UNKNOWN
    return Verdict.HONOURS


class ParserProbe:
    """The verdicts on all portals, by the base of their API."""

    def __init__(self, ckan: Ckan, clock: Clock, keep_seconds: float) -> None:
        self._ckan = ckan
        self._clock = clock
        self._keep_seconds = keep_seconds
        self._measured: dict[str, Measured] = {}
        self._attempts: Counter[str] = Counter()
        self._flights: SingleFlight[Measured] = SingleFlight()

    def known(self, portal: Portal) -> Measured | None:
        """The verdict at hand, if it still holds."""
        held = self._measured.get(portal.api_base)
        if held is None or self._clock.now() - held.at > self._keep_seconds:
            return None
        return held

    async def measure(self, portal: Portal) -> Measured:
        """The verdict on a portal, measured if none is at hand. Never raises for a portal that fails; `requests`
        are those that this very call had to wait for and began."""
        held = self.known(portal)
        if held is not None:
            return Measured(held.verdict, held.at, 0, held.counts)
        key = portal.api_base
        longest = min(LONGEST_SECONDS, seconds_left() / 2)

        async def work(flight: Flight[Measured]) -> Measured:
            return await self._work(portal)

        flight, begun = self._flights.join(key, anyio.current_time() + longest, work)
        with anyio.move_on_after(longest):
            found = await self._flights.wait(key, flight)
            return found if begun else Measured(found.verdict, found.at, 0, found.counts, found.problem)
        problem = f"{portal.title} did not answer in time."
        return Measured(Verdict.UNKNOWN, self._clock.now(), 0, problem=problem)

    async def close(self) -> None:
        """Ends what is under way."""
        await self._flights.close()

    async def _work(self, portal: Portal) -> Measured:
        spent: list[Told] = []
        counts = problem = None
        verdict = Verdict.UNKNOWN
        try:
            pair = await self._pair(portal, spent)
            if pair is None:
                problem = f"{portal.title} has no two words that would tell."
            else:
                counts = await self._counts(portal, pair, spent)
                verdict = judged(counts)
                if verdict is Verdict.UNKNOWN:
                    problem = (
                        f"{portal.title} counts `{pair[0]}` and `{pair[1]}` so that nothing can be told."
                    )
            if any(told.stale for told in spent):
                # What was counted on another day stands in for a portal that fails.
                verdict, counts, problem = Verdict.UNKNOWN, None, f"{portal.title} does not answer."
        except UpstreamError as error:
            problem = error.message
        except LoregraphError:
            problem = f"{portal.title} could not be measured."
        measured = Measured(verdict, self._clock.now(), sum(told.requests for told in spent), counts, problem)
        if verdict is Verdict.UNKNOWN:
            if counts is not None:
                self._attempts[portal.api_base] += 1  # These words told nothing: others next time.
            last = self._measured.get(portal.api_base)
            if last is not None:
                return Measured(last.verdict, last.at, measured.requests, last.counts, problem)
        elif self._keep_seconds > 0:
            self._measured[portal.api_base] = measured
        return measured

    async def _pair(self, portal: Portal, spent: list[Told]) -> tuple[str, str] | None:
        given = {"q": EVERYTHING, "rows": 0, "facet.field": ["tags"], "facet.limit": 100}
        page = await self._ckan.search(portal, given)
        spent.append(page.told)
        tags = [(value.name, value.count) for facet in page.facets for value in facet.values]
        least, most = page.count * _FEWEST, page.count * _MOST
        usable = [name.lower() for name, count in tags if _tells(name) and least <= count <= most]
        pairs = _pairs(usable)
        if not pairs and page.count:
            titles = await self._ckan.search(portal, {"q": EVERYTHING, "rows": _TITLES})
            spent.append(titles.told)
            words = Counter(
                word
                for dataset in titles.datasets
                for word in sorted(set(_WORD.findall(dataset.title.lower())))
                if len(word) >= _SHORTEST_TITLE_WORD and word.isascii()
            )
            pairs = _pairs([word for word, _ in words.most_common(6)])
        return pairs[self._attempts[portal.api_base] % len(pairs)] if pairs else None

    async def _counts(self, portal: Portal, pair: tuple[str, str], spent: list[Told]) -> Counts:
        joined = " OR ".join(pair)
        queries = (*pair, joined, f"text:({joined})")
        found: dict[int, int] = {}
        problems: list[LoregraphError] = []

        async def count(place: int, query: str) -> None:
            try:
                found[place], told = await self._ckan.count(portal, query)
                spent.append(told)
            except LoregraphError as error:
                problems.append(error)

        async with anyio.create_task_group() as tasks:
            for place, query in enumerate(queries):
                tasks.start_soon(count, place, query)
        if problems:
            raise problems[0]
        return Counts(pair, found[0], found[1], found[2], found[3])


def _tells(name: str) -> bool:
    """Whether a tag can stand in the measuring queries: one word of letters, and no operator."""
    return _WORD.fullmatch(name) is not None and name.lower() not in _OPERATORS


def _pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of words that are not forms of one another, the most frequent first."""
    distinct = list(dict.fromkeys(words))[:12]
    pairs = [(one, other) for one, other in combinations(distinct, 2) if one[:4] != other[:4]]
    places = {word: place for place, word in enumerate(distinct)}
    return sorted(pairs, key=lambda pair: places[pair[0]] + places[pair[1]])
