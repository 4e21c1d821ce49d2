"""One thing that two data sets hold, made one record. Pure: nothing is read.

The SRD stands in Open5e and in the D&D 5e API, of which the embedded data is a copy. Two records are the same
thing when edition, kind and folded name are equal, an alias table apart; editions are never merged, nor is a
document of another publisher, whose spells and creatures often have the names of others. Each field then comes
from the data set that was found right where both were compared over the whole SRD 5.1.

Below, `open5e` and `srd` are the two records: of Open5e, and of the D&D 5e API or the embedded data. The merged
record keeps the key, the document and (spells aside) the name of `srd`; keys are equal wherever both documents are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Protocol, TypeVar

from sources.dnd.records import Creature, Feature, Spell
from sources.dnd.records_options import CharacterOption
from sources.dnd.records_rules import RuleEntry
from sources.dnd.vocabulary import proficiency_bonus

MERGEABLE_DOCUMENTS = frozenset({"srd-2014", "srd-2024"})
"""The documents whose records may have a twin in the other data set."""

CORE_DOCUMENT = "core"
_OF_CORE = frozenset({"condition", "magic-school", "damage-type", "size"})
"""Kinds that Open5e keeps once, in its document `core`, for all editions."""

_ALIASES: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("5e-2014", "creature"): {
        "elfdrow": "drow",
        "gnomedeepsvirfneblin": "deepgnomesvirfneblin",
        # Stat blocks with several forms: the one that Open5e has. The other forms stay records of their own.
        "vampirevampireform": "vampire",
        "werebearhumanform": "werebear",
        "wereboarhumanform": "wereboar",
        "wererathumanform": "wererat",
        "weretigerhumanform": "weretiger",
        "werewolfhumanform": "werewolf",
    },
    ("5e-2014", "subclass"): {
        "berserker": "pathoftheberserker",
        "devotion": "oathofdevotion",
        "draconic": "draconicbloodline",
        "evocation": "schoolofevocation",
        "fiend": "thefiend",
        "land": "circleoftheland",
        "life": "lifedomain",
        "lore": "collegeoflore",
        "openhand": "wayoftheopenhand",
    },
    ("5e-2014", "species"): {"lightfoothalfling": "lightfoot"},
}
"""Folded names of one data set by their folded names in the other, by edition and kind."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two records the same thing: `edition` (`5e-2014`), `kind` and folded `name`."""

    edition: str
    kind: str
    name: str


