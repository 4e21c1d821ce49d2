"""Guides, prompts and instructions speak of arguments that the tools have."""

import re

from graphql import GraphQLInputObjectType, get_named_type

from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.instructions import INSTRUCTIONS
from api.mcp_tools.naming import snake_case
from schema.house_prompts import HOUSE_PROMPTS
from schema.query import ROOMS, build_schema


def test_no_text_names_an_argument_that_only_graphql_has() -> None:
    schema = build_schema()
    assert schema.query_type is not None
    in_graphql: set[str] = set()
    for field in schema.query_type.fields.values():
        for name, argument in field.args.items():
            in_graphql.add(snake_case(name))
            type_ = get_named_type(argument.type)
            if isinstance(type_, GraphQLInputObjectType):
                in_graphql |= {snake_case(inner) for inner in type_.fields}
    accepted = {parameter.name for tool in catalogue_of(schema) for parameter in tool.parameters}
    # Ordinary words, and names of output fields as well.
    left_out = in_graphql - accepted - {"filter", "first", "last", "before", "not", "size", "provider"}
    assert "name_exact" in left_out
    texts = [INSTRUCTIONS, *(room.guide for room in ROOMS)]
    prompts = (*HOUSE_PROMPTS, *(prompt for room in ROOMS for prompt in room.prompts))
    texts += [prompt.write({one.name: one.name for one in prompt.arguments}) for prompt in prompts]
    named = {
        word for text in texts for word in re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`]+`", text)))
    }
    assert named & left_out == set()
