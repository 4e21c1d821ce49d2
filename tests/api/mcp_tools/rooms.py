"""A house of three small rooms, one of them for everywhere, for tests of groups, guides and prompts."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import strawberry
from pydantic_settings import BaseSettings

from api.execution import Executor
from api.mcp_tools.options import McpOptions
from api.mcp_tools.server import McpDoor
from resolvers.scope import Scope
from schema.directives import Tool
from schema.fields import plain, root
from schema.node import Node, id_field
from schema.prompt import Prompt, PromptArgument
from schema.query import build_schema
from schema.room import Room
from sources.source import Resources, Shelf, Source


@strawberry.type(description="A kind of leaf.")
class Leaf(Node):
    id: strawberry.ID = id_field("Leaf", "name")
    name: str = plain("Its name.")


@strawberry.type(description="A kind of bean.")
class Bean:
    name: str = plain("Its name.")


@strawberry.type(description="Something found.")
class Finding:
    name: str = plain("Its name.")


async def _no_nodes(_scope: Scope, _keys: Sequence[str], _columns: Sequence[str]) -> dict[str, Any]:
    return {}


def _none() -> None:
    return None


def _many() -> list[Any]:
    return []


Text = Annotated[str, strawberry.argument(description="What to look for.")]


def _found(text: Text) -> list[Any]:
    return []


@strawberry.type
class TeaQuery:
    leaves: list[Leaf] | None = root(
        _many, list[Leaf] | None, Tool(name="list_leaves"), "All leaves. Green ones too."
    )
    best_leaf: Leaf | None = root(_none, Leaf | None, Tool(name="get_best_leaf"), "The best leaf there is.")


@strawberry.type
class CoffeeQuery:
    beans: list[Bean] | None = root(_many, list[Bean] | None, Tool(name="list_beans"), "All beans.")


@strawberry.type
class SearchQuery:
    search: list[Finding] | None = root(
        _found, list[Finding] | None, Tool(name="search_everything"), "Whatever fits a text."
    )
    findings: list[Finding] | None = root(
        _many, list[Finding] | None, Tool(name="list_findings"), "All findings."
    )


class ToySource(Source[BaseSettings]):
    """A source that is never opened."""

    settings_type = BaseSettings

    async def open(self, resources: Resources, settings: BaseSettings) -> Shelf:
        raise NotImplementedError


def _source(name_: str, title_: str, description_: str) -> ToySource:
    class One(ToySource):
        name: ClassVar[str] = name_
        title: ClassVar[str] = title_
        description: ClassVar[str] = description_

    return One()


def brew(given: Any) -> str:
    return f"Brew {given['what']} for {given.get('minutes', 'some')} minutes."


ROOMS = (
    Room(
        source=_source("tea", "Tea", "Leaves and what to do with them."),
        query=TeaQuery,
        nodes={"Leaf": _no_nodes},
        guide="## Water\n\nNot boiling.\n",
        prompts=(
            Prompt(
                name="brew_tea",
                title="Brew tea",
                description="How to brew it.",
                write=brew,
                arguments=(
                    PromptArgument(
                        "what", "The leaf.", required=True, words=("Assam", "Oolong", "Old Man's")
                    ),
                    PromptArgument("minutes", "How long."),
                ),
            ),
        ),
    ),
    Room(source=_source("coffee", "Coffee", "Beans."), query=CoffeeQuery),
    Room(
        source=_source("search", "Search", "All of it."),
        query=SearchQuery,
        everywhere=frozenset({"search"}),
    ),
)


def rooms_door() -> McpDoor:
    """The MCP door of the three rooms."""
    schema = build_schema(ROOMS)
    executor = Executor(schema, scope=lambda: Scope(shelves={}, unopened={}))
    return McpDoor(schema, executor, McpOptions(), ROOMS)
