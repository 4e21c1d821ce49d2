"""One dataset, its resources, and whether their rows lie on the portals that they come from."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from resolvers import cursor
from resolvers.datasets.account import Account, shelf_of
from resolvers.datasets.questions import CheckedResource, ResourcesAnswer
from resolvers.datasets.search import answered_page, read_offset
from resolvers.question import PageRequest
from resolvers.scope import Scope
from sources.criteria import EVERYTHING
from sources.datasets.records import Dataset, Resource
from sources.datasets.source_check import check_sources
from sources.errors import BadInput, NotFound, UpstreamError

ALL_AT_ONCE = PageRequest(first=10_000)
AT_ONCE = 8
"""Datasets that are fetched by key at the same time."""


async def get_dataset(
    scope: Scope, server_url: str, identifier: str, language: str | None = None
) -> tuple[Dataset, Account]:
    """One dataset by id or name, and what it cost. Raises `NotFound`, and as `find_datasets`."""
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(server_url))
    dataset, told = await shelf.ckan.dataset(account.portal, _identifier(identifier), language=language)
    account.add(told)
    account.scanned = 1
    return dataset, account


async def find_resources(
    scope: Scope,
    server_url: str,
    identifier: str,
    *,
    format_filter: str | None = None,
    check_source_portal: bool = True,
    language: str | None = None,
    page: PageRequest = ALL_AT_ONCE,
) -> ResourcesAnswer:
    """The resources of one dataset; of a page of them the sources are checked.

    - `format_filter`: only those of this format, whatever its case
    - `check_source_portal`: whether the portals that resources come from are asked for their rows; pass False where
      nobody wants to know

    Raises `NotFound` for the dataset, and as `find_datasets`; never for another portal.
    """
    shelf = shelf_of(scope)
    dataset, account = await get_dataset(scope, server_url, identifier, language)
    resources = [
        resource for resource in dataset.resources if format_filter is None or _is_of(resource, format_filter)
    ]
    total = len(resources)
    print_ = cursor.fingerprint(f"resource {dataset.key} {format_filter}", EVERYTHING, ())
    start = read_offset(page.after, print_)
    resources = resources[start : start + (page.first or 0)]

    def answer(nodes: Sequence[CheckedResource]) -> ResourcesAnswer:
        cursors, page_info = answered_page(start, len(nodes), total, print_)
        return ResourcesAnswer(nodes, cursors, page_info, total, account.provenance(), dataset)

    if not check_source_portal or not shelf.settings.source_check:
        if check_source_portal:
            account.warnings.append("This server does not ask the portals that resources come from.")
        return answer([CheckedResource(resource) for resource in resources])
    checked = await check_sources(
        shelf.ckan, shelf.portals, account.portal, resources, most=shelf.settings.source_checks
    )
    account.requests += checked.requests
    nodes = [
        CheckedResource(resource, check) for resource, check in zip(resources, checked.checks, strict=True)
    ]
    if checked.over:
        account.warnings.append(
            f"{checked.over} resources were not checked at the portals that they come from: at most"
            f" {shelf.settings.source_checks} of a dataset are."
        )
    return answer(nodes)


async def datasets_by_key(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Dataset | UpstreamError]:
    """The datasets that exist among `keys` (a portal's key, `#`, an id).

    A portal that does not answer leaves its error in the place of its datasets, so that those of others stay.
    """
    found: dict[str, Dataset | UpstreamError] = {}
    limiter = anyio.CapacityLimiter(AT_ONCE)

    async def fetch(key: str) -> None:
        portal, marked, identifier = key.rpartition("#")
        if not marked or not portal or not identifier:
            return
        async with limiter:
            try:
                found[key], _ = await get_dataset(scope, portal, identifier)
            except (NotFound, BadInput):
                pass  # A key of a portal that this server does not ask names nothing here.
            except UpstreamError as error:
                found[key] = error

    async with anyio.create_task_group() as tasks:
        for key in dict.fromkeys(keys):
            tasks.start_soon(fetch, key)
    return found


def _identifier(text: str) -> str:
    text = text.strip()
    if not text:
        raise BadInput("must be the id or name of a dataset.", argument="id")
    return text


def _is_of(resource: Resource, format_filter: str) -> bool:
    return resource.format.strip().lstrip(".").casefold() == format_filter.strip().lstrip(".").casefold()
