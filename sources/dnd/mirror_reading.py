"""From the rows that Open5e sent to records: what is malformed, doubled or out of place is turned away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol, TypeVar

import orjson

from sources.dnd.content import Content
from sources.dnd.mirror_lists import DOCUMENTS, LISTS, TERMS
from sources.dnd.open5e_client import NAME
from sources.dnd.open5e_creatures import CREATURE_RECIPES
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_items import item_of, magic_item_of
from sources.dnd.open5e_options import (
    OptionRow,
    read_background,
    read_class,
    read_feat,
    read_open5e_options,
    read_species,
)
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.open5e_rules import rule_of, rule_set_of
from sources.dnd.open5e_spells import SPELL_RECIPES
from sources.dnd.open5e_terms import terms_of
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Creature, Spell
from sources.dnd.records_options import OptionRecords
from sources.errors import UpstreamBadResponse, shorten
from sources.mirroring import Quarantined

MOST_REJECTED = 0.1
"""The share of a list that may be turned away; of more, the list as a whole is not what it was taken for."""

FEW = 3
"""So many records may be turned away in a list of any length, unless that is all of it."""


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def document_key(self) -> str: ...


_Made = TypeVar("_Made")
_Record = TypeVar("_Record", bound=_Keyed)


class UnusableList(UpstreamBadResponse):
    """A list (by its name) cannot be used at all; `rejects` say why."""

    def __init__(self, name: str, problem: str, rejects: Sequence[Quarantined]) -> None:
        self.list = name
        self.rejects = tuple(rejects)
        super().__init__(f"The list `{name}` of {NAME} {problem}.", upstream=NAME)


class MirrorReader:
    """Makes the records of one mirror, of the documents `chosen` (all when None). `rejects` grows as lists are read.

    `strict`: a list that cannot be trusted as a whole is an error; otherwise it gives what it can.
    """

    def __init__(
        self, rows: Mapping[str, Sequence[Any]], chosen: Sequence[str] | None, *, strict: bool = True
    ) -> None:
        self._rows = rows
        self._strict = strict
        self._chosen = None if chosen is None else frozenset(chosen)
        self._documents: frozenset[str] = frozenset()
        self.rejects: list[Quarantined] = []

    def read(self, mirrored_at: datetime) -> Content:
        """All records, the documents dated. Raises UnusableList where a list as a whole is none."""
        documents = [document for _, document in self._good(DOCUMENTS, document_of)]
        self._documents = frozenset(document.key for document in documents)
        content = Content(
            documents=tuple(
                replace(one, source="open5e", mirrored_at=mirrored_at)
                for one in documents
                if self._is_chosen(one.key)
            ),
            spells=self._records(("spells", _one(_maker(Spell, SPELL_RECIPES)))),
            creatures=self._records(("creatures", _one(_maker(Creature, CREATURE_RECIPES)))),
            equipment=self._records(("items", _one(item_of)), ("magicitems", _one(magic_item_of))),
            rules=self._records(
                ("rulesets", _one(rule_set_of)),
                ("rules", _one(rule_of)),
                *((name, partial(terms_of, kind)) for name, kind in TERMS.items()),
            ),
            options=self._options(),
        )
        if self._strict:
            for name in LISTS:
                self._check_whole(name)
        return content

    def _records(self, *lists: tuple[str, Callable[[Raw], Iterable[_Record]]]) -> tuple[_Record, ...]:
        """The records of these lists, which lie in one table, in the order of their keys."""
        found: dict[str, _Record] = {}
        for name, make in lists:
            for raw, records in self._good(name, partial(self._placed, make)):
                for record in records:
                    if record.key in found and found[record.key] != record:
                        self._reject(name, raw["key"], f"would bear the key `{record.key}` of another record")
                    else:
                        found[record.key] = record
        return tuple(found[key] for key in sorted(found))

    def _placed(self, make: Callable[[Raw], Iterable[_Record]], raw: Raw) -> list[_Record]:
        """The records of a row that stand in documents that are mirrored. Raises MalformedRecord."""
        made = list(make(raw))
        for record in made:
            self._check_document(record)
        return [record for record in made if self._is_chosen(record.document_key)]

    def _options(self) -> OptionRecords:
        readers = {
            "classes": read_class,
            "species": read_species,
            "backgrounds": read_background,
            "feats": read_feat,
        }
        good = {
            name: [raw for raw, _ in self._good(name, partial(self._check_option, reader))]
            for name, reader in readers.items()
        }
        read = read_open5e_options(
            good["classes"], good["species"], good["backgrounds"], good["feats"], reject=self._malformed
        )
        options = {one.key: one for one in read.options if self._is_chosen(one.document_key)}
        species_traits = tuple(one for one in read.species_traits if one.species_key in options)
        traits = {key for one in species_traits for key in one.trait_keys}
        return OptionRecords(
            options=tuple(options.values()),
            features=tuple(one for one in read.features if one.option_key in options),
            levels=tuple(one for one in read.levels if one.option_key in options),
            traits=tuple(one for one in read.traits if one.key in traits or one.parent_key in traits),
            species_traits=species_traits,
        )

    def _good(self, name: str, make: Callable[[Raw], _Made]) -> Iterator[tuple[Raw, _Made]]:
        """The rows of a list of which something can be made, and that, in the order of their keys."""
        for key, raw in sorted(self._by_key(name).items()):
            try:
                made = make(raw)
            except MalformedRecord as error:
                self._malformed(name, raw, error)
            except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError) as error:
                # A shape that no reader foresaw: the record is turned away, whatever it is.
                reason = f"is shaped otherwise than {NAME}'s records are ({type(error).__name__})"
                self._reject(name, key, reason)
            else:
                yield raw, made

    def _by_key(self, name: str) -> dict[str, Raw]:
        """Each row of a list by its key. Of rows that share a key and differ none can be trusted."""
        found: dict[str, Raw] = {}
        doubtful: set[str] = set()
        for raw in self._rows.get(name, ()):
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

    def _check_option(self, read: Callable[[Raw], OptionRow], raw: Raw) -> None:
        self._check_document(read(raw).option)

    def _check_document(self, record: _Keyed) -> None:
        if record.document_key not in self._documents:
            problem = f"`{shorten(record.document_key)}` is none of {NAME}'s documents"
            raise MalformedRecord(record.key, "document", problem)

    def _is_chosen(self, document: str) -> bool:
        return self._chosen is None or document in self._chosen

    def _check_whole(self, name: str) -> None:
        rows = len(self._rows.get(name, ()))
        rejected = [one for one in self.rejects if one.list == name]
        if len(rejected) > max(FEW, MOST_REJECTED * rows) or (rejected and len(rejected) >= rows):
            problem = f"holds {len(rejected)} records that cannot be used among {rows}"
            raise UnusableList(name, problem, rejected)
        if rows == 0 and (self._chosen is None or not LISTS[name].by_document):
            raise UnusableList(name, "is empty", rejected)

    def _malformed(self, name: str, raw: Raw, error: MalformedRecord) -> None:
        key = raw.get("key")
        said = str(error).removeprefix(f"record `{error.record}`: ")
        self._reject(name, key if isinstance(key, str) else None, said)

    def _reject(self, name: str, key: str | None, reason: str) -> None:
        self.rejects.append(Quarantined(name, None if key is None else shorten(key), reason))


def _one(make: Callable[[Raw], _Record]) -> Callable[[Raw], Iterable[_Record]]:
    return lambda raw: (make(raw),)


def _maker(kind: Callable[..., _Record], recipes: Recipes) -> Callable[[Raw], _Record]:
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return lambda raw: kind(**{name: recipes[name].make(raw) for name in names})


def _print(raw: Raw) -> bytes:
    return orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)
