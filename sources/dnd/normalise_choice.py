"""Proficiencies, choices, equipment and abilities as the records of character options hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sources.dnd.parsing import MalformedRecord, Raw, index_of, items, record_name, required_integer
from sources.dnd.records import Reference
from sources.dnd.records_options import (
    AbilityBonus,
    AbilityMinimum,
    Choice,
    Proficiency,
    StartingEquipment,
)
from sources.dnd.vocabulary import ABILITIES

ProficiencyTypes = Mapping[str, str]
"""The type of each proficiency, by its index; options refer to proficiencies without their types."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SAVING_THROW = "saving-throw-"


def proficiency_types(raws: Iterator[Raw]) -> ProficiencyTypes:
    """The types of all proficiency records."""
    return {str(raw["index"]): str(raw["type"]) for raw in raws}


def ability_key(raw: Raw, reference: object) -> str:
    """The key of the ability that a record refers to. Raises MalformedRecord when it is none."""
    ability = ABILITIES.get(index_of(reference) or "")
    if ability is None:
        raise MalformedRecord(record_name(raw), "ability_score", "is not one of the six abilities")
    return ability


def references(raw: Raw, field: str) -> tuple[Reference, ...]:
    """The references at `field`, their keys as they are."""
    return tuple(Reference(item["index"], item["name"]) for item in items(raw, field))


def proficiencies(raw: Raw, field: str, types: ProficiencyTypes) -> tuple[Proficiency, ...]:
    """The proficiencies at `field`, without saving throws: records list those by themselves as well."""
    return tuple(
        Proficiency(item["index"], item["name"], types.get(item["index"], "Other"))
        for item in items(raw, field)
        if not str(item["index"]).startswith(_SAVING_THROW)
    )


def ability_minimums(raw: Raw, field: str) -> tuple[AbilityMinimum, ...]:
    """The ability scores that must be reached."""
    return tuple(_minimum(raw, item) for item in items(raw, field))


def _minimum(raw: Raw, item: Raw) -> AbilityMinimum:
    return AbilityMinimum(
        ability_key(raw, item.get("ability_score")), required_integer(item, "minimum_score")
    )


def minimums_of_choice(raw: Raw, choice: Raw) -> tuple[AbilityMinimum, ...]:
    """The ability scores of which one must be reached."""
    return tuple(_minimum(raw, option) for option in _options(choice))


def ability_bonuses(raw: Raw, field: str) -> tuple[AbilityBonus, ...]:
    """What is added to ability scores."""
    return tuple(
        AbilityBonus(ability_key(raw, item.get("ability_score")), required_integer(item, "bonus"))
        for item in items(raw, field)
    )


def starting_equipment(raw: Raw, key_prefix: str) -> tuple[StartingEquipment, ...]:
    """The equipment that is not a matter of choice."""
    return tuple(
        StartingEquipment(
            f"{key_prefix}_{item['equipment']['index']}",
            item["equipment"]["name"],
            required_integer(item, "quantity"),
        )
        for item in items(raw, "starting_equipment")
    )


def equipment_choices(raw: Raw) -> tuple[str, ...]:
    """The equipment that is a matter of choice, in words."""
    return tuple(_equipment_choice(item) for item in items(raw, "starting_equipment_options"))


def _equipment_choice(choice: Raw) -> str:
    if choice.get("desc"):
        return str(choice["desc"])
    category = choice["from"]["equipment_category"]["name"]
    return f"{_NUMBERS[required_integer(choice, 'choose')]} of: {category}"


def choices(raw: Raw, field: str) -> tuple[Choice, ...]:
    """The choices at `field`, a single one or a list of them."""
    value = raw.get(field)
    found = [value] if isinstance(value, Mapping) else items(raw, field)
    return tuple(choice(item) for item in found)


def optional_choice(raw: Raw, field: str) -> Choice | None:
    """The choice at `field`; null without one."""
    value = raw.get(field)
    return choice(value) if isinstance(value, Mapping) else None


def choice(raw: Raw) -> Choice:
    """A choice with everything that can be taken, choices inside it included."""
    choose = required_integer(raw, "choose")
    options = tuple(dict.fromkeys(_leaves(raw)))
    return Choice(choose, _description(raw, choose, options), options)


def _description(raw: Raw, choose: int, options: tuple[Reference, ...]) -> str:
    number = _NUMBERS[choose]
    text = str(raw.get("desc") or "").strip()
    if text:
        return f"Choose {number} {text}" if text[0].islower() else text
    bonuses = {option["bonus"] for option in _options(raw) if "bonus" in option}
    if bonuses:
        return f"Choose {number} abilities to increase by {min(bonuses)}"
    names = [option.name.removeprefix("Skill: ") for option in options]
    if not names:
        return f"Choose any {number} {raw.get('type') or 'of them'}"
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, and {names[-1]}"
    return f"Choose {number} from {listed}"


def _options(raw: Raw) -> list[Raw]:
    source = raw.get("from")
    options = source.get("options") if isinstance(source, Mapping) else None
    return [option for option in options or () if isinstance(option, Mapping)]


def _leaves(raw: Raw) -> Iterator[Reference]:
    for option in _options(raw):
        if option.get("option_type") == "choice":
            yield from _leaves(option["choice"])
        elif option.get("option_type") == "ability_bonus":
            ability = ability_key(option, option.get("ability_score"))
            yield Reference(ability, ability.title())
        else:
            yield Reference(option["item"]["index"], option["item"]["name"])
