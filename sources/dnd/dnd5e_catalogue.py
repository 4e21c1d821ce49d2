"""Every collection of the D&D 5e API that is read: spells, monsters, equipment, rules and the rules' vocabularies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from sources.dnd.corrections import corrected
from sources.dnd.dnd5e_collections import PREFIX, Around, Collection, Surrounding
from sources.dnd.embedded import SRD_2014
from sources.dnd.embedded_equipment import categories_by_item, parents_by_part
from sources.dnd.normalise import normalise_creature, normalise_spell
from sources.dnd.normalise_equipment import normalise_equipment, normalise_magic_item
from sources.dnd.normalise_rules import normalise_rule_entry, rule_slug
from sources.dnd.parsing import Raw
from sources.dnd.records import Creature, Spell
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RuleEntry
from sources.dnd.texts import creature_texts, equipment_texts, rule_texts, spell_texts
from sources.dnd.vocabulary import (
    ABILITIES,
    creature_index,
    creature_slug,
    species_slug,
    spell_index,
    spell_slug,
)
from sources.dnd.vocabulary_equipment import category_reference, magic_item_index, magic_item_slug
from sources.text_index_tables import TextRow

_DOCUMENT = SRD_2014.key


def _text_of(rows: Callable[[Sequence[Any]], Iterable[TextRow]]) -> Callable[[Any, Around], str]:
    def text(record: Any, around: Around) -> str:
        _, _, body = next(iter(rows([record])))
        return body

    return text


def _spell(raw: Raw, around: Around) -> Spell:
    return normalise_spell(corrected("spell", raw), document_key=_DOCUMENT)


def _creature(raw: Raw, around: Around) -> Creature:
    return normalise_creature(corrected("creature", raw), document_key=_DOCUMENT)


SPELLS = Collection(
    path="spells",
    kind="spell",
    read=_spell,
    text=_text_of(spell_texts),
    slug=spell_slug,
    index=spell_index,
    parameters=frozenset({"name", "level", "school"}),
    numbers=("level",),
)

MONSTERS = Collection(
    path="monsters",
    kind="creature",
    read=_creature,
    text=_text_of(creature_texts),
    slug=creature_slug,
    index=creature_index,
    parameters=frozenset({"name", "challenge_rating"}),
)

_CATEGORIES = Surrounding("categories", "equipment-categories", categories_by_item)
_VARIANTS = Surrounding("variants", "magic-items", lambda raws: parents_by_part(raws, "variants"))
_SECTIONS = Surrounding("sections", "rules", lambda raws: parents_by_part(raws, "subsections"))


def _equipment(raw: Raw, around: Around) -> Equipment:
    categories = around.get("categories", {}).get(raw.get("index"), ())
    return normalise_equipment(corrected("equipment", raw), document_key=_DOCUMENT, categories=categories)


def _magic_item(raw: Raw, around: Around) -> Equipment:
    return normalise_magic_item(
        corrected("magic-item", raw),
        document_key=_DOCUMENT,
        categories=around.get("categories", {}).get(raw.get("index"), ()),
        variant_of=around.get("variants", {}).get(raw.get("index")),
    )


def _lacking(record: type[Any], names: Iterable[str]) -> dict[str, Any]:
    """The values of attributes that a kind does not have."""
    defaults = {field.name: field.default for field in fields(record)}
    return {name: defaults[name] for name in sorted(names)}


_OPTIONAL = frozenset(field.name for field in fields(Equipment) if field.default is not MISSING)
_OF_MAGIC_ITEMS = frozenset(
    {
        "type_text",
        "base_item",
        "rarity",
        "rarity_rank",
        "requires_attunement",
        "attunement_detail",
        "variant_of",
        "variants",
    }
)

EQUIPMENT = Collection(
    path="equipment",
    kind="piece of equipment",
    read=_equipment,
    text=_text_of(equipment_texts),
    constants={"magic": False, **_lacking(Equipment, _OF_MAGIC_ITEMS)},
    needs={"categories": (_CATEGORIES,), "text": (_CATEGORIES,)},
)

MAGIC_ITEMS = Collection(
    path="magic-items",
    kind="magic item",
    read=_magic_item,
    text=_text_of(equipment_texts),
    slug=magic_item_slug,
    index=magic_item_index,
    constants={
        **dict.fromkeys(("cost", "cost_text", "weight", "quantity")),
        **_lacking(Equipment, _OPTIONAL - _OF_MAGIC_ITEMS),
        "magic": True,
        "kind": "magic-item",
    },
    needs={"categories": (_CATEGORIES,), "text": (_CATEGORIES,), "variant_of": (_VARIANTS,)},
)


def _rule_entry(kind: str) -> Callable[[Raw, Around], RuleEntry]:
    def read(raw: Raw, around: Around) -> RuleEntry:
        parent = around.get("sections", {}).get(raw.get("index"))
        return normalise_rule_entry(kind, corrected(kind, raw), document_key=_DOCUMENT, parent=parent)

    return read


_OF_KIND: Mapping[str, frozenset[str]] = {
    "rule": frozenset({"sections"}),
    "rule-section": frozenset({"parent_key"}),
    "skill": frozenset({"ability_key"}),
    "ability-score": frozenset({"abbreviation", "skills"}),
    "language": frozenset({"category", "typical_speakers", "script"}),
    "proficiency": frozenset({"category", "classes", "species", "subject_key", "subject_name"}),
    "alignment": frozenset({"abbreviation"}),
}
_OF_RULES = frozenset(field.name for field in fields(RuleEntry) if field.default is not MISSING)


def _rules(kind: str, path: str, **more: Any) -> Collection:
    return Collection(
        path=path,
        kind=kind,
        read=_rule_entry(kind),
        text=_text_of(rule_texts),
        constants={"kind": kind, **_lacking(RuleEntry, _OF_RULES - _OF_KIND.get(kind, frozenset()))},
        **more,
    )


_ABILITY_INDEXES: Mapping[str, str] = {word: index for index, word in ABILITIES.items()}

RULES: tuple[Collection, ...] = (
    _rules("rule", "rules"),
    _rules("rule-section", "rule-sections", needs={"parent_key": (_SECTIONS,)}),
    _rules("condition", "conditions"),
    _rules("damage-type", "damage-types"),
    _rules("weapon-property", "weapon-properties"),
    _rules("skill", "skills"),
    _rules(
        "ability-score",
        "ability-scores",
        slug=lambda index: rule_slug("ability-score", index),
        index=lambda slug: _ABILITY_INDEXES.get(slug, slug),
        # The list has the abbreviation where the entry has both.
        label=lambda index, name: ABILITIES[index].capitalize() if index in ABILITIES else name,
    ),
    _rules("magic-school", "magic-schools"),
    _rules("language", "languages"),
    _rules("proficiency", "proficiencies"),
    _rules("alignment", "alignments"),
)
"""In the order of `RULE_KINDS`."""


def _prefixed(raw: Raw) -> str:
    return f"{PREFIX}_{raw['index']}"


VOCABULARIES: Mapping[str, tuple[tuple[str, ...], Callable[[Raw], str]]] = {
    "classes": (("classes",), _prefixed),
    "character_classes": (("classes",), _prefixed),
    "species": (("races",), lambda raw: f"{PREFIX}_{species_slug(raw['index'])}"),
    "categories": (
        ("equipment-categories",),
        lambda raw: category_reference(raw["index"], str(raw.get("name"))).key,
    ),
    "properties": (("weapon-properties",), _prefixed),
    "section": (("rules", "rule-sections"), _prefixed),
}
"""The open vocabularies that lists tell: which lists, and the key of a reference."""
