"""Species, traits, backgrounds and feats of the D&D 5e API record shape as our records."""

from __future__ import annotations

from collections.abc import Mapping

from sources.dnd.normalise_choice import (
    ProficiencyTypes,
    ability_bonuses,
    ability_minimums,
    choice,
    choices,
    equipment_choices,
    optional_choice,
    proficiencies,
    references,
    starting_equipment,
)
from sources.dnd.parsing import (
    Raw,
    index_of,
    items,
    paragraphs,
    required_integer,
    required_reference,
    required_text,
)
from sources.dnd.records import Reference
from sources.dnd.records_options import (
    Background,
    Choice,
    Feat,
    Ideal,
    Passage,
    Species,
    SpeciesTrait,
    SpeciesTraits,
    SuggestedCharacteristics,
)
from sources.dnd.vocabulary import ABILITIES, species_slug


def normalise_species(
    raw: Raw, types: ProficiencyTypes, *, document_key: str = "srd-2014", key_prefix: str = "srd"
) -> Species:
    """The species of a D&D 5e API race record. Raises MalformedRecord for a lack that it cannot do without."""
    slug = species_slug(required_text(raw, "index"))
    return Species(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")),
        subspecies_of=None,
        size=required_text(raw, "size").lower(),
        size_description=paragraphs(raw.get("size_description")),
        speed=required_integer(raw, "speed"),
        ability_bonuses=ability_bonuses(raw, "ability_bonuses"),
        ability_bonus_choice=optional_choice(raw, "ability_bonus_options"),
        age=paragraphs(raw.get("age")),
        alignment=paragraphs(raw.get("alignment")),
        languages=references(raw, "languages"),
        language_description=paragraphs(raw.get("language_desc")),
        language_choice=optional_choice(raw, "language_options"),
        proficiencies=proficiencies(raw, "starting_proficiencies", types),
        proficiency_choices=choices(raw, "starting_proficiency_options"),
    )


def normalise_subspecies(
    raw: Raw,
    species: Mapping[str, Species],
    types: ProficiencyTypes,
    *,
    document_key: str = "srd-2014",
    key_prefix: str = "srd",
) -> Species:
    """The subspecies of a D&D 5e API subrace record; `species` are those of the document, by key.

    Raises MalformedRecord for a lack that it cannot do without.
    """
    slug = species_slug(required_text(raw, "index"))
    parent = species[f"{key_prefix}_{species_slug(required_reference(raw, 'race')['index'])}"]
    return Species(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")),
        subspecies_of=parent.key,
        size=parent.size,
        size_description=None,
        speed=parent.speed,
        ability_bonuses=ability_bonuses(raw, "ability_bonuses"),
        ability_bonus_choice=None,
        age=None,
        alignment=None,
        languages=references(raw, "languages"),
        language_description=None,
        language_choice=optional_choice(raw, "language_options"),
        proficiencies=proficiencies(raw, "starting_proficiencies", types),
        proficiency_choices=(),
    )


def species_traits(raw: Raw, *, key_prefix: str = "srd") -> SpeciesTraits:
    """Which traits a race or subrace record has, in its order."""
    field = "racial_traits" if "racial_traits" in raw else "traits"
    slug = species_slug(required_text(raw, "index"))
    keys = (f"{key_prefix}_{item['index']}" for item in items(raw, field))
    return SpeciesTraits(f"{key_prefix}_{slug}", tuple(dict.fromkeys(keys)))


def normalise_trait(
    raw: Raw, position: int, types: ProficiencyTypes, *, key_prefix: str = "srd"
) -> SpeciesTrait:
    """The trait of a D&D 5e API detail record; `position` is its place in the document.

    Raises MalformedRecord for a lack that it cannot do without.
    """
    parent = index_of(raw.get("parent"))
    species = (*items(raw, "races"), *items(raw, "subraces"))
    specific = raw.get("trait_specific") or {}
    return SpeciesTrait(
        key=f"{key_prefix}_{required_text(raw, 'index')}",
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")) or "",
        position=position,
        species=tuple(
            Reference(f"{key_prefix}_{species_slug(item['index'])}", item["name"]) for item in species
        ),
        parent_key=f"{key_prefix}_{parent}" if parent else None,
        proficiencies=proficiencies(raw, "proficiencies", types),
        choice=_trait_choice(raw, specific),
        detail=_ancestry(specific),
    )


def _trait_choice(raw: Raw, specific: Raw) -> Choice | None:
    """What the trait itself lets one choose. Choices that are traits of their own lead to it by their parent."""
    if "spell_options" in specific:
        return choice(specific["spell_options"])
    return (
        optional_choice(raw, "proficiency_choices")
        or optional_choice(raw, "language_options")
        or (choice(specific) if "choose" in specific else None)
    )


def _ancestry(specific: Raw) -> str | None:
    """A draconic ancestry in the words of its table: `Acid damage; breath weapon: 30-foot line, Dexterity save`."""
    breath = specific.get("breath_weapon")
    if not isinstance(breath, Mapping):
        return None
    area = breath["area_of_effect"]
    ability = ABILITIES[breath["dc"]["dc_type"]["index"]].title()
    damage = specific["damage_type"]["name"]
    return f"{damage} damage; breath weapon: {area['size']}-foot {area['type']}, {ability} saving throw"


def normalise_background(
    raw: Raw, types: ProficiencyTypes, *, document_key: str = "srd-2014", key_prefix: str = "srd"
) -> Background:
    """The background of a D&D 5e API detail record.

    Raises MalformedRecord for a lack that it cannot do without.
    """
    slug = required_text(raw, "index")
    feature = raw.get("feature") or {}
    return Background(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")),
        feature=Passage(required_text(feature, "name"), paragraphs(feature.get("desc")) or ""),
        proficiencies=proficiencies(raw, "starting_proficiencies", types),
        language_choice=optional_choice(raw, "language_options"),
        starting_equipment=starting_equipment(raw, key_prefix),
        starting_equipment_choices=equipment_choices(raw),
        suggested_characteristics=SuggestedCharacteristics(
            personality_traits=_texts(raw, "personality_traits"),
            ideals=tuple(
                Ideal(item["desc"], tuple(alignment["index"] for alignment in item["alignments"]))
                for item in _options(raw, "ideals")
            ),
            bonds=_texts(raw, "bonds"),
            flaws=_texts(raw, "flaws"),
        ),
    )


def _options(raw: Raw, field: str) -> list[Raw]:
    return list(items((raw.get(field) or {}).get("from") or {}, "options"))


def _texts(raw: Raw, field: str) -> tuple[str, ...]:
    return tuple(str(option["string"]) for option in _options(raw, field))


def normalise_feat(raw: Raw, *, document_key: str = "srd-2014", key_prefix: str = "srd") -> Feat:
    """The feat of a D&D 5e API detail record; the points of its text are its benefits.

    Raises MalformedRecord for a lack that it cannot do without.
    """
    slug = required_text(raw, "index")
    texts = [str(text).strip() for text in items(raw, "desc")]
    return Feat(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(texts),
        prerequisites=ability_minimums(raw, "prerequisites"),
        benefits=tuple(text.removeprefix("- ") for text in texts if text.startswith("- ")),
    )
