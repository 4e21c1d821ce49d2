"""What counts tell of a portal, and which words are counted."""

from __future__ import annotations

import pytest

from sources.datasets.probe import Counts, judged
from sources.datasets.query_resolver import Verdict
from tests.support.ckan_world import ckan_world
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.corpus import Line, package
from tests.support.fake_upstream import Down


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((10, 8, 2, 16), Verdict.WRAP),
        ((10, 8, 0, 16), Verdict.WRAP),
        ((10, 8, 2, 2), Verdict.NO_WRAPPER),
        ((10, 8, 2, 0), Verdict.NO_WRAPPER),
        ((10, 8, 16, 16), Verdict.HONOURS),
        ((10, 8, 16, 0), Verdict.HONOURS),
        ((10, 8, 10, 12), Verdict.HONOURS),
        ((10, 8, 10, 10), Verdict.UNKNOWN),
        ((10, 8, 10, 0), Verdict.UNKNOWN),
        ((0, 8, 0, 8), Verdict.UNKNOWN),
        ((10, 0, 0, 10), Verdict.UNKNOWN),
        ((0, 0, 0, 0), Verdict.UNKNOWN),
    ],
)
def test_what_counts_tell(counts: tuple[int, int, int, int], verdict: Verdict) -> None:
    assert judged(Counts(("a", "b"), *counts)) is verdict


async def test_words_that_tell_nothing_give_way_to_others_the_next_time() -> None:
    """All that have the second tag have the first, so that the two together say nothing of OR."""
    lines = [
        *(Line(f"a{n}", "x", "", ("alfa", "beta"), "o") for n in range(3)),
        *(Line(f"b{n}", "x", "", ("alfa",), "o") for n in range(2)),
        *(Line(f"c{n}", "x", "", ("gamma",), "o") for n in range(2)),
        *(Line(f"d{n:02}", "x", "", ("zzz-zzz",), "o") for n in range(15)),
    ]
    portal = FakeCkan([package(line) for line in lines], Profile.EDISMAX)
    async with ckan_world(portal) as world:
        probed = world.shelf.portals.find(world.url)
        first = await world.shelf.parser_probe.measure(probed)
        assert (first.verdict, first.requests) == (Verdict.UNKNOWN, 5)
        assert first.counts == Counts(("alfa", "beta"), 5, 3, 5, 5)
        assert first.problem is not None
        assert world.shelf.parser_probe.known(probed) is None
        second = await world.shelf.parser_probe.measure(probed)
        assert (second.verdict, second.counts) == (Verdict.HONOURS, Counts(("alfa", "gamma"), 5, 2, 7, 7))


async def test_words_that_too_many_or_too_few_datasets_have_are_not_counted() -> None:
    lines = [Line(f"n{n:03}", "x", "", ("common", f"rare{chr(97 + n % 26)}"), "o") for n in range(400)]
    lines += [Line(f"m{n}", "x", "", ("middle", "common"), "o") for n in range(40)]
    lines += [Line(f"o{n}", "x", "", ("other", "common"), "o") for n in range(30)]
    lines += [Line("single", "x", "", ("unique",), "o")]
    portal = FakeCkan([package(line) for line in lines])
    async with ckan_world(portal) as world:
        measured = await world.shelf.parser_probe.measure(world.shelf.portals.find(world.url))
        assert measured.counts is not None
        assert measured.counts.words == ("middle", "other")
        assert measured.verdict is Verdict.WRAP


async def test_the_last_verdict_stands_where_measuring_again_fails() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        probed = world.shelf.portals.find(world.url)
        assert (await world.shelf.parser_probe.measure(probed)).verdict is Verdict.WRAP
        world.world.clock.pass_by(30_000)
        portal.faults.always(Down())
        again = await world.shelf.parser_probe.measure(probed)
        assert again.verdict is Verdict.WRAP
        assert again.problem is not None
        assert world.shelf.parser_probe.known(probed) is None
