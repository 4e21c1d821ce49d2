"""Known slips in records of the D&D 5e API shape, each put right by the words of the SRD 5.1 itself.

A correction replaces one value, and only while that value is still the wrong one, so a source that mends its
slip is left alone; a test then says that the correction has become idle. Slips that a general rule mends need
no entry: experience points come from the challenge rating table, padding of attack bonuses is dropped, saves
and damage types that a record leaves out are read from its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from sources.dnd.parsing import Raw

Kind = Literal[
    "spell",
    "creature",
    "equipment",
    "magic-item",
    "skill",
    "rule-section",
    "class",
    "subclass",
    "feature",
    "trait",
    "feat",
]
Step = str | int
ABSENT: Any = object()
"""Stands for a field that is not there, before or after a correction."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One slip of one record.

    - `kind`, `index`: the record, by its index in the D&D 5e API
    - `path`: the way to the value; a text selects a key, or in a list the entry of that name
    - `wrong`, `right`: the value before and after; `ABSENT` where there is none, as behind the end of a list
    - `within`: `wrong` is a part of a text, and that part alone is replaced
    - `reason`: what shows the slip
    """

    kind: Kind
    index: str
    path: tuple[Step, ...]
    wrong: Any
    right: Any
    reason: str
    within: bool = False

    def apply(self, raw: dict[str, Any]) -> bool:
        """Corrects `raw` in place; whether anything changed."""
        place: Any = raw
        for step in self.path[:-1]:
            place = _step(place, step)
        last = self.path[-1]
        found = _step(place, last)
        if self.within:
            if not isinstance(found, str) or self.wrong not in found:
                return False
            place[last] = found.replace(self.wrong, self.right)
            return True
        if found is ABSENT and isinstance(place, dict) and self.wrong is ABSENT:
            place[last] = deepcopy(self.right)
            return True
        if found is ABSENT and isinstance(place, list) and self.wrong is ABSENT and last == len(place):
            place.append(deepcopy(self.right))
            return True
        if found is ABSENT or _without_links(found) != _without_links(self.wrong):
            return False
        if self.right is ABSENT:
            del place[last]
        else:
            place[last] = deepcopy(self.right)
        return True


def _without_links(value: Any) -> Any:
    """The value without the addresses in it, which name the edition in the API and do not in the package."""
    if isinstance(value, Mapping):
        return {name: _without_links(item) for name, item in value.items() if name != "url"}
    return [_without_links(item) for item in value] if isinstance(value, list) else value


def _step(place: Any, step: Step) -> Any:
    """What `step` leads to from `place`, or ABSENT."""
    if isinstance(place, Mapping):
        return place.get(step, ABSENT)
    if isinstance(place, list):
        if isinstance(step, int):
            return place[step] if step < len(place) else ABSENT
        return next(
            (item for item in place if isinstance(item, Mapping) and item.get("name") == step), ABSENT
        )
    return ABSENT


def corrected(kind: str, raw: Raw) -> dict[str, Any]:
    """A deep copy of a raw record with its known slips put right; the record itself stays as it is."""
    copy = deepcopy(dict(raw))
    for correction in _BY_RECORD.get((kind, str(raw.get("index"))), ()):
        correction.apply(copy)
    return copy


def _spell(index: str, path: tuple[Step, ...], wrong: Any, right: Any, reason: str) -> Correction:
    return Correction("spell", index, path, wrong, right, reason)


def _spell_text(index: str, path: tuple[Step, ...], wrong: str, right: str, reason: str) -> Correction:
    return Correction("spell", index, path, wrong, right, reason, within=True)


def _dice(index: str, field: str, name: str, wrong: str, right: str) -> Correction:
    path = (field, name, "damage", 0, "damage_dice")
    return Correction("creature", index, path, wrong, right, f"its own text says {right}")


def _type(index: str, name: str, wrong: str, right: str) -> Correction:
    path = ("actions", name, "damage", 0, "damage_type", "index")
    return Correction("creature", index, path, wrong, right, f"its own text says {right} damage")


def _half(index: str, field: str, name: str) -> Correction:
    path = (field, name, "dc", "success_type")
    return Correction("creature", index, path, "none", "half", "its own text halves the damage on a success")


def _misprint(index: str, name: str, wrong: str, right: str, field: str = "actions") -> Correction:
    return Correction("creature", index, (field, name, "desc"), wrong, right, "misread print", within=True)


def _reaction(index: str, condition: str) -> Correction:
    return _spell(
        index,
        ("casting_time",),
        "1 reaction",
        f"1 reaction, which you take {condition}",
        "the SRD prints the condition with the casting time",
    )


def _slots(first: int, dice: str, extra: int, sides: int, bonus: str = "") -> dict[str, str]:
    """Dice by slot level from the spell's own level to 9: `dice` dice, `extra` more for each slot above."""
    return {str(slot): f"{int(dice) + extra * (slot - first)}d{sides}{bonus}" for slot in range(first, 10)}


