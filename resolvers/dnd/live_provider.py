"""The live providers: what each of them can answer, and which one a question goes to.

A new one implements `LiveProvider` and adds its line to `LIVE`; the root fields know none of them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from resolvers.dnd.live import open5e_provider
from resolvers.dnd.live_dnd5e import dnd5e_provider
from resolvers.dnd.provider import Provider
from resolvers.dnd.vocabulary_equipment import kinds_named
from resolvers.question import Answer, Question
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Op, Predicate
from sources.dnd.dnd5e_client import NAME as DND5E
from sources.dnd.dnd5e_kinds import DND5E_KINDS
from sources.dnd.open5e_client import NAME as OPEN5E
from sources.dnd.open5e_endpoints import OPEN5E_KINDS
from sources.dnd.records import Document
from sources.dnd.store import DndShelf
from sources.errors import BadInput, SourceNotConfigured
from sources.page import Record


class LiveProvider(Protocol):
    """A live API that answers for whole kinds of records.

    `kind` is a store's: `spell`, `creature`, `equipment`, `rule`, `document`, `character_option`.
    """

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    async def find(self, kind: str, question: Question) -> Answer:
        """The page of its records of `kind` that `question` asks for.

        Raises `BadInput` for an unknown open value, for `last` and `before` and for a foreign cursor;
        `QueryTooExpensive`; `UpstreamError`.
        """
        ...

    async def get(self, kind: str, text: str, editions: Sequence[str], columns: Sequence[str]) -> Record:
        """One record by key or unique slug.

        Raises `NotFound` with the nearest keys, `BadInput` for a slug of several records, `UpstreamError`.
        """
        ...

    async def by_keys(self, kind: str, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
        """The records that exist among `keys`. Raises `UpstreamError`."""
        ...

    async def documents(self) -> Mapping[str, Document]:
        """Every document of its records, by key. Raises `UpstreamError`."""
        ...


@dataclass(frozen=True, slots=True)
class LiveChoice:
    """One live provider, whether it is turned on or not.

    - `provider`: what a caller asks for; `name`: for people; `setting`: the variable that turns it off
    - `kinds`: the stores' kinds that it answers, each with the kinds of records that it has of them
    - `open`: the provider of an opened shelf, None where it is turned off
    - `auto`: AUTO may ask it
    """

    provider: Provider
    name: str
    setting: str
    kinds: Mapping[str, Collection[str]]
    open: Callable[[DndShelf], LiveProvider | None]
    auto: bool = True

    def lacks(self, kind: str, asked: Collection[str]) -> list[str]:
        """The kinds among `asked` that it does not have: the store's own `kind` where it has none of it."""
        return [kind] if kind not in self.kinds else [one for one in asked if one not in self.kinds[kind]]


LIVE: tuple[LiveChoice, ...] = (
    LiveChoice(Provider.OPEN5E, OPEN5E, "LOREGRAPH_OPEN5E_LIVE", OPEN5E_KINDS, open5e_provider),
    # What it has is held here as well, so AUTO has no reason to ask it.
    LiveChoice(Provider.DND5E, DND5E, "LOREGRAPH_DND5E_LIVE", DND5E_KINDS, dnd5e_provider, auto=False),
)
"""In the order in which AUTO asks: the first that is turned on and has all kinds that are asked for."""


def chosen_live(
    shelf: DndShelf, provider: Provider, kind: str, criteria: Criteria = EVERYTHING
) -> LiveProvider:
    """The live provider that was asked for by name.

    Raises `BadInput` where it does not have a kind that `criteria` asks for, saying which providers do; and
    `SourceNotConfigured` where it is turned off.
    """
    choice = next(choice for choice in LIVE if choice.provider is provider)
    asked = kinds_asked(criteria, kind)
    lacking = choice.lacks(kind, asked)
    if lacking:
        able = [one.provider.value for one in LIVE if not one.lacks(kind, asked)]
        raise BadInput(
            f"cannot be `{provider.value}` here: {choice.name} has no records of the kind "
            f"{' or '.join(f'`{one}`' for one in lacking)}.",
            argument="provider",
            allowed=[Provider.AUTO.value, Provider.LOCAL.value, *able],
        )
    opened = choice.open(shelf)
    if opened is None:
        raise SourceNotConfigured(f"{choice.name} is not asked by this server: `{choice.setting}` is off.")
    return opened


def first_live(shelf: DndShelf, kind: str, criteria: Criteria = EVERYTHING) -> LiveProvider | None:
    """The live provider that AUTO asks about this; None where none is turned on that has all of it."""
    asked = kinds_asked(criteria, kind)
    for choice in LIVE:
        opened = choice.open(shelf) if choice.auto and not choice.lacks(kind, asked) else None
        if opened is not None:
            return opened
    return None


def live_of(shelf: DndShelf) -> Iterator[LiveProvider]:
    """Every live provider that is turned on, in the order in which AUTO asks."""
    for choice in LIVE:
        opened = choice.open(shelf)
        if opened is not None:
            yield opened


def kinds_asked(criteria: Criteria, kind: str) -> tuple[str, ...]:
    """The kinds of records that `criteria` asks for by name; under `not`, a name asks for nothing."""
    return tuple(dict.fromkeys(_kinds_asked(criteria, kind)))


def _kinds_asked(criteria: Criteria, kind: str) -> Iterator[str]:
    match criteria:
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _kinds_asked(part, kind)
        case Predicate("kind", Op.IN):
            yield from kinds_named(criteria.value, kind)
