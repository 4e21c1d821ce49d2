"""Prompts for D&D fifth edition."""

from __future__ import annotations

from collections.abc import Mapping

from schema.prompt import Prompt, PromptArgument

_CLASSES = ("bard", "cleric", "druid", "paladin", "ranger", "sorcerer", "warlock", "wizard")


def _find_spell(given: Mapping[str, str]) -> str:
    limits = []
    if "class" in given:
        limits.append(f"It must be on the spell list of the {given['class']} (`class_key`).")
    if "max_level" in given:
        limits.append(f"It must be of level {given['max_level']} or lower (`level_max`).")
    return "\n".join(
        [
            "Find the D&D spells that serve best in this situation:",
            "",
            given["situation"],
            "",
            *limits,
            "1. Name to yourself what the situation needs: damage of a type, protection, movement, knowledge, "
            "control, healing, deceit. Two or three needs are enough.",
            "2. For each need call `lookup_spell`. Prefer its conditions (`school`, `damage_type`, `saving_throw`, "
            "`casting_time`, `concentration`, `ritual`) over `search`, which finds whole words alone; where you do "
            "search, try one word at a time. Ask for the fields `name`, `level`, `casting_time`, `range_text`, "
            "`duration`, `concentration`.",
            "3. Read the full text of the likeliest four or five with `get_spell` before you recommend any; a "
            "name often promises more than the text holds.",
            "4. Recommend up to three, the best first. For each: its level, what it does here in one sentence, "
            "and the one thing that can go wrong (a save, concentration, range, a costly component).",
            "5. Rely on the texts that the tools returned. If none fits, say so and name the nearest. Close with "
            "the document and licence that they come from.",
        ]
    )


def _compare_creatures(given: Mapping[str, str]) -> str:
    party = given.get("party")
    against = (
        f"They are to meet this party: {party}."
        if party
        else "No party is given, so compare them with each other."
    )
    return f"""\
Compare these D&D creatures for an encounter: {given["creatures"]}

{against}

1. Find each with `lookup_creature` by `key` when you know it, else by `name`. For a description in \
place of a name, such as "something undead that flies", turn it into conditions (`type`, `speed_fly_min`, `cr_max`) \
and choose the two or three that fit best; say that you chose.
2. Read each whole with `get_creature`. Take the numbers from there and no number from memory.
3. Make one table, a column a creature: challenge rating and XP, armor class, hit points, speeds, attacks a round \
with their bonus and average damage, saving throws it forces with their DC, damage and condition immunities, senses.
4. Below it say in a sentence each: which is the most dangerous in one round, which lasts longest, what each is weak \
against, and how they would fight together.
5. {"Judge how hard the fight is for this party" if party else "Judge which party levels each suits"}, with the \
arithmetic shown. The rules text held here has no table of encounter difficulty: say which rule of thumb you used.
"""


DND_PROMPTS = (
    Prompt(
        name="find_spell_for_situation",
        title="Find a spell for a situation",
        description="Describe what is happening at the table; get the spells that help, with their catch.",
        write=_find_spell,
        arguments=(
            PromptArgument("situation", "What is happening, and what should come of it.", required=True),
            PromptArgument("class", "The class whose spell list is open.", words=_CLASSES),
            PromptArgument(
                "max_level",
                "The highest spell level there is a slot for.",
                words=tuple(str(level) for level in range(10)),
            ),
        ),
    ),
    Prompt(
        name="compare_creatures_for_encounter",
        title="Compare creatures for an encounter",
        description="Lay creatures side by side: how hard they hit, how long they last, what stops them.",
        write=_compare_creatures,
        arguments=(
            PromptArgument("creatures", "Their names, or what they should be like.", required=True),
            PromptArgument("party", "Who they meet, such as `four characters of level 5`."),
        ),
    ),
)
