"""Answers of a live provider whose lists are planned: lists, single records and records by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from resolvers.dnd.live_client import LiveClient
from resolvers.dnd.live_vocabulary import LiveVocabulary
from resolvers.dnd.vocabulary import resolve_key
from resolvers.listing import list_records
from resolvers.planned_listing import list_planned
from resolvers.question import Answer, Question
from resolvers.united_listing import list_united
from sources.dnd.document_store import DocumentStore
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import NAME
from sources.dnd.records import Document
from sources.dnd.store import DndShelf
from sources.errors import BadInput, NotFound, nearest, shorten
from sources.page import Record
from sources.provenance import Provenance
from sources.united_lists import UnitedLists


@dataclass(frozen=True, slots=True)
class PlannedProvider:
    """A live provider over `client`; `word` names it in provenance, `name` for people.

    Implements `resolvers/dnd/live_provider.py`.
    """

    client: LiveClient
    word: str
    name: str

    async def find(self, kind: str, question: Question) -> Answer:
        """The page of its records of `kind` that `question` asks for."""
        if kind == "document":
            return await self._find_documents(question)
        cost = Cost()
        vocabulary = LiveVocabulary(self.client, cost)
        provenance = Provenance("dnd", providers=(self.word,))
        criteria = await vocabulary.settle(question.criteria, kind)
        if "document_key" in question.wanted.columns:
            # The document of each record is selected: what that costs belongs to this answer.
            await self.client.documents(cost)
        wanted = question.wanted
        if vocabulary.trusted:
            wanted = replace(wanted, columns=tuple(dict.fromkeys((*wanted.columns, "key"))))
        settled = replace(question, criteria=criteria, wanted=wanted)
        upstream = self.client.list(kind, cost)
        if isinstance(upstream, UnitedLists):
            answer = await list_united(upstream, settled, provenance)
        else:
            answer = await list_planned(upstream, settled, provenance)
        await vocabulary.check_trusted(
            kind, [node.key for node in answer.nodes] if vocabulary.trusted else []
        )
        provenance.upstream_requests += cost.requests
        if cost.losses:
            provenance.complete = False
            provenance.warnings.extend(dict.fromkeys(cost.losses))
            return replace(answer, total_count=None)
        return answer

    async def get(self, kind: str, text: str, editions: Sequence[str], columns: Sequence[str]) -> Record:
        """One record by key or unique slug."""
        client, cost = self.client, Cost()
        wanted = tuple(dict.fromkeys((*columns, "key", "edition")))
        if "_" in text:
            record = (await client.by_keys(kind, [text], wanted, cost)).get(text)
            if record is not None and (not editions or record.edition in editions):
                return record
        keys = (await client.index(kind, cost)).keys
        documents = None
        if editions:
            documents = [
                key
                for key, document in (await client.documents(cost)).items()
                if document.edition in editions
            ]
        meant = resolve_key(text, keys, documents)
        if len(meant) > 1:
            raise BadInput(
                "is the slug of several records; give the whole key.", argument="key", allowed=meant
            )
        found = await client.by_keys(kind, meant, wanted, cost) if meant else {}
        if not found:
            cost.check_found([text], found, self.name)
            within = f" in the editions {', '.join(editions)}" if editions else ""
            known = sorted(
                key for key, document in keys.items() if documents is None or document in documents
            )
            raise NotFound(
                f"No {kind} of {self.name} has the key `{shorten(text)}`{within}.",
                argument="key",
                suggestions=nearest(text, known),
            )
        return found[meant[0]]

    async def by_keys(self, kind: str, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
        """The records that exist among `keys`."""
        if kind == "document":
            return await DocumentStore(self.documents).by_keys(keys, columns)
        cost = Cost()
        found = await self.client.by_keys(kind, keys, columns, cost)
        cost.check_found(keys, found, self.name)
        return found

    async def documents(self) -> Mapping[str, Document]:
        """Every document, by key."""
        return await self.client.documents(Cost())

    async def _find_documents(self, question: Question) -> Answer:
        """The documents are few and read whole, so whatever is asked of them is done here."""
        cost = Cost()
        provenance = Provenance("dnd", providers=(self.word,))
        vocabulary = LiveVocabulary(self.client, cost)
        criteria = await vocabulary.settle(question.criteria, "document")
        answer = await list_records(
            DocumentStore(vocabulary.documents), replace(question, criteria=criteria), provenance
        )
        provenance.residual, provenance.pushed_down = provenance.pushed_down, []
        provenance.upstream_requests = cost.requests
        provenance.from_cache = not cost.requests
        if cost.losses:
            provenance.complete = False
            provenance.warnings.extend(dict.fromkeys(cost.losses))
            return replace(answer, total_count=None)
        return answer


def open5e_provider(shelf: DndShelf) -> PlannedProvider | None:
    """Open5e; None where it is turned off."""
    return None if shelf.open5e is None else PlannedProvider(shelf.open5e, "open5e", NAME)
