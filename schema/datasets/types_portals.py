"""Portals: what is known of them, and what one says of itself."""

import strawberry

from schema.datasets import parts
from schema.datasets.vocabularies import ParserVerdict
from schema.directives import Summary
from schema.fields import derived, plain
from schema.provenance import Provenance


@strawberry.type(
    description="A CKAN portal that is known by name. Others can be asked by their URL.",
    directives=[Summary(fields=["key", "title", "url", "country", "languages", "hasDatastore", "note"])],
)
class Portal:
    key: str = plain("Its name, as `serverUrl` takes it; its URL where it has no name here.")
    title: str = plain("Its title for people.")
    url: str = plain("The site for people.")
    api_url: str = plain("The address that its API lies below.")
    country: str | None = plain("The country, in English.")
    languages: list[str] = plain("The languages of its texts as two letters, its own first.")
    has_datastore: bool | None = plain("Whether it holds rows of resources; null where that is not known.")
    note: str | None = plain("What is particular about it.")
    known: bool = plain("Whether it is one of those known by name.")


@strawberry.type(
    description="A CKAN portal, with what it says of itself.",
    directives=[
        Summary(
            fields=[
                "key",
                "title",
                "url",
                "apiUrl",
                "country",
                "languages",
                "hasDatastore",
                "note",
                "description",
                "ckanVersion",
                "locale",
                "extensions",
                "parserVerdict",
                "provenance.warnings",
            ]
        )
    ],
)
class PortalStatus(Portal):
    description: str | None = derived(
        parts.of_status("description"), "status", description="What it says of itself."
    )
    site_url: str | None = derived(
        parts.of_status("site_url"), "status", description="The address that it says it has."
    )
    ckan_version: str | None = derived(
        parts.of_status("ckan_version"), "status", description="The version of CKAN that it runs."
    )
    locale: str | None = derived(
        parts.of_status("locale"), "status", description="The language that it says is its own."
    )
    extensions: list[str] | None = derived(
        parts.of_status("extensions"), "status", description="The extensions of CKAN that it runs."
    )
    parser_verdict: ParserVerdict | None = plain(
        "How its query parser reads OR. Measured when this is asked for, which takes five requests, and kept.",
        column="verdict",
    )
    provenance: Provenance = plain("Where this comes from, and what it cost.")
