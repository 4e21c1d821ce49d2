"""What a query selects is what is read: aliases, fragments, directives and merged fields included."""

from __future__ import annotations

from typing import Any

import pytest
from graphql import FieldNode, FragmentDefinitionNode, OperationDefinitionNode, parse
from graphql.execution.values import get_variable_values

from schema.query import build_schema
from schema.selection import Selection

SCHEMA = build_schema()


def selected(document: str, **variables: Any) -> Selection:
    """The selection below the only root field of a document."""
    parsed = parse(document)
    operation = next(node for node in parsed.definitions if isinstance(node, OperationDefinitionNode))
    fragments = {
        node.name.value: node for node in parsed.definitions if isinstance(node, FragmentDefinitionNode)
    }
    values = get_variable_values(SCHEMA, operation.variable_definitions or (), variables)
    assert not isinstance(values, list), values
    nodes = tuple(node for node in operation.selection_set.selections if isinstance(node, FieldNode))
    return Selection(SCHEMA, fragments, values, nodes)


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        ("name", ("name",)),
        ("other: name again: level", ("level", "name")),
        ("__typename", ()),
        ("id", ("key",)),
        ("castingTime { name }", ("casting_time", "casting_time_text")),
        ("document { name }", ("document_key",)),
        (
            "... { name } ... on Spell { level } ... on Node { id } ... on Creature { size { key } }",
            ("key", "level", "name"),
        ),
        ("...A", ("level", "name")),
        ("name @skip(if: true) level", ("level",)),
        ("name @skip(if: $yes) level @include(if: $no) ritual @include(if: $yes)", ("ritual",)),
        ("... @include(if: $no) { name } ...A @skip(if: $yes) key", ("key",)),
        ("... @include(if: $yes) { name }", ("name",)),
    ],
)
def test_columns_of_a_spell(body: str, columns: tuple[str, ...]) -> None:
    document = f"""
        query($yes: Boolean = true, $no: Boolean = false) {{ spell(key: "x") {{ {body} }} }}
        fragment A on Spell {{ name ...B }}
        fragment B on Spell {{ level }}
    """
    assert selected(document).columns("Spell") == columns


def test_variables_decide_what_is_included() -> None:
    document = 'query($all: Boolean!) { spell(key: "x") { name description @include(if: $all) } }'
    assert selected(document, all=False).columns("Spell") == ("name",)
    assert selected(document, all=True).columns("Spell") == ("description", "name")


def test_fields_of_an_interface_are_read_for_each_type_by_itself() -> None:
    selection = selected('{ node(id: "x") { id ... on Spell { level } ... on Creature { size { key } } } }')
    assert selection.columns("Spell") == ("key", "level")
    assert selection.columns("Creature") == ("key", "size")


def test_a_path_leads_through_merged_fields() -> None:
    selection = selected("{ spells { nodes { name } edges { node { level } } page: nodes { ritual } } }")
    assert selection.into("SpellConnection", "nodes").columns("Spell") == ("name", "ritual")
    assert selection.into("SpellConnection", "edges", "node").columns("Spell") == ("level",)
    assert selection.into("SpellConnection", "pageInfo").nodes == ()
    assert "edges" in selection.fields("SpellConnection")
    assert "totalCount" not in selection.fields("SpellConnection")


def test_a_field_under_two_roots_is_not_mixed_up() -> None:
    selection = selected("{ spells { nodes { name } } }")
    assert selection.merged(selected("{ spells { nodes { level } } }")).into(
        "SpellConnection", "nodes"
    ).columns("Spell") == ("level", "name")