def _damage_type(index: str) -> dict[str, str]:
    """A reference to a type of damage, as records write it."""
    return {"index": index, "name": index.capitalize(), "url": f"/api/damage-types/{index}"}


_SLOT_TABLE = ("damage", "damage_at_slot_level")
_HIGHER = ("higher_level",)
_UPCAST = "the table stops at the spell's own level, while its text adds dice for each slot above"

CORRECTIONS: tuple[Correction, ...] = (
    # Dice by level.
    *(
        _spell("magic-missile", (*_SLOT_TABLE, str(slot)), "1d4 + 1", f"{slot + 2}d4 + {slot + 2}",
               "dice of one dart; a slot makes two darts more than its level")
        for slot in range(1, 10)
    ),
    *(
        _spell("eldritch-blast", ("damage", "damage_at_character_level", level), "1d10", f"{beams}d10",
               f"dice of one beam; at level {level} there are {beams}")
        for level, beams in (("5", 2), ("11", 3), ("17", 4))
    ),
    _spell("scorching-ray", _SLOT_TABLE, {"2": "2d6"}, _slots(2, "6", 2, 6),
           "dice of one ray; a slot makes one ray more than its level"),
    _spell("freezing-sphere", _SLOT_TABLE, {"6": "10d6"}, _slots(6, "10", 1, 6), _UPCAST),
    _spell("disintegrate", _SLOT_TABLE, {"6": "10d6 + 40"}, _slots(6, "10", 3, 6, " + 40"), _UPCAST),
    _spell("wall-of-fire", _SLOT_TABLE, {"4": "5d8"}, _slots(4, "5", 1, 8), _UPCAST),
    _spell("phantasmal-killer", _SLOT_TABLE, {"4": "4d10"}, _slots(4, "4", 1, 10), _UPCAST),
    _spell("spirit-guardians", ("damage",), ABSENT, {"damage_at_slot_level": _slots(3, "3", 1, 8)},
           "its text deals 3d8 damage, and 1d8 more for each slot above 3rd"),
    _spell("sleep", ("damage",), {"damage_at_slot_level": {"1": "5d8"}}, ABSENT,
           "the 5d8 count hit points put to sleep; the spell deals no damage"),
    # What sets a reaction off.
    _reaction("counterspell", "when you see a creature within 60 feet of you casting a spell"),
    _reaction("feather-fall", "when you or a creature within 60 feet of you falls"),
    _reaction("hellish-rebuke",
              "in response to being damaged by a creature within 60 feet of you that you can see"),
    _reaction("shield", "when you are hit by an attack or targeted by the magic missile spell"),
    # Texts that lost a part or were garbled.
    _spell("magic-mouth", ("material",),
           "A honeycomb and jade dust of at least 10 inches, the spell consumes.",
           "A small bit of honeycomb and jade dust worth at least 10 gp, which the spell consumes.",
           "the price was misread as a length"),
    _spell("animal-friendship", _HIGHER, ABSENT,
           ["When you cast this spell using a spell slot of 2nd level or higher, you can affect one "
            "additional beast for each slot level above 1st."], "the paragraph is missing"),
    _spell_text("conjure-animals", (*_HIGHER, 0), "three times as many with a 7th-level.",
                "three times as many with a 7th-level slot, and four times as many with a 9th-level slot.",
                "the end of the sentence is missing"),
    _spell("dominate-beast", _HIGHER,
           ["When you cast this spell with a 9th level spell slot, the duration is concentration, up to 8 "
            "hours."],
           ["When you cast this spell with a 5th-level spell slot, the duration is concentration, up to 10 "
            "minutes. When you use a 6th-level spell slot, the duration is concentration, up to 1 hour. When "
            "you use a spell slot of 7th level or higher, the duration is concentration, up to 8 hours."],
           "the text of a higher domination spell"),
    _spell("shatter", _HIGHER,
           ["When you cast this spell using a 3 or higher level spell slot, the damage of the spell "
            "increases by 1d8 for each level of higher spell slot 2."],
           ["When you cast this spell using a spell slot of 3rd level or higher, the damage increases by 1d8 "
            "for each slot level above 2nd."], "garbled"),
    _spell_text("moonbeam", (*_HIGHER, 0), "1dl0", "1d10", "misread print"),
    _spell_text("animal-messenger", (*_HIGHER, 0), "3nd level", "3rd level", "misread print"),
    _spell_text("symbol", ("desc", 5), "10d 10", "10d10", "misread print"),
    _spell_text("fire-shield", ("desc", 2),
                "The attacker then suffers 2d8 points of fire damage or cold, depending on the model.",
                "The attacker takes 2d8 fire damage from a warm shield, or 2d8 cold damage from a cold "
                "shield.",
                "garbled"),
    _spell_text("wall-of-fire", ("desc", 2), "feet o f that side", "feet of that side", "misread print"),
    _spell("wall-of-fire", ("desc", 3), "The other side of the wall deals no damage.", ABSENT,
           "the last sentence of the paragraph before, repeated"),
    # Dice and damage types of creatures that contradict their own text.
    _dice("adult-blue-dragon", "legendary_actions", "Wing Attack (Costs 2 Actions)", "2d6+6", "2d6+7"),
    _dice("adult-copper-dragon", "legendary_actions", "Wing Attack (Costs 2 Actions)", "13d6+6", "2d6+6"),
    _dice("black-pudding", "special_abilities", "Corrosive Form", "1d8+8", "1d8"),
    _dice("ettercap", "actions", "Bite", "2d6+2", "1d8+2"),
    _dice("fire-elemental", "special_abilities", "Fire Form", "5d10", "1d10"),
    _type("ancient-red-dragon", "Bite", "bludgeoning", "piercing"),
    _type("blue-dragon-wyrmling", "Lightning Breath", "bludgeoning", "lightning"),
    _type("crocodile", "Bite", "bludgeoning", "piercing"),
    _type("death-dog", "Bite", "bludgeoning", "piercing"),
    _type("dragon-turtle", "Claw", "piercing", "slashing"),
    _type("drow", "Shortsword", "bludgeoning", "piercing"),
    _type("duergar", "Javelin", "bludgeoning", "piercing"),
    _type("eagle", "Talons", "bludgeoning", "slashing"),
    _type("ettercap", "Claws", "bludgeoning", "slashing"),
    _type("flying-snake", "Bite", "bludgeoning", "piercing"),
    _type("gibbering-mouther", "Bites", "bludgeoning", "piercing"),
    _type("hunter-shark", "Bite", "bludgeoning", "piercing"),
    _type("noble", "Rapier", "bludgeoning", "piercing"),
    _type("plesiosaurus", "Bite", "bludgeoning", "piercing"),
    _type("scorpion", "Sting", "bludgeoning", "piercing"),
    _type("solar", "Greatsword", "radiant", "slashing"),
    # Saves whose success halves the damage.
    _half("adult-red-dragon", "actions", "Fire Breath"),
    _half("ancient-white-dragon", "actions", "Cold Breath"),
    _half("green-dragon-wyrmling", "actions", "Poison Breath"),
    _half("lich", "legendary_actions", "Disrupt Life (Costs 3 Actions)"),
    _half("winter-wolf", "actions", "Cold Breath"),
    # Equipment that contradicts the SRD's weapon table, and misprints of the line below an item's name.
    Correction("equipment", "trident", ("damage", "damage_type"), _damage_type("slashing"),
               _damage_type("piercing"), "the table of weapons says piercing"),
    Correction("magic-item", "belt-of-dwarvenkind", ("desc", 0), "Wondrous Items", "Wondrous item",
               "every other item says it so", within=True),
    Correction("magic-item", "bracers-of-defense", ("desc", 0), "Wondous", "Wondrous", "misread print",
               within=True),
    Correction("magic-item", "marvelous-pigments", ("desc", 2), "weapons- that", "weapons-that", "misread print",
               within=True),
    Correction("skill", "deception", ("desc", 0), "fast- talk", "fast-talk", "misread print", within=True),
    Correction("rule-section", "using-each-ability", ("desc",), "fast- talk", "fast-talk", "misread print",
               within=True),
    # Links between features that the record lacks.
    Correction("feature", "supreme-healing", ("subclass",), ABSENT, {"index": "life", "name": "Life"},
               "the level record of the Life Domain lists it"),
    Correction("feature", "metamagic-twinned-spell", ("parent",), ABSENT,
               {"index": "metamagic-1", "name": "Metamagic"}, "its seven siblings name their parent"),
    Correction("subclass", "life", ("spells", 9), ABSENT,
               {"prerequisites": [{"index": "cleric-7", "type": "level", "name": "Cleric 7"}],
                "spell": {"index": "guardian-of-faith", "name": "Guardian of Faith"}},
               "the SRD's domain spells are two a row; the 7th-level row holds death ward alone"),
    # Kits among the artisan's tools that a monk chooses from.
    *(
        Correction(
            "class",
            "monk",
            ("proficiency_choices", 1, "from", "options", 0, "choice", "from", "options", place),
            {"option_type": "reference",
             "item": {"index": index, "name": name, "url": f"/api/proficiencies/{index}"}},
            ABSENT,
            "the SRD's table of tools lists the kits by themselves",
        )
        for place, index, name in (
            (18, "forgery-kit", "Forgery Kit"), (17, "disguise-kit", "Disguise Kit")
        )
    ),
    # Misprints of character options.
    Correction("trait", "high-elf-cantrip", ("desc", 0), "choice form the", "choice from the",
               "misread print", within=True),
    Correction("feat", "grappler", ("desc", 0), "close--quarters", "close-quarters",
               "misread print", within=True),
    # Letters read for digits, and blanks where none belong.
    _misprint("ancient-black-dragon", "Bite", "Attack:+ 15", "Attack: +15"),
    _misprint("ancient-white-dragon", "Cold Breath", "(l6d8)", "(16d8)"),
    _misprint("black-dragon-wyrmling", "Acid Breath", "(Sd8)", "(5d8)"),
    _misprint("dryad", "Club", "(1 d4)", "(1d4)"),
    _misprint("pit-fiend", "Claw", "10 ft. , one", "10 ft., one"),
    _misprint("quasit", "Shapechanger", " form . Its", " form. Its", "special_abilities"),
    _misprint("quasit", "Shapechanger", "transformed . It", "transformed. It", "special_abilities"),
    _misprint("red-dragon-wyrmling", "Fire Breath", "DC l3", "DC 13"),
    _misprint("satyr", "Shortsword", "(1 d6 + 3)", "(1d6 + 3)"),
)  # fmt: skip

_BY_RECORD: dict[tuple[str, str], list[Correction]] = {}
for _correction in CORRECTIONS:
    _BY_RECORD.setdefault((_correction.kind, _correction.index), []).append(_correction)