class _Named(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def document_key(self) -> str: ...
    @property
    def name(self) -> str: ...


_Record = TypeVar("_Record", bound=_Named)
_Option = TypeVar("_Option", bound=CharacterOption)
_Filled = TypeVar("_Filled", bound=Spell | Creature | CharacterOption | RuleEntry | Feature)


@dataclass(frozen=True, slots=True)
class Matched(Generic[_Record]):
    """The records of two data sets, sorted out. Each record stands in exactly one place.

    - `pairs`: (`open5e`, `srd`) of one thing
    - `open5e_alone`, `srd_alone`: without a twin, or never to be merged
    - `doubled`: records that their own data set has a second time under another name (`Elf, Drow` beside `Drow`),
      by the key of the one that stands for both
    """

    pairs: tuple[tuple[_Record, _Record], ...]
    open5e_alone: tuple[_Record, ...]
    srd_alone: tuple[_Record, ...]
    doubled: Mapping[str, tuple[_Record, ...]]


def fold_name(name: str) -> str:
    """`name` as identities compare it: ASCII, lower case, letters and digits alone."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", plain)


def identity_of(kind: str, name: str, document_key: str, edition: str) -> Identity | None:
    """The identity of a record; None for one that is never merged with another.

    `edition` is that of its document; of the document `core`, the edition that the record's text is for.
    """
    eligible = document_key in MERGEABLE_DOCUMENTS or (document_key == CORE_DOCUMENT and kind in _OF_CORE)
    if kind not in MERGES or not eligible:
        return None
    folded = fold_name(name)
    return Identity(edition, kind, _ALIASES.get((edition, kind), {}).get(folded, folded))


def match_records(
    kind: str, open5e: Iterable[_Record], srd: Iterable[_Record], editions: Mapping[str, str]
) -> Matched[_Record]:
    """The records of `kind` of both data sets, with their twins. `editions` are those of documents, by key.

    Records of a document whose edition is not told are left alone. Where a data set has a thing twice, the record
    whose own name is that of the twin stands for both.
    """
    of_open5e, alone_there, doubled = _by_identity(kind, open5e, editions)
    of_srd, alone_here, doubled_here = _by_identity(kind, srd, editions)
    return Matched(
        pairs=tuple((one, of_srd[identity]) for identity, one in of_open5e.items() if identity in of_srd),
        open5e_alone=(*(one for identity, one in of_open5e.items() if identity not in of_srd), *alone_there),
        srd_alone=(*(one for identity, one in of_srd.items() if identity not in of_open5e), *alone_here),
        doubled={**doubled, **doubled_here},
    )


def _by_identity(
    kind: str, records: Iterable[_Record], editions: Mapping[str, str]
) -> tuple[dict[Identity, _Record], list[_Record], dict[str, tuple[_Record, ...]]]:
    found: dict[Identity, list[_Record]] = {}
    alone: list[_Record] = []
    for record in records:
        edition = editions.get(record.document_key)
        identity = None
        if edition is not None:
            identity = identity_of(kind, record.name, record.document_key, edition)
        if identity is None:
            alone.append(record)
        else:
            found.setdefault(identity, []).append(record)
    by_identity: dict[Identity, _Record] = {}
    doubled: dict[str, tuple[_Record, ...]] = {}
    for identity, same in found.items():
        first, *others = sorted(same, key=lambda one: (fold_name(one.name) != identity.name, one.key))
        by_identity[identity] = first
        if others:
            doubled[first.key] = tuple(others)
    return by_identity, alone, doubled


def merge_spell(open5e: Spell, srd: Spell) -> Spell:
    """One spell of both.

    Of Open5e come the name (it capitalises as printed), the numeric range, the duration ("or triggered" is missing
    elsewhere) and an area where the other has none. Damage types and saves are those of either, so that a filter
    misses none; the first, which is shown, is that of the SRD. Classes, dice and texts are those of the SRD: Open5e
    mixes the lists of subclasses in, and has no spells of paladins.
    """
    _check_same("spell", open5e, srd)
    area = srd if srd.area_shape is not None or open5e.area_shape is None else open5e
    return _fill(
        replace(
            srd,
            name=open5e.name,
            range_text=open5e.range_text or srd.range_text,
            range=open5e.range if open5e.range_text else srd.range,
            range_unit=open5e.range_unit if open5e.range_text else srd.range_unit,
            duration=open5e.duration or srd.duration,
            damage_types=_union(srd.damage_types, open5e.damage_types),
            saving_throw_abilities=_union(srd.saving_throw_abilities, open5e.saving_throw_abilities),
            area_shape=area.area_shape,
            area_size=area.area_size,
        ),
        open5e,
        only=("material_specified", "higher_level", "reaction_condition", "attack_type"),
    )


_OF_STRUCTURE = (
    "speed_walk",
    "speed_fly",
    "speed_swim",
    "speed_climb",
    "speed_burrow",
    "darkvision",
    "blindsight",
    "tremorsense",
    "truesight",
    "condition_immunities",
    "environments",
)
_DEFENCES = (
    ("damage_vulnerabilities", "damage_vulnerability_types"),
    ("damage_resistances", "damage_resistance_types"),
    ("damage_immunities", "damage_immunity_types"),
)
_FEATURES = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")


def merge_creature(open5e: Creature, srd: Creature) -> Creature:
    """One stat block of both.

    Of Open5e come the type (of a swarm, that of its members), defences, speeds, senses, environments and the attacks
    of its features; of the SRD, whatever else both have, the challenge rating, the armor class and the alignment
    above all. Experience points and the proficiency bonus follow the challenge rating; at rating 0 the SRD's record
    says whether it is worth 0 or 10. Either fills what the other lacks.
    """
    _check_same("creature", open5e, srd)
    changed: dict[str, Any] = {
        name: value for name in _OF_STRUCTURE if not _is_empty(value := getattr(open5e, name))
    }
    for texts, types in _DEFENCES:
        if getattr(open5e, texts):
            changed |= {texts: getattr(open5e, texts), types: getattr(open5e, types)}
    if srd.armor_detail is None and srd.armor_class == open5e.armor_class:
        changed["armor_detail"] = open5e.armor_detail
    changed |= _merge_features(open5e, srd)
    return _fill(
        replace(
            srd,
            type=open5e.type,
            swarm=srd.swarm or open5e.swarm,
            swarm_size=srd.swarm_size or open5e.swarm_size,
            hover=srd.hover or open5e.hover,
            proficiency_bonus=proficiency_bonus(srd.challenge_rating),
            legendary=bool(changed["legendary_actions"]),
            **changed,
        ),
        open5e,
        only=("subtype", "description", "languages", "saving_throws", "skills", "alignments"),
    )


def merge_option(open5e: _Option, srd: _Option) -> _Option:
    """One class, subclass, species, background or feat of both: the SRD's record, which has more of each, with what
    only Open5e says. Raises ValueError for records of two kinds."""
    _check_same(srd.kind, open5e, srd)
    return _fill(srd, open5e, only=[field.name for field in fields(srd)])


def merge_rule(open5e: RuleEntry, srd: RuleEntry) -> RuleEntry:
    """One condition or term of both: the SRD's record, with what only Open5e says.

    Raises ValueError for rules, whose text the two cut in other places, and for records of two kinds.
    """
    _check_same(srd.kind, open5e, srd)
    return _fill(srd, open5e, only=[field.name for field in fields(srd) if field.name != "parent_key"])


Merge = Callable[[Any, Any], Any]

MERGES: Mapping[str, Merge] = {
    "spell": merge_spell,
    "creature": merge_creature,
    **dict.fromkeys(("class", "subclass", "species", "background", "feat"), merge_option),
    **dict.fromkeys(
        (
            "condition",
            "damage-type",
            "weapon-property",
            "skill",
            "ability-score",
            "magic-school",
            "language",
            "alignment",
        ),
        merge_rule,
    ),
}
"""How records of a kind are merged, `(open5e, srd)`. Kinds that are absent never are: equipment is priced by other
quantities, magic items spell their variants out and rules are cut in other places, so that equal names are no sign
of the same thing there."""


def _check_same(kind: str, open5e: Any, srd: Any) -> None:
    if kind not in MERGES or type(open5e) is not type(srd):
        raise ValueError(f"`{open5e.key}` and `{srd.key}` are not records of one kind that can be merged")
    if getattr(open5e, "kind", kind) != kind:
        raise ValueError(f"`{open5e.key}` is no {kind}")
    for record in (open5e, srd):
        if record.document_key not in MERGEABLE_DOCUMENTS | {CORE_DOCUMENT}:
            raise ValueError(
                f"`{record.key}` stands in `{record.document_key}`, whose records are never merged"
            )
    if open5e.document_key != srd.document_key and CORE_DOCUMENT not in (
        open5e.document_key,
        srd.document_key,
    ):
        raise ValueError(f"`{open5e.key}` and `{srd.key}` are of two editions")


def _is_empty(value: object) -> bool:
    return value is None or value in ("", ())


def _fill(record: _Filled, other: _Filled, *, only: Collection[str]) -> _Filled:
    """`record` with the values of `other` in those of the fields `only` where it says nothing."""
    gaps: dict[str, Any] = {
        name: value
        for name in only
        if _is_empty(getattr(record, name)) and not _is_empty(value := getattr(other, name))
    }
    return replace(record, **gaps) if gaps else record


def _union(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _merge_features(open5e: Creature, srd: Creature) -> dict[str, tuple[Feature, ...]]:
    """All features, in the order of the SRD's record, which is that of the stat block.

    One that Open5e has in another list stays there alone.
    """
    theirs = {fold_name(one.name) for part in _FEATURES for one in getattr(open5e, part)}
    merged: dict[str, tuple[Feature, ...]] = {}
    for part in _FEATURES:
        left = list(getattr(open5e, part))
        found: list[Feature] = []
        for one in getattr(srd, part):
            name = fold_name(one.name)
            twin = next((other for other in left if fold_name(other.name) == name), None)
            if twin is not None:
                left.remove(twin)
                found.append(_merge_feature(twin, one))
            elif name not in theirs:
                found.append(one)
        merged[part] = (*found, *left)
    return merged


def _merge_feature(open5e: Feature, srd: Feature) -> Feature:
    """Its text and attack as Open5e has them; what only the other tells is added."""
    return _fill(
        open5e, srd, only=("description", "attack_bonus", "damage", "save", "usage", "legendary_action_cost")
    )
