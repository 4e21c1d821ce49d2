"""Everything that searches a portal resolves its query in one way, and measures the portal with one probe."""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import resolvers.datasets
import sources.datasets
from resolvers.datasets.queries import (
    DatasetSearch,
    RelevanceSearch,
    VocabularySearch,
    find_datasets,
    find_relevant,
    find_tags,
)
from resolvers.question import Wanted
from sources.datasets.query_resolver import QueryParser
from sources.provenance import Provenance
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile

Ask = Callable[[CkanWorld, str, QueryParser], Awaitable[Any]]


async def _datasets(world: CkanWorld, q: str, parser: QueryParser) -> Any:
    return await find_datasets(world.scope, DatasetSearch(world.url, Wanted(()), q, parser=parser))


async def _relevant(world: CkanWorld, q: str, parser: QueryParser) -> Any:
    return await find_relevant(world.scope, RelevanceSearch(world.url, q, parser=parser))


async def _tags(world: CkanWorld, q: str, parser: QueryParser) -> Any:
    return await find_tags(world.scope, VocabularySearch(world.url, Wanted(()), q=q, parser=parser))


CALLERS: dict[str, Ask] = {"search.py": _datasets, "relevance.py": _relevant, "vocabulary.py": _tags}
"""Every module that hands a caller's query to a portal, and a way to ask it."""


def modules_that_call(package: Any, *methods: str) -> set[str]:
    """The modules in which one of these methods is called on something called `ckan`."""
    found = set()
    for file in Path(package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in methods
                and ast.unparse(node.func.value).endswith("ckan")
            ):
                found.add(file.name)
    return found


def test_the_callers_are_those_that_are_tested_here() -> None:
    assert modules_that_call(resolvers.datasets, "search", "count") == set(CALLERS)
    assert modules_that_call(sources.datasets, "search", "count") == {"probe.py"}


def test_package_search_is_asked_in_the_client_alone() -> None:
    holding = {
        file.name
        for package in (resolvers.datasets, sources.datasets)
        for file in Path(str(package.__file__)).parent.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value == "package_search"
    }
    assert holding == {"client.py"}


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize(
    ("query", "profile", "parser", "effective"),
    [
        ("aria OR Milano", Profile.DISMAX, QueryParser.AUTO, "text:(aria OR Milano)"),
        ("aria OR Milano", Profile.EDISMAX, QueryParser.AUTO, "aria OR Milano"),
        ("aria OR Milano", Profile.NO_TEXT_FIELD, QueryParser.AUTO, "aria OR Milano"),
        ("aria OR Milano", Profile.EDISMAX, QueryParser.TEXT, "text:(aria OR Milano)"),
        ("e-bike", Profile.DISMAX, QueryParser.AUTO, r"text:(e\-bike)"),
        ("Online: variations", Profile.DISMAX, QueryParser.AUTO, r"Online\: variations"),
        ("aria -Milano", Profile.DISMAX, QueryParser.AUTO, "aria -Milano"),
        ("aria Milano", Profile.DISMAX, QueryParser.AUTO, "aria Milano"),
    ],
)
async def test_every_caller_sends_the_same(
    caller: str, query: str, profile: Profile, parser: QueryParser, effective: str
) -> None:
    portal = FakeCkan(profile=profile)
    async with ckan_world(portal) as world:
        provenance: Provenance = (await CALLERS[caller](world, query, parser)).provenance
        assert provenance.effective_query == effective
        assert portal.searches[-1]["q"] == effective


async def test_all_callers_share_one_measurement() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        for ask in CALLERS.values():
            await ask(world, "aria OR Milano", QueryParser.AUTO)
        measuring = [
            given["q"] for given in portal.searches if given["rows"] == "0" and "facet.field" not in given
        ]
        assert len(measuring) == 4
