"""The three kinds of field: what a query reads, and that batch fields are asked once a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields as dataclass_fields
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType, is_introspection_type

from api.execution import Executor, Operation
from api.opening import open_house
from api.settings import Settings
from schema.dnd import types_equipment, types_rules
from schema.dnd.filters import CreatureFilter, SpellFilter
from schema.dnd.filters_equipment import EquipmentFilter, RuleFilter
from schema.dnd.filters_options import CharacterOptionFilter
from schema.fields import Batch, kind_of
from schema.filtering import METADATA_KEY, Condition
from schema.query import ROOMS, build_schema
from sources.criteria import Op
from sources.database import Database, Statement
from sources.dnd.maps import CREATURES, SPELLS
from sources.dnd.maps_equipment import EQUIPMENT, RULES
from sources.dnd.maps_options import (
    CHARACTER_OPTIONS,
    CLASS_FEATURES,
    CLASS_LEVELS,
    CLASS_SPELLS,
    SPECIES_TRAITS,
    SUBCLASS_SPELLS,
    TRAITS,
)
from sources.table_map import TableMap


@pytest.mark.parametrize(
    ("input_", "map_"),
    [
        (SpellFilter, SPELLS),
        (CreatureFilter, CREATURES),
        (EquipmentFilter, EQUIPMENT),
        (RuleFilter, RULES),
        (CharacterOptionFilter, CHARACTER_OPTIONS),
    ],
)
def test_every_filter_field_asks_for_something_that_is_stored(input_: type[Any], map_: TableMap) -> None:
    # These become conditions on the document, and on the key or the parent.
    settled = {"edition", "section"}
    for field in dataclass_fields(input_):
        condition: Condition | None = field.metadata.get(METADATA_KEY)
        if condition is None:
            assert field.name in ("any_of", "not_")
        elif condition.op is Op.HAS_ANY:
            assert condition.attribute in map_.facets
        elif condition.op is Op.MATCHES:
            assert condition.attribute in map_.texts
        elif condition.attribute not in settled:
            assert condition.attribute in map_.columns


def test_every_column_that_a_field_needs_is_stored() -> None:
    schema = build_schema()
    for name, map_ in (
        ("Spell", SPELLS),
        ("Spell", CLASS_SPELLS),
        ("Spell", SUBCLASS_SPELLS),
        ("Creature", CREATURES),
        *((name, CHARACTER_OPTIONS) for name in ("CharacterClass", "Subclass", "Species")),
        *((name, CHARACTER_OPTIONS) for name in ("Background", "Feat")),
        *((name, EQUIPMENT) for name in types_equipment.KINDS),
        *((name, RULES) for name in types_rules.KINDS),
        ("ClassFeature", CLASS_FEATURES),
        ("ClassLevel", CLASS_LEVELS),
        ("SpeciesTrait", TRAITS),
        ("SpeciesTrait", SPECIES_TRAITS),
    ):
        type_ = schema.type_map[name]
        assert isinstance(type_, GraphQLObjectType)
        for field_name, field in type_.fields.items():
            assert set(kind_of(field, field_name).columns) <= set(map_.columns), field_name


def test_no_type_checks_of_strawberry_are_left() -> None:
    schema = build_schema()
    for type_ in schema.type_map.values():
        if is_introspection_type(type_):
            continue
        if isinstance(type_, GraphQLObjectType):
            assert type_.is_type_of is None
        if isinstance(type_, GraphQLInterfaceType | GraphQLUnionType):
            assert type_.resolve_type is not None


def test_every_node_type_can_be_fetched() -> None:
    schema = build_schema()
    node = schema.type_map["Node"]
    assert isinstance(node, GraphQLInterfaceType)
    fetched = {name for room in ROOMS for name in room.nodes}
    assert {type_.name for type_ in schema.get_possible_types(node)} == fetched


async def statements(settings: Settings, query: str, **variables: object) -> list[str]:
    """The statements that a query runs the second time, when the small vocabularies are held."""
    sql: list[str] = []
    async with open_house(settings) as house:
        executor = Executor(build_schema(), scope=lambda: house.scope)
        assert not (await executor.execute(Operation(query, variables=variables))).errors
        fetch = house.database.fetch

        async def kept(
            _: Database, statement: Statement, params: Sequence[object] = ()
        ) -> list[tuple[Any, ...]]:
            sql.append(statement.sql)
            return await fetch(statement, params)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(house.database), "fetch", kept)
            assert not (await executor.execute(Operation(query, variables=variables))).errors
    # The data's version is read before and after, so that an answer is of one version; the second is left out.
    if len(sql) > 1 and sql[-1] == sql[0]:
        sql.pop()
    return sql


async def test_only_the_selected_columns_are_read(seeded_settings: Settings) -> None:
    sql = await statements(seeded_settings, "{ spells(first: 3) { nodes { name components { verbal } } } }")
    (select,) = [text for text in sql if "FROM dnd_spell" in text]
    assert "dnd_spell.verbal" in select
    assert "dnd_spell.description" not in select
    assert "dnd_document" not in select


@pytest.mark.parametrize("first", [1, 20, 100])
async def test_a_batch_field_does_not_grow_the_statements(seeded_settings: Settings, first: int) -> None:
    query = f"{{ creatures(first: {first}) {{ nodes {{ name document {{ name }} actions {{ name }} }} }} }}"
    assert len(await statements(seeded_settings, query)) == 2  # the data's version, and the page


NESTED = """
query($key: [String!]) { characterOptions(first: 12, filter: {kind: CLASS, key: $key}) { nodes { name
  document { name }
  ... on CharacterClass {
    spells { name characterClasses { name } }
    levels { level features { name choices { name } } }
    subclasses { name parentClass { name } spells { name } grantedSpells { spell { name } }
      features(levelMax: 10) { name characterClass { name } } }
  } } } }"""


async def test_nested_lists_of_all_classes_take_the_statements_of_one(seeded_settings: Settings) -> None:
    one = await statements(seeded_settings, NESTED, key=["srd_cleric"])
    all_ = await statements(seeded_settings, NESTED)
    # The data's version, the page, and one a batch field below it.
    assert len(one) == len(all_) == 2 + 11
    assert [text.partition("WHERE")[0] for text in sorted(one)] == [
        text.partition("WHERE")[0] for text in sorted(all_)
    ]


async def test_only_what_the_types_of_an_interface_need_is_read(seeded_settings: Settings) -> None:
    query = """{ characterOptions { nodes { name ... on Species { speed } ... on Feat { benefits } } } }"""
    _, select = await statements(seeded_settings, query)
    columns, _, _ = select.partition("FROM")
    read = {column.split(".")[1].split()[0] for column in columns.removeprefix("SELECT ").split(",")}
    assert read == {"benefits", '"key"', "kind", "name", "name_folded", "speed"}


async def test_a_count_is_made_only_when_asked_for(seeded_settings: Settings) -> None:
    page = await statements(seeded_settings, "{ spells { nodes { key } } }")
    assert not any("count(" in text.lower() for text in page)
    count = await statements(seeded_settings, "{ spells { totalCount } }")
    assert len(count) == 2
    assert "count(" in count[1].lower()


def test_batch_fields_are_declared_as_such() -> None:
    schema = build_schema()
    spell = schema.type_map["Spell"]
    assert isinstance(spell, GraphQLObjectType)
    assert isinstance(kind_of(spell.fields["document"], "document"), Batch)


async def test_of_an_interface_the_columns_of_all_its_types_are_read(seeded_settings: Settings) -> None:
    query = """{ equipment(first: 5) { nodes {
        name ... on Weapon { damageDice } ... on Armor { armorClass { base } } } } }"""
    (select,) = [text for text in await statements(seeded_settings, query) if "FROM dnd_equipment" in text]
    for column in ("name", "kind", "damage_dice", "armor_class_base"):
        assert f"dnd_equipment.{column}" in select
    for column in ("description", "rarity", "contents"):
        assert f"dnd_equipment.{column}" not in select


LEVELS = {
    "a weapon's properties": (
        "{ equipment(first: FIRST, filter: {kind: WEAPON}) { nodes { ... on Weapon { properties { name } } } } }",
        3,
    ),
    "a pack's contents, of any kind": (
        '{ equipment(first: FIRST, filter: {category: "equipment-pack"}) { nodes {'
        " ... on AdventuringGear { contents { item { name ... on AdventuringGear { capacity } } } } } } }",
        3,
    ),
    "a magic item's variants, and back": (
        "{ equipment(first: FIRST, filter: {kind: MAGIC_ITEM}) { nodes {"
        " ... on MagicItem { variants { name variantOf { name } } } } } }",
        4,
    ),
    "a rule's sections, and back": (
        "{ rules(first: FIRST, filter: {kind: RULE}) { nodes {"
        " ... on Rule { sections { name parent { name } } } } } }",
        4,
    ),
    "a skill's ability with all its skills": (
        "{ rules(first: FIRST, filter: {kind: SKILL}) { nodes {"
        " ... on ReferenceEntry { ability { name skills { name } } } } } }",
        4,
    ),
    "a creature's condition immunities": (
        "{ creatures(first: FIRST, filter: {type: UNDEAD}) { nodes {"
        " conditionImmunities { condition { name description } } } } }",
        3,
    ),
    "a document's counts": ("{ rulebooks(first: FIRST) { nodes { counts { kind } } } }", 2),
}
"""Queries with nested fields, and how many statements they take: the data's version, and one a level."""


@pytest.mark.parametrize("first", [7, 100])
@pytest.mark.parametrize(("query", "count"), LEVELS.values(), ids=LEVELS)
async def test_nested_fields_take_one_statement_a_level(
    seeded_settings: Settings, query: str, count: int, first: int
) -> None:
    assert len(await statements(seeded_settings, query.replace("FIRST", str(first)))) == count
