"""The portals that are known, and what one of them says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.datasets.account import Account, shelf_of
from resolvers.datasets.questions import PortalAnswer
from resolvers.scope import Scope
from sources.datasets.portals import Portal
from sources.datasets.query_resolver import Verdict
from sources.errors import BadInput
from sources.text_index import fold


def find_portals(
    scope: Scope,
    *,
    country: str | None = None,
    query: str | None = None,
    language: str | None = None,
    has_datastore: bool | None = None,
) -> Sequence[Portal]:
    """The known portals that fit, in the registry's order. No portal is asked.

    `country` in English, `language` as two letters, `query` a part of name, title or host. Raises `BadInput` for an
    unknown country or language, with those that there are.
    """
    registry = shelf_of(scope).portals.registry
    countries = sorted({portal.country for portal in registry if portal.country})
    languages = sorted({name for portal in registry for name in portal.languages})
    if country is not None and fold(country) not in map(fold, countries):
        raise BadInput.unknown("country", country, countries)
    if language is not None and language.lower() not in languages:
        raise BadInput.unknown("language", language, languages)
    return [
        portal
        for portal in registry
        if (country is None or fold(portal.country or "") == fold(country))
        and (language is None or language.lower() in portal.languages)
        and (has_datastore is None or portal.has_datastore is has_datastore)
        and (
            query is None
            or any(fold(query) in fold(text) for text in (portal.key, portal.title, *portal.hosts))
        )
    ]


async def get_portal(scope: Scope, server_url: str, *, with_verdict: bool = False) -> PortalAnswer:
    """What a portal says of itself; `with_verdict`: also how its query parser was measured, which may be done now.

    Raises as `find_datasets`.
    """
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(server_url))
    portal = account.portal
    status, told = await shelf.ckan.status(portal)
    account.add(told)
    verdict: Verdict | None = None
    if with_verdict:
        measured = await shelf.parser_probe.measure(portal)
        account.requests += measured.requests
        verdict = measured.verdict
        if measured.problem is not None:
            account.warnings.append(f"Its query parser could not be measured: {measured.problem}")
    datastore = "datastore" in status.extensions if status.extensions else portal.has_datastore
    return PortalAnswer(
        key=portal.key,
        title=status.title or portal.title,
        url=portal.url,
        api_url=portal.api_base,
        country=portal.country,
        languages=portal.languages or ((status.locale,) if status.locale else ()),
        has_datastore=datastore,
        note=portal.note,
        known=portal.known,
        status=status,
        verdict=verdict,
        provenance=account.provenance(),
    )
