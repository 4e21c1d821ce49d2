"""Where an answer comes from: the provenance of a list, and the source of one record."""

from datetime import datetime

import strawberry

from schema.fields import plain


@strawberry.type(
    description="The account of one answer: where it comes from, what was filtered where, and whether it is whole."
)
class Provenance:
    source: str = plain("The source that answered, such as `dnd`.")
    providers: list[str] = plain("The providers of the source that were asked, such as `local`.")
    fetched_at: datetime | None = plain(
        "When the records were fetched from where they come from, or loaded into the local store."
    )
    from_cache: bool = plain("Whether an upstream's answer came from the cache.")
    stale: bool = plain("Whether the cache was past its time and was used because the upstream failed.")
    complete: bool = plain(
        "False whenever something that belongs to the answer may be missing; `warnings` then says what."
    )
    scanned: int = plain("How many records were read to find the answer.")
    pushed_down: list[str] = plain("The filter arguments that the store or upstream applied itself.")
    residual: list[str] = plain("The filter arguments that were applied here, after reading.")
    upstream_requests: int = plain("How many requests were sent to upstream systems.")
    effective_query: str | None = plain("The query text that was sent upstream, where it was rewritten.")
    parser_verdict: str | None = plain(
        "What measuring told of how the upstream reads queries, such as `wrap`; null where that did not matter."
    )
    warnings: list[str] = plain("What the reader of this answer should know before relying on it.")


@strawberry.type(description="Where one record comes from, and under which licence it may be used.")
class RecordSource:
    name: str = plain("The work that the record is taken from.")
    url: str | None = plain("Where that work can be found.")
    licence: str | None = plain("The licence of the work, as an SPDX identifier where there is one.")
    attribution: str | None = plain("The sentence that the licence asks to be shown.")
