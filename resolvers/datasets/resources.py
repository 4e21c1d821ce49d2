"""One dataset, its resources, and whether their rows lie on the portals that they come from."""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.datasets.account import Account, shelf_of
from resolvers.datasets.questions import CheckedResource, ResourcesAnswer
from resolvers.scope import Scope
from sources.datasets.records import Dataset, Resource
from sources.datasets.source_check import check_sources
from sources.errors import BadInput, NotFound


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
) -> ResourcesAnswer:
    """The resources of one dataset.

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
    if not check_source_portal or not shelf.settings.source_check:
        if check_source_portal:
            account.warnings.append("This server does not ask the portals that resources come from.")
        nodes = [CheckedResource(resource) for resource in resources]
        return ResourcesAnswer(dataset, nodes, account.provenance())
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
    return ResourcesAnswer(dataset, nodes, account.provenance())


async def datasets_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Dataset]:
    """The datasets that exist among `keys` (a portal's key, `#`, an id). Raises as `find_datasets`."""
    found: dict[str, Dataset] = {}
    for key in dict.fromkeys(keys):
        portal, marked, identifier = key.rpartition("#")
        if not marked or not portal or not identifier:
            continue
        try:
            dataset, _ = await get_dataset(scope, portal, identifier)
        except NotFound:
            continue
        except BadInput:
            continue  # A key of a portal that this server does not ask names nothing here.
        found[key] = dataset
    return found


def _identifier(text: str) -> str:
    text = text.strip()
    if not text:
        raise BadInput("must be the id or name of a dataset.", argument="id")
    return text


def _is_of(resource: Resource, format_filter: str) -> bool:
    return resource.format.strip().lstrip(".").casefold() == format_filter.strip().lstrip(".").casefold()
