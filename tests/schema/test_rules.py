"""`rules`, `rulebooks`, and what leads to rules, over the embedded SRD 5.1 through the executor."""

from __future__ import annotations

import pytest

from schema.node import global_id
from tests.support.seeded import Ask, data, error


async def names(ask: Ask, filter_: str, arguments: str = "first: 100") -> list[str]:
    answer = data(await ask(f"{{ rules({arguments}, filter: {{{filter_}}}) {{ nodes {{ name }} }} }}"))
    return [node["name"] for node in answer["rules"]["nodes"]]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("", 252),
        ("kind: RULE", 39),
        ("kind: RULE_SECTION", 33),
        ("not: {kind: RULE}", 213),
        ("kind: CONDITION", 15),
        ("kind: DAMAGE_TYPE", 13),
        ("kind: WEAPON_PROPERTY", 11),
        ("kind: SKILL", 18),
        ("kind: ABILITY_SCORE", 6),
        ("kind: MAGIC_SCHOOL", 8),
        ("kind: LANGUAGE", 16),
        ("kind: PROFICIENCY", 117),
        ("kind: ALIGNMENT", 9),
        ("kind: [SKILL, LANGUAGE]", 34),
        ('section: "combat"', 9),
        ('section: ["srd_combat", "Adventuring"]', 18),
        ('section: "The Order of Combat"', 1),
        ('not: {section: "combat"}', 243),
        ("section: []", 252),
        ('documents: ["srd-2014"], kind: CONDITION', 15),
        ("documents: []", 0),
        ("edition: FIVE_E_2014", 252),
    ],
)
async def test_counts(ask: Ask, filter_: str, expected: int) -> None:
    answer = data(await ask(f"{{ rules(filter: {{{filter_}}}) {{ totalCount }} }}"))
    assert answer["rules"]["totalCount"] == expected


async def test_names_keys_and_texts(ask: Ask) -> None:
    assert await names(ask, 'name: "blind"') == ["Blinded"]
    assert await names(ask, 'nameExact: "COVER"') == ["Cover"]
    assert await names(ask, 'key: ["srd_prone", "dexterity"]') == ["Dexterity", "Prone"]
    assert await names(ask, 'search: "arrow slit", kind: RULE') == ["Cover"]
    assert await names(ask, 'search: "legerdemain"') == ["Sleight of Hand", "Using Each Ability"]


async def test_orders(ask: Ask) -> None:
    assert await names(ask, "kind: [SKILL, CONDITION]", "first: 1, orderBy: [{field: KIND}]") == ["Blinded"]
    last = "first: 1, orderBy: [{field: NAME, direction: DESC}]"
    assert await names(ask, "kind: SKILL", last) == ["Survival"]


async def test_a_rule_with_its_sections_and_a_section_with_its_rule(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ rules(filter: {key: ["spellcasting", "casting-a-spell"]}) { nodes {
                 __typename id key kind { key name } description document { key } source { licence }
                 ... on Rule { parent { key } sections { name description } } } } }"""
        )
    )
    section, rule = answer["rules"]["nodes"]
    texts = [part.pop("description") for part in rule["sections"]]
    assert [text.split(".")[0] for text in texts] == [
        "A spell is a discrete magical effect, a single shaping of the magical energies that suffuse the multiverse"
        " into a specific, limited expression",
        "When a character casts any spell, the same basic rules are followed, regardless of the character's class "
        "or the spell's effects",
    ]
    assert section.pop("description") == texts[1]
    assert rule.pop("description").startswith("Magic permeates fantasy gaming worlds")
    shared = {"__typename": "Rule", "document": {"key": "srd-2014"}, "source": {"licence": "CC-BY-4.0"}}
    assert rule == shared | {
        "id": global_id("Rule", "srd_spellcasting"),
        "key": "srd_spellcasting",
        "kind": {"key": "rule", "name": "Rule"},
        "parent": None,
        "sections": [{"name": "What Is a Spell?"}, {"name": "Casting a Spell"}],
    }
    assert section == shared | {
        "id": global_id("Rule", "srd_casting-a-spell"),
        "key": "srd_casting-a-spell",
        "kind": {"key": "rule-section", "name": "Rule Section"},
        "parent": {"key": "srd_spellcasting"},
        "sections": [],
    }


async def test_every_part_of_a_term(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ rules(filter: {key: ["stealth", "dexterity", "undercommon", "lawful-evil", "longswords"]}) { nodes {
                 ... on ReferenceEntry { name kind { key } abbreviation category script typicalSpeakers
                 ability { name } skills { name ability { abbreviation } } classes { key } species { name }
                 subject { key name } } } } }"""
        )
    )
    found = {
        node["name"]: {name: value for name, value in node.items() if value}
        for node in answer["rules"]["nodes"]
    }
    assert found == {
        "Stealth": {"name": "Stealth", "kind": {"key": "skill"}, "ability": {"name": "Dexterity"}},
        "Dexterity": {
            "name": "Dexterity",
            "kind": {"key": "ability-score"},
            "abbreviation": "DEX",
            "skills": [
                {"name": name, "ability": {"abbreviation": "DEX"}}
                for name in ("Acrobatics", "Sleight of Hand", "Stealth")
            ],
        },
        "Undercommon": {
            "name": "Undercommon",
            "kind": {"key": "language"},
            "category": "Exotic",
            "script": "Elvish",
            "typicalSpeakers": ["Underdark traders"],
        },
        "Lawful Evil": {"name": "Lawful Evil", "kind": {"key": "alignment"}, "abbreviation": "LE"},
        "Longswords": {
            "name": "Longswords",
            "kind": {"key": "proficiency"},
            "category": "Weapons",
            "classes": [{"key": "srd_bard"}, {"key": "srd_rogue"}],
            "species": [{"name": "High Elf"}],
            "subject": {"key": "srd_longsword", "name": "Longsword"},
        },
    }


