"""Answers of the D&D 5e API, whose lists tell names alone: a page is made from them, and only its own records are
read whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from resolvers.dnd.vocabulary import resolve_key, settle
from resolvers.planned_listing import list_planned
from resolvers.question import Answer, PageInfo, Question
from sources.dnd.dnd5e_client import NAME, Dnd5e
from sources.dnd.dnd5e_collections import Collection
from sources.dnd.keys import KeyIndex
from sources.dnd.live_index import Cost
from sources.dnd.records import Document
from sources.dnd.store import DndShelf
from sources.errors import NotFound, nearest, shorten
from sources.page import Record
from sources.provenance import Provenance

PROVIDER = "dnd5e"


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What the API knows, for one question whose cost it counts to."""

    client: Dnd5e
    cost: Cost

    async def documents(self) -> Mapping[str, Document]:
        return await self.client.documents(self.cost)

    async def words(self, vocabulary: str) -> Sequence[str]:
        return await self.client.words(vocabulary, self.cost)

    async def keys(self, kind: str) -> KeyIndex:
        return (await self.client.index(kind, self.cost)).keys


@dataclass(frozen=True, slots=True)
class Dnd5eProvider:
    """The D&D 5e API as a live provider. Implements `resolvers/dnd/live_provider.py`."""

    client: Dnd5e
    name: str = NAME

    async def find(self, kind: str, question: Question) -> Answer:
        """The page of its records of `kind` that `question` asks for."""
        cost = Cost()
        missing: list[str] = []
        provenance = Provenance("dnd", providers=(PROVIDER,))
        criteria = await settle(question.criteria, _Vocabulary(self.client, cost), kind, missing)
        if missing:
            provenance.complete = False
            provenance.warnings.append(f"The {NAME} has no document of edition {', '.join(missing)}.")
        upstream = self.client.list(kind, cost, criteria, question.order)
        wanted = question.wanted
        of_lists = replace(
            wanted,
            columns=(*(name for name in wanted.columns if name != "key" and upstream.listed((name,))), "key"),
        )
        answer = await list_planned(
            upstream, replace(question, criteria=criteria, wanted=of_lists), provenance
        )
        if not upstream.listed(wanted.columns):
            answer = await self._with_records(kind, answer, wanted.columns, cost, upstream.places)
        provenance.upstream_requests += cost.requests
        provenance.effective_query = " ; ".join(upstream.queries) or None
        if cost.losses:
            provenance.complete = False
            provenance.warnings.extend(dict.fromkeys(cost.losses))
        return answer

    async def get(self, kind: str, text: str, editions: Sequence[str], columns: Sequence[str]) -> Record:
        """One record by key or unique slug."""
        cost = Cost()
        wanted = tuple(dict.fromkeys((*columns, "key")))
        here = not editions or any(one.edition in editions for one in (await self.documents()).values())
        if here and "_" in text:
            found = await self.client.by_keys(kind, [text], wanted, cost)
            if text in found:
                return found[text]
        # Elsewhere there is nothing to be found, whatever the slug.
        keys = (await self.client.index(kind, cost)).keys if here else KeyIndex(())
        meant = resolve_key(text, keys)
        found = await self.client.by_keys(kind, meant, wanted, cost) if meant else {}
        if not found:
            cost.check_found([text], found, self.name)
            within = f" in the editions {', '.join(editions)}" if editions else ""
            raise NotFound(
                f"No {kind} of the {self.name} has the key `{shorten(text)}`{within}.",
                argument="key",
                suggestions=nearest(text, sorted(keys)),
            )
        return found[meant[0]]

    async def by_keys(self, kind: str, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
        """The records that exist among `keys`."""
        cost = Cost()
        found = await self.client.by_keys(kind, keys, columns, cost)
        cost.check_found(keys, found, self.name)
        return found

    async def documents(self) -> Mapping[str, Document]:
        """Its only document."""
        return await self.client.documents(Cost())

    async def _with_records(
        self,
        kind: str,
        answer: Answer,
        wanted: Sequence[str],
        cost: Cost,
        places: Mapping[str, Collection],
    ) -> Answer:
        """`answer` with the records of its page read whole. One that cannot be had is left out, and `cost` says so."""
        columns = tuple(dict.fromkeys((*wanted, "key")))
        keys = [node.key for node in answer.nodes]
        lost = len(cost.losses)
        found, fetched_at = await self.client.aged_by_keys(kind, keys, columns, cost, places)
        provenance = answer.provenance
        if fetched_at is not None:
            known = provenance.fetched_at
            provenance.fetched_at = fetched_at if known is None else min(known, fetched_at)
        kept = [place for place, key in enumerate(keys) if key in found]
        if len(kept) < len(keys) and len(cost.losses) == lost:
            cost.losses.append(f"The {NAME} lists a {kind} that it does not have.")
        cursors = [answer.cursors[place] for place in kept] if answer.cursors else []
        info = answer.page_info
        return replace(
            answer,
            nodes=[found[keys[place]] for place in kept],
            cursors=cursors,
            page_info=PageInfo(
                has_next_page=info.has_next_page,
                has_previous_page=info.has_previous_page,
                start_cursor=cursors[0] if cursors else None,
                # A record that was left out at the end must not be met again on the next page.
                end_cursor=info.end_cursor,
            ),
        )


def dnd5e_provider(shelf: DndShelf) -> Dnd5eProvider | None:
    """The D&D 5e API; None where it is turned off."""
    return None if shelf.dnd5e is None else Dnd5eProvider(shelf.dnd5e)
