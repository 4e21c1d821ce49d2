"""From the rows that Open5e sent to records: what is malformed, doubled or out of place is turned away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar

import orjson

from sources.dnd.content import Content
from sources.dnd.mirror_lists import DOCUMENTS, LISTS
from sources.dnd.open5e_client import NAME
from sources.dnd.open5e_creatures import CREATURE_RECIPES
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.open5e_spells import SPELL_RECIPES
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Creature, Document, Spell
from sources.errors import UpstreamBadResponse, shorten
from sources.mirroring import Quarantined

MOST_REJECTED = 0.1
"""The share of a list that may be turned away; of more, the list as a whole is not what it was taken for."""

FEW = 3
"""So many records may always be turned away, in a list of any length."""

_Record = TypeVar("_Record")


class UnusableList(UpstreamBadResponse):
    """A list cannot be used at all; `rejects` say why."""

    def __init__(self, name: str, problem: str, rejects: Sequence[Quarantined]) -> None:
        self.rejects = tuple(rejects)
        super().__init__(f"The list `{name}` of {NAME} {problem}.", upstream=NAME)


class MirrorReader:
    """Makes the records of one mirror. `rejects` grows as lists are read.

    `strict`: a list that cannot be trusted as a whole is an error; otherwise it gives what it can.
    """

    def __init__(
        self, rows: Mapping[str, Sequence[Any]], chosen: Sequence[str] | None, *, strict: bool = True
    ) -> None:
        self._rows = rows
        self._strict = strict
        self._chosen = None if chosen is None else frozenset(chosen)
        self.rejects: list[Quarantined] = []
        self.documents: dict[str, Document] = {}
        self._known: frozenset[str] = frozenset()

    def read(self, mirrored_at: datetime) -> Content:
        """All records, those of documents dated. Raises UnusableList where a list as a whole is none."""
        known = self._each(DOCUMENTS, document_of, of_document=False)
        self.documents = {
            one.key: replace(one, source="open5e", mirrored_at=mirrored_at)
            for one in known
            if self._chosen is None or one.key in self._chosen
        }
        self._known = frozenset(one.key for one in known)
        return Content(
            documents=tuple(self.documents.values()),
            spells=tuple(self._each("spells", _maker(Spell, SPELL_RECIPES))),
            creatures=tuple(self._each("creatures", _maker(Creature, CREATURE_RECIPES))),
        )

    def _each(self, name: str, make: Callable[[Raw], _Record], *, of_document: bool = True) -> list[_Record]:
        """The records of one list, in the order of their keys."""
        rows = self._rows.get(name, ())
        before = len(self.rejects)
        found: dict[str, _Record] = {}
        for key, raw in sorted(self._by_key(name, rows).items()):
            try:
                if of_document and not self._is_chosen(raw):
                    continue
                found[key] = make(raw)
            except MalformedRecord as error:
                self._reject(name, key, str(error).removeprefix(f"record `{error.record}`: "))
            except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as error:
                # A shape that no reader foresaw: the record is turned away, whatever it is.
                self._reject(
                    name, key, f"is shaped otherwise than {NAME}'s records are ({type(error).__name__})"
                )
        self._check_whole(name, rows, self.rejects[before:])
        return list(found.values())

    def _check_whole(self, name: str, rows: Sequence[Any], rejected: Sequence[Quarantined]) -> None:
        if not self._strict:
            return
        if len(rejected) > max(FEW, MOST_REJECTED * len(rows)):
            problem = f"holds {len(rejected)} records that cannot be used among {len(rows)}"
            raise UnusableList(name, problem, rejected)
        if not rows and self._chosen is None and not LISTS[name].may_be_empty:
            raise UnusableList(name, "is empty", rejected)

    def _by_key(self, name: str, rows: Iterable[Any]) -> dict[str, Raw]:
        """Each row by its key. Of rows that share a key and differ none can be trusted."""
        found: dict[str, Raw] = {}
        doubtful: set[str] = set()
        for raw in rows:
            key = raw.get("key") if isinstance(raw, Mapping) else None
            if not isinstance(key, str) or not key:
                called = raw.get("name") if isinstance(raw, Mapping) else None
                text = f" (`{shorten(called)}`)" if isinstance(called, str) and called else ""
                self._reject(name, None, f"a record{text} has no key")
            elif key not in found:
                found[key] = raw
            elif _print(found[key]) != _print(raw):
                doubtful.add(key)
        for key in sorted(doubtful):
            del found[key]
            self._reject(name, key, "is there twice, with different content")
        return found

    def _is_chosen(self, raw: Raw) -> bool:
        """Whether a record's document is mirrored. Raises MalformedRecord when it names none that there is."""
        document = raw.get("document")
        key = document.get("key") if isinstance(document, Mapping) else document
        if not isinstance(key, str) or not key:
            raise MalformedRecord(str(raw.get("key")), "document", "is missing")
        if key not in self._known:
            raise MalformedRecord(
                str(raw.get("key")), "document", f"`{shorten(key)}` is none of {NAME}'s documents"
            )
        return key in self.documents

    def _reject(self, name: str, key: str | None, reason: str) -> None:
        self.rejects.append(Quarantined(name, None if key is None else shorten(key), reason))


def _maker(kind: Callable[..., _Record], recipes: Recipes) -> Callable[[Raw], _Record]:
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return lambda raw: kind(**{name: recipes[name].make(raw) for name in names})


def _print(raw: Raw) -> bytes:
    return orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)
