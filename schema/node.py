"""Global object identification: the Node interface, global IDs, and the root fields that fetch by them."""

import base64
import binascii
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import strawberry

from resolvers.scope import Scope
from schema.directives import Constraint, Tool
from schema.fields import derived, root
from schema.selection import Selection
from sources.errors import BadInput, shorten

MAX_NODES = 100

FetchNodes = Callable[[Scope, Sequence[str], Sequence[str]], Awaitable[Mapping[str, Any]]]
"""`await fetch(scope, keys, columns)`: the records that exist among `keys`, by key."""


@strawberry.interface(description="An object that can be fetched again by its global ID.")
class Node:
    id: strawberry.ID = strawberry.field(
        description="The global ID: opaque, and the same in every answer. Fetch the object again with `node`."
    )


def id_field(type_name: str, key: str = "key") -> Any:
    """The `id` field of an object type, derived from its unique column."""
    return derived(
        partial(global_id, type_name),
        key,
        description="The global ID: opaque, and the same in every answer. Fetch the object again with `node`.",
    )


def global_id(type_name: str, key: str) -> str:
    """base64url of `Type:key`, without padding."""
    return base64.urlsafe_b64encode(f"{type_name}:{key}".encode()).rstrip(b"=").decode()


def parse_global_id(id_: str, known: Mapping[str, Any], argument: str) -> tuple[str, str]:
    """The type name and key of a global ID.

    Raises `BadInput` when it is not one, or names a type that is not in `known`.
    """
    try:
        raw = base64.b64decode(id_.encode("ascii") + b"=" * (-len(id_) % 4), altchars=b"-_", validate=True)
        type_name, separator, key = raw.decode().partition(":")
    except (UnicodeError, binascii.Error):
        type_name, separator, key = "", "", ""
    if not separator or not key or type_name not in known:
        raise BadInput(
            f"`{shorten(id_)}` is not a global ID. Use the `id` of an object exactly as it was returned.",
            argument=argument,
        )
    return type_name, key


async def fetch_nodes(
    info: strawberry.Info, ids: Sequence[str], types: Mapping[str, FetchNodes], argument: str
) -> list[Any]:
    """The objects behind `ids`, in order, null where one does not exist; one call for each type."""
    selection = Selection.below(info)
    indexed = argument == "ids"
    parsed = [
        parse_global_id(id_, types, f"{argument}[{i}]" if indexed else argument) for i, id_ in enumerate(ids)
    ]
    keys_by_type: dict[str, list[str]] = defaultdict(list)
    for type_name, key in parsed:
        if key not in keys_by_type[type_name]:
            keys_by_type[type_name].append(key)
    found = {
        type_name: await types[type_name](info.context.scope, keys, selection.columns(type_name))
        for type_name, keys in keys_by_type.items()
    }
    return [found[type_name].get(key) for type_name, key in parsed]


def node_query(types: Mapping[str, FetchNodes]) -> type[Any]:
    """The root fields `node` and `nodes` over these object types."""

    async def one(
        info: strawberry.Info,
        id: Annotated[
            strawberry.ID,
            strawberry.argument(
                description="The `id` of an object, exactly as it was returned.",
                directives=[Constraint(max_length=1024)],
            ),
        ],
    ) -> Any:
        (record,) = await fetch_nodes(info, [id], types, "id")
        return record

    async def several(
        info: strawberry.Info,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(
                description="The `id` of each object, exactly as it was returned; at most 100.",
                directives=[Constraint(max_items=MAX_NODES, max_length=1024)],
            ),
        ],
    ) -> Any:
        return await fetch_nodes(info, ids, types, "ids")

    @strawberry.type
    class NodeQuery:
        node: Node | None = root(
            one,
            Node | None,
            Tool(name="get_node"),
            "Any object by its global ID; null when it no longer exists.",
        )
        nodes: list[Node | None] | None = root(
            several,
            list[Node | None] | None,
            Tool(name="get_nodes"),
            "Several objects by their global IDs, in the order asked for; null where one no longer exists.",
        )

    return NodeQuery
