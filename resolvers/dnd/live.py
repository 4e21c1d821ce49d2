"""Answers of the live provider: lists by plan, single records and records by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from resolvers.dnd.live_vocabulary import LiveVocabulary
from resolvers.dnd.vocabulary import resolve_key
from resolvers.planned_listing import list_planned
from resolvers.question import Answer, Question
from sources.dnd.open5e_client import NAME, Cost, Open5e
from sources.dnd.records import Document
from sources.dnd.store import DndShelf
from sources.errors import BadInput, NotFound, SourceNotConfigured, nearest, shorten
from sources.page import Record
from sources.provenance import Provenance

PROVIDER = "open5e"


def open5e_of(shelf: DndShelf) -> Open5e:
    """The live client. Raises `SourceNotConfigured` where it is turned off."""
    if shelf.open5e is None:
        raise SourceNotConfigured(f"{NAME} is not asked by this server: `LOREGRAPH_OPEN5E_LIVE` is off.")
    return shelf.open5e


async def find_live(open5e: Open5e, kind: str, question: Question) -> Answer:
    """The page of Open5e's records of `kind` that `question` asks for.

    Raises `BadInput` for an unknown open value, for `last` and `before` and for a foreign cursor;
    `QueryTooExpensive`; `UpstreamError`.
    """
    cost = Cost()
    vocabulary = LiveVocabulary(open5e, cost)
    provenance = Provenance("dnd", providers=(PROVIDER,))
    criteria = await vocabulary.settle(question.criteria, kind)
    if "document_key" in question.wanted.columns:
        # The document of each record is selected: what that costs belongs to this answer.
        await open5e.documents(cost)
    wanted = question.wanted
    if vocabulary.trusted:
        wanted = replace(wanted, columns=tuple(dict.fromkeys((*wanted.columns, "key"))))
    answer = await list_planned(
        open5e.list(kind, cost), replace(question, criteria=criteria, wanted=wanted), provenance
    )
    await vocabulary.check_trusted(kind, [node.key for node in answer.nodes] if vocabulary.trusted else [])
    provenance.upstream_requests += cost.requests
    if cost.losses:
        provenance.complete = False
        provenance.warnings.extend(dict.fromkeys(cost.losses))
    return answer


async def get_live(
    open5e: Open5e, kind: str, text: str, editions: Sequence[str], columns: Sequence[str]
) -> Record:
    """One record of Open5e by key or unique slug.

    Raises `NotFound` with the nearest keys, `BadInput` for a slug of several records, `UpstreamError`.
    """
    cost = Cost()
    wanted = tuple(dict.fromkeys((*columns, "key", "edition")))
    if "_" in text:
        record = (await open5e.by_keys(kind, [text], wanted, cost)).get(text)
        if record is not None and (not editions or record.edition in editions):
            return record
    keys = (await open5e.index(kind, cost)).keys
    documents = None
    if editions:
        documents = [
            key for key, document in (await open5e.documents(cost)).items() if document.edition in editions
        ]
    meant = resolve_key(text, keys, documents)
    if len(meant) > 1:
        raise BadInput("is the slug of several records; give the whole key.", argument="key", allowed=meant)
    found = await open5e.by_keys(kind, meant, wanted, cost) if meant else {}
    if not found:
        within = f" in the editions {', '.join(editions)}" if editions else ""
        known = sorted(key for key, document in keys.items() if documents is None or document in documents)
        raise NotFound(
            f"No {kind} of {NAME} has the key `{shorten(text)}`{within}.",
            argument="key",
            suggestions=nearest(text, known),
        )
    return found[meant[0]]


async def live_by_keys(
    open5e: Open5e, kind: str, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The records of Open5e that exist among `keys`. Raises `UpstreamError`."""
    return await open5e.by_keys(kind, keys, columns, Cost())


async def live_documents(open5e: Open5e) -> Mapping[str, Document]:
    """Every document of Open5e. Raises `UpstreamError`."""
    return await open5e.documents(Cost())
