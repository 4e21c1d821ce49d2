"""The root field `sources`: what this server can answer from, and how well each of it is."""

from collections.abc import Sequence
from enum import Enum

import strawberry

from resolvers import source_status
from schema.directives import Summary, Tool
from schema.fields import plain, root
from sources.source import SourceStatus


@strawberry.enum(name="SourceState", description="How well a source can answer.")
class SourceStateEnum(Enum):
    READY = strawberry.enum_value("ready", description="It answers, and everything it holds is there.")
    DEGRADED = strawberry.enum_value("degraded", description="It answers, but not fully; `message` says why.")
    UNAVAILABLE = strawberry.enum_value("unavailable", description="It cannot answer; `message` says why.")
    NOT_CONFIGURED = strawberry.enum_value(
        "not_configured", description="It waits for a setting; `message` says which."
    )


@strawberry.type(description="How many records of one kind a source holds.")
class RecordCount:
    kind: str = plain("The kind of record, such as `spell`.")
    count: int = plain("How many there are.")


@strawberry.type(description="A licence under which records of a source are offered.")
class SourceLicence:
    name: str = plain("The licence, as an SPDX identifier where there is one.")
    url: str | None = plain("Where its text can be read.")
    attribution: str | None = plain("The sentence that it asks to be shown.")


@strawberry.type(
    description="A place that knowledge comes from: its health, what it holds, and under which licences.",
    directives=[
        Summary(fields=["name", "title", "state", "message", "counts", "dataVersion", "licences.name"])
    ],
)
class Source:
    name: str = plain("The source's name, as `provenance.source` gives it.")
    title: str = plain("The source's title for people.")
    description: str = plain("What the source knows.")
    state: SourceStateEnum = plain("How well it can answer now.")
    message: str | None = plain("What is wrong and what to do; of a ready source, what to know of its data.")
    data_version: str | None = plain("Changes whenever the records of the source change.")
    counts: list[RecordCount] = plain("How many records it holds, by kind.")
    licences: list[SourceLicence] = plain("The licences of its records.")


async def _sources(info: strawberry.Info) -> Sequence[SourceStatus]:
    return await source_status.all_statuses(info.context.scope)


@strawberry.type
class SourceQuery:
    sources: list[Source] | None = root(
        _sources,
        list[Source] | None,
        Tool(name="list_sources"),
        "Every source of this server: its health, how many records it holds, their version and their licences.",
    )