async def test_a_creature_s_immunities_lead_to_the_conditions(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ creatures(filter: {key: ["ghoul", "zombie"]}) { nodes { name conditionImmunities {
                 key name condition { __typename id name description } } } } }"""
        )
    )
    ghoul, zombie = answer["creatures"]["nodes"]
    assert [item["key"] for item in ghoul["conditionImmunities"]] == ["poisoned", "charmed", "exhaustion"]
    poisoned = {
        "key": "poisoned",
        "name": "Poisoned",
        "condition": {
            "__typename": "Condition",
            "id": global_id("Condition", "srd_poisoned"),
            "name": "Poisoned",
            "description": "- A poisoned creature has disadvantage on attack rolls and ability checks.",
        },
    }
    assert zombie["conditionImmunities"] == [poisoned]
    assert ghoul["conditionImmunities"][0] == poisoned


async def test_rules_are_found_again_by_their_ids(ask: Ask) -> None:
    answer = data(
        await ask(
            "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on RuleEntry { name } } }",
            ids=[
                global_id("Condition", "srd_prone"),
                global_id("Rule", "srd_prone"),
                global_id("Rule", "srd_cover"),
                global_id("ReferenceEntry", "srd_fire"),
                global_id("DndDocument", "srd-2014"),
                global_id("DndDocument", "srd-1999"),
            ],
        )
    )
    assert answer["nodes"] == [
        {"__typename": "Condition", "name": "Prone"},
        None,
        {"__typename": "Rule", "name": "Cover"},
        {"__typename": "ReferenceEntry", "name": "Fire"},
        {"__typename": "DndDocument"},
        None,
    ]


@pytest.mark.parametrize(
    ("filter_", "argument", "says"),
    [
        ('section: "combatt"', "filter.section", "Did you mean `srd_combat`"),
        ('section: "blinded"', "filter.section", "does not know `blinded`"),
        ('key: "blindet"', "filter.key", "Did you mean `srd_blinded`"),
    ],
)
async def test_bad_input_is_named(ask: Ask, filter_: str, argument: str, says: str) -> None:
    problem = error(await ask(f"{{ rules(filter: {{{filter_}}}) {{ totalCount }} }}"))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == argument
    assert says in problem["message"]


async def test_the_rulebook_in_full(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ rulebooks(orderBy: [{field: PUBLISHER}, {field: EDITION}]) { totalCount
                 pageInfo { hasNextPage hasPreviousPage }
                 edges { cursor node { id key name publisher edition { key name } licence licenceUrl url attribution
                 source
                 counts { kind count } } } provenance { source complete scanned } } }"""
        )
    )
    rulebooks = answer["rulebooks"]
    (edge,) = rulebooks.pop("edges")
    book = edge["node"]
    counts = {item["kind"]: item["count"] for item in book.pop("counts")}
    assert (counts["spell"], counts["creature"], counts["magic-item"], counts["condition"]) == (
        319,
        334,
        362,
        15,
    )
    assert sum(counts.values()) == 319 + 334 + 599 + 252 + 39  # and the character options
    assert book.pop("attribution").startswith("This work includes material taken from")
    assert book == {
        "id": global_id("DndDocument", "srd-2014"),
        "key": "srd-2014",
        "name": "System Reference Document 5.1",
        "source": "embedded",
        "publisher": "Wizards of the Coast",
        "edition": {"key": "5e-2014", "name": "5e (2014)"},
        "licence": "CC-BY-4.0",
        "licenceUrl": "https://creativecommons.org/licenses/by/4.0/legalcode",
        "url": "https://dnd.wizards.com/resources/systems-reference-document",
    }
    assert rulebooks == {
        "totalCount": 1,
        "pageInfo": {"hasNextPage": False, "hasPreviousPage": False},
        "provenance": {"source": "dnd", "complete": True, "scanned": 1},
    }


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ('publisher: "wizards of the coast"', 1),
        ('licence: "cc-by-4.0"', 1),
        ('source: "embedded"', 1),
        ('not: {source: "embedded"}', 0),
        ("edition: FIVE_E_2014", 1),
        ("edition: FIVE_E_2024", 0),
        ("edition: [FIVE_E_2024, FIVE_E_2014]", 1),
        ('key: "srd-2014"', 1),
        ("key: []", 0),
        ('name: "reference"', 1),
        ('name: "monster"', 0),
        ('nameExact: "system reference document 5.1"', 1),
        ('not: {licence: "CC-BY-4.0"}', 0),
    ],
)
async def test_rulebooks_by_publisher_licence_and_edition(ask: Ask, filter_: str, expected: int) -> None:
    answer = data(await ask(f"{{ rulebooks(filter: {{{filter_}}}) {{ totalCount nodes {{ key }} }} }}"))
    assert answer["rulebooks"]["totalCount"] == expected
    assert len(answer["rulebooks"]["nodes"]) == expected


async def test_an_edition_without_a_rulebook_is_told(ask: Ask) -> None:
    answer = data(
        await ask("{ rulebooks(filter: {edition: FIVE_E_2024}) { provenance { complete warnings } } }")
    )
    provenance = answer["rulebooks"]["provenance"]
    assert provenance["complete"] is False
    assert provenance["warnings"][0] == "No document of edition 5e-2024 is held here."


async def test_an_unknown_publisher_is_refused(ask: Ask) -> None:
    problem = error(await ask('{ rulebooks(filter: {publisher: "Wizards"}) { totalCount } }'))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == "filter.publisher"
    assert problem["extensions"]["allowed"] == ["Wizards of the Coast"]
