"""What a caller's open values mean at the live provider: checked against its own vocabularies, as few as needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from resolvers.dnd.live_client import LiveClient
from resolvers.dnd.vocabulary import resolve_key, settle
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.dnd.keys import KeyIndex
from sources.dnd.live_index import Cost
from sources.dnd.records import Document
from sources.errors import BadInput


@dataclass(slots=True)
class LiveVocabulary:
    """The vocabularies of a live client for one question, whose cost they count to.

    `trusted` are whole keys that were not looked up: a request by key tells as well whether they exist.
    """

    client: LiveClient
    cost: Cost
    trusted: dict[str, Predicate] = field(default_factory=dict)

    async def documents(self) -> Mapping[str, Document]:
        """Every document of the client."""
        return await self.client.documents(self.cost)

    async def words(self, vocabulary: str) -> Sequence[str]:
        """The keys of an open vocabulary, sorted."""
        return await self.client.words(vocabulary, self.cost)

    async def keys(self, kind: str) -> KeyIndex:
        """The keys of all records of a kind; a document is its own."""
        if kind == "document":
            return KeyIndex((key, key) for key in await self.documents())
        return (await self.client.index(kind, self.cost)).keys

    async def settle(self, criteria: Criteria, kind: str) -> Criteria:
        """`criteria` with every open value replaced by the keys that the client has.

        Raises `BadInput` for an unknown value, and `UpstreamError`. Editions stay: its lists filter by them.
        """
        match criteria:
            case All(parts):
                return All(tuple([await self.settle(part, kind) for part in parts]))
            case AnyOf(parts):
                return AnyOf(tuple([await self.settle(part, kind) for part in parts]))
            case Not(part):
                return Not(await self.settle(part, kind))
            case Predicate("key", Op.IN) if kind != "document":
                return await self._keys(criteria, kind)
            case Predicate("edition", Op.IN):
                return criteria
            case Predicate():
                return await settle(criteria, self, kind, [])

    async def check_trusted(self, kind: str, seen: Sequence[str]) -> None:
        """Raises `BadInput` for a key that was trusted and does not exist. The index is asked only about keys
        that are not among the records `seen`."""
        doubtful = [key for key in self.trusted if key not in set(seen)]
        if not doubtful:
            return
        known = await self.keys(kind)
        for key in doubtful:
            if key not in known:
                raise _unknown(self.trusted[key], key, known)

    async def _keys(self, predicate: Predicate, kind: str) -> Predicate:
        """Whole keys as they are; slugs by the index of all keys."""
        known = self.client.remembered_index(kind)
        if known is None and all("_" in text for text in predicate.value):
            self.trusted |= dict.fromkeys(predicate.value, predicate)
            return predicate
        keys = await self.keys(kind)
        found: list[str] = []
        for text in predicate.value:
            meant = resolve_key(text, keys)
            if not meant:
                raise _unknown(predicate, text, keys)
            if len(meant) > 1:
                raise BadInput(
                    "is the slug of several records; give the whole key.",
                    argument=_argument(predicate, text),
                    allowed=meant,
                )
            found.extend(meant)
        return replace(predicate, value=tuple(dict.fromkeys(found)))


def _unknown(predicate: Predicate, text: str, known: KeyIndex) -> BadInput:
    return BadInput.unknown(_argument(predicate, text), text, sorted(known), list_allowed=False)


def _argument(predicate: Predicate, text: str) -> str:
    values = list(predicate.value)
    return predicate.argument if len(values) == 1 else f"{predicate.argument}[{values.index(text)}]"
