"""Both doors over fake portals: the same house asked by GraphQL and by tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphql import GraphQLSchema
from jsonschema import Draft202012Validator

from api.execution import Executor, Operation
from api.mcp_tools.tools import Toolbox
from schema.query import build_schema
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Table
from tests.support.fake_ckan.corpus import golden_packages, identity, resource

ROWS = identity("rows of d01")
"""The resource of the dataset d01 whose rows can be asked for."""
FILE = identity("file of d01")
"""The one that is a file alone."""


@lru_cache(maxsize=1)
def _schema() -> tuple[GraphQLSchema, Toolbox]:
    schema = build_schema()
    return schema, Toolbox(schema)


@dataclass(frozen=True, slots=True)
class Doors:
    """One house behind both doors. `url` is its first portal's."""

    world: CkanWorld
    executor: Executor
    toolbox: Toolbox

    @property
    def url(self) -> str:
        return self.world.url

    async def answer(self, query: str, /, **variables: Any) -> dict[str, Any]:
        """The whole answer of an operation, errors included; `$url` is the first portal."""
        given = {"url": self.url, **variables}
        return (await self.executor.execute(Operation(query, variables=given))).formatted()

    async def graphql(self, query: str, /, **variables: Any) -> dict[str, Any]:
        """The data of an operation that must have no errors."""
        answer = await self.answer(query, **variables)
        assert "errors" not in answer, answer["errors"]
        data: dict[str, Any] = answer["data"]
        return data

    async def error(self, query: str, /, **variables: Any) -> dict[str, Any]:
        """The only error of an operation: its message and its extensions."""
        (only,) = (await self.answer(query, **variables))["errors"]
        return {"message": only["message"], **only["extensions"]}

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        spec = self.toolbox.specs[name]
        given = dict(arguments)
        if any(parameter.name == "server_url" for parameter in spec.parameters):
            given.setdefault("server_url", self.url)
        return await self.toolbox.call(spec, given, self.executor, max_bytes=60_000)

    async def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a tool call that must succeed, which fits the tool's output schema."""
        result = await self._call(name, arguments)
        assert not result.is_error, result.content
        content: dict[str, Any] = result.structured_content
        (listed,) = (tool for tool in self.toolbox.listing if tool.name == name)
        assert listed.output_schema is not None
        Draft202012Validator(listed.output_schema).validate(content)
        return content

    async def text(self, name: str, /, **arguments: Any) -> str:
        """The text block of a tool call that must succeed."""
        result = await self._call(name, arguments)
        assert not result.is_error, result.content
        text: str = result.content[0].text
        return text

    async def refusal(self, name: str, /, **arguments: Any) -> str:
        """The text of a tool call that must fail."""
        result = await self._call(name, arguments)
        assert result.is_error, result.structured_content
        text: str = result.content[0].text
        return text


@asynccontextmanager
async def ckan_doors(
    *portals: FakeCkan, named: Mapping[str, FakeCkan] | None = None, **settings: Any
) -> AsyncIterator[Doors]:
    """As `ckan_world`, with both doors over it."""
    async with ckan_world(*portals, named=named, **settings) as world:
        schema, toolbox = _schema()
        yield Doors(world, Executor(schema, scope=lambda: world.scope), toolbox)


def golden_portal() -> FakeCkan:
    """The corpus of the golden table; its first dataset has a file, and a resource with five rows."""
    packages = golden_packages()
    packages[0]["resources"] = [
        resource(
            ROWS,
            "d01",
            name="Rilevazioni orarie",
            datastore_active=True,
            size=1_572_864,
            url=f"https://ckan.example/dataset/d01/resource/{ROWS}/download/ore.csv",
        ),
        resource(FILE, "d01", name="", format="pdf", size="None", position=1),
    ]
    portal = FakeCkan(packages)
    cities = ("Milano", "Torino", "Milano", "Bari", "Lecce")
    portal.tables = {
        ROWS: Table(
            {"anno": "int", "città": "text", "valore": "numeric"},
            [
                {"anno": 2020 + number, "città": city, "valore": number + 0.5}
                for number, city in enumerate(cities)
            ],
        )
    }
    portal.groups = [
        {
            "id": identity("ambiente"),
            "name": "ambiente",
            "title": "Ambiente",
            "display_name": "Ambiente",
            "description": "",
            "image_display_url": "",
            "package_count": 2,
            "created": "2023-01-01T00:00:00.000000",
            "state": "active",
            "type": "group",
        }
    ]
    return portal
