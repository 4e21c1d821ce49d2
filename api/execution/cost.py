"""What an operation may cost at worst, reckoned from its text before it is run.

A field costs its own weight plus its children, and a list costs as much as its items:

- weight: `metadata={"cost": …}` of the field's definition; else 1 for an object and 0 for a leaf;
- a connection (an object type with `nodes` or `edges`) counts what is below `nodes` and `edges` once an item.
  Its size is `first` or `last`, else the argument's default, else the `limit` of the field's `@tool`, else
  `Limits.default_page`; `metadata={"page": …}` names other arguments in their place, such as `query.limit`, a field
  of an input. `edges` itself is free, so that `edges { node }` costs what `nodes` costs;
- a list counts its items by the length of an `ids` argument or by `first`, else by `metadata={"size": …}`, else by
  `Limits.assumed_list` when its items are objects;
- sizes are cut at the `@constraint` of the argument, since a larger one is refused anyway;
- introspection is free: graphql-core bounds it by a rule of its own.

It is a worst case: alternatives of a union are added up, skipped fields count, and so do fields asked for twice.
The plan of a document is a graph in which each fragment stands once, so its size is linear in the text, however
often fragments spread one another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    ArgumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    NullValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_composite_type,
    is_list_type,
)
from graphql.pyutils import Undefined
from graphql.utilities.coerce_input_value import coerce_default_value

from api.execution.limits import Limits
from schema.directives import Constraint, constraint_of, tool_of
from sources.errors import QueryTooExpensive

Variables = Mapping[str, Any]
Size = int | Callable[[Variables], int]
"""How many items a list has at worst: a number, or a function of the coerced variables."""

UNBOUNDED_SIZE = 10_000
"""Where a size argument has no `@constraint`, more than this is reckoned as this."""

PAGED = ("nodes", "edges")


@dataclass(frozen=True, slots=True)
class Reckoned:
    """The cost of one operation under its variables."""

    total: int
    dearest: str
    """Path of the field below which at least half of the cost lies; empty where root fields share it."""


@dataclass(slots=True, eq=False)
class _Node:
    """A field, or (without a name) a fragment, whose children are shared by all its spreads."""

    name: str = ""
    weight: float = 0
    repeat: Size = 1
    """How many items the field itself gives."""
    page: Size = 1
    """How often the paged children of a connection count."""
    paged: bool = False
    children: list[_Node] = field(default_factory=list)


class CostPlan:
    """The cost of one operation as a function of its variables."""

    def __init__(self, root: _Node, depends_on_variables: bool) -> None:
        self._root = root
        self._constant = None if depends_on_variables else self._reckon({})

    def reckon(self, variables: Variables) -> Reckoned:
        """The cost under coerced variables."""
        return self._constant or self._reckon(variables)

    def _reckon(self, variables: Variables) -> Reckoned:
        reckoning = _Reckoning(variables)
        total = sum(reckoning.below(self._root))
        return Reckoned(round(total), reckoning.dearest(self._root, total))


def too_dear(reckoned: Reckoned, limit: int) -> QueryTooExpensive:
    """An operation over the limit: where the cost lies, and how to get under it."""
    total = f"The operation costs {reckoned.total}; at most {limit} is allowed."
    if reckoned.dearest:
        return QueryTooExpensive(
            f"{total} Most of it lies in `{reckoned.dearest}`. Ask for fewer items there (`first`), leave out "
            "lists nested in it, or split the query."
        )
    return QueryTooExpensive(
        f"{total} Its root fields share the cost. Ask for fewer of them at once, for fewer items (`first`), or "
        "leave out nested lists."
    )


class _Reckoning:
    """One walk over a plan; each node is reckoned once."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._known: dict[int, tuple[float, float]] = {}

    def below(self, node: _Node) -> tuple[float, float]:
        """The cost of a node's children: those that count once, and those that count once an item."""
        known = self._known.get(id(node))
        if known is not None:
            return known
        plain = paged = 0.0
        for child in node.children:
            if not child.name:
                child_plain, child_paged = self.below(child)
                plain += child_plain
                paged += child_paged
            elif child.paged:
                paged += self.of(child)
            else:
                plain += self.of(child)
        self._known[id(node)] = (plain, paged)
        return plain, paged

    def of(self, node: _Node) -> float:
        """The cost of one field with everything below it."""
        plain, paged = self.below(node)
        return self._size(node.repeat) * (node.weight + plain + self._size(node.page) * paged)

    def dearest(self, root: _Node, total: float) -> str:
        """The path to the lowest field that still holds half of the total."""
        path: list[str] = []
        node, factor = root, 1.0
        while True:
            dearest, share = None, 0.0
            for child in _fields(node):
                count = factor * (self._size(node.page) if child.paged else 1)
                if count * self.of(child) > share:
                    dearest, share = child, count * self.of(child)
            if dearest is None or share * 2 < total:
                return ".".join(path)
            path.append(dearest.name)
            factor *= (self._size(node.page) if dearest.paged else 1) * self._size(dearest.repeat)
            node = dearest

    def _size(self, size: Size) -> int:
        return size if isinstance(size, int) else size(self._variables)


def _fields(node: _Node) -> list[_Node]:
    """The fields right below a node, each once, through fragments."""
    found: list[_Node] = []
    seen: set[int] = set()
    waiting = list(node.children)
    while waiting:
        child = waiting.pop()
        if id(child) in seen:
            continue
        seen.add(id(child))
        if child.name:
            found.append(child)
        else:
            waiting.extend(child.children)
    return found


class CostPlanner:
    """Makes the cost plans of one valid document."""

    def __init__(
        self, schema: GraphQLSchema, fragments: Mapping[str, FragmentDefinitionNode], limits: Limits
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._limits = limits
        self._compiled: dict[str, _Node] = {}
        self._depends_on_variables = False

    def plan(self, operation: OperationDefinitionNode) -> CostPlan:
        """The plan of one operation."""
        root = _Node()
        root_type = self._schema.get_root_type(operation.operation)
        assert root_type is not None  # Validation refuses kinds of operation that the schema lacks.
        self._compile(operation.selection_set, root_type, root)
        return CostPlan(root, self._depends_on_variables)

    def _compile(self, selection_set: SelectionSetNode, type_: GraphQLNamedType, into: _Node) -> None:
        for node in selection_set.selections:
            if isinstance(node, FieldNode):
                if not node.name.value.startswith("__"):
                    into.children.append(self._field(node, type_))
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                narrowed = self._schema.type_map[condition.name.value] if condition else type_
                self._compile(node.selection_set, narrowed, into)
            elif isinstance(node, FragmentSpreadNode):
                into.children.append(self._fragment(node.name.value))

    def _fragment(self, name: str) -> _Node:
        compiled = self._compiled.get(name)
        if compiled is None:
            compiled = self._compiled[name] = _Node()
            fragment = self._fragments[name]
            self._compile(
                fragment.selection_set, self._schema.type_map[fragment.type_condition.name.value], compiled
            )
        return compiled

    def _field(self, node: FieldNode, parent: GraphQLNamedType) -> _Node:
        assert isinstance(parent, (GraphQLObjectType, GraphQLInterfaceType))
        name = node.name.value
        definition = parent.fields[name]
        type_ = get_named_type(definition.type)
        metadata = getattr(definition.extensions.get("strawberry-definition"), "metadata", {})
        paged = name in PAGED and is_connection(parent)
        default_weight = 0 if name == "edges" and paged else int(is_composite_type(type_))
        compiled = _Node(name, metadata.get("cost", default_weight), paged=paged)
        if is_connection(type_):
            tool = tool_of(definition)
            page = (tool.limit if tool is not None else None) or self._limits.default_page
            names = metadata.get("page", ("first", "last"))
            compiled.page = self._size(node, definition, names, page)
        elif is_list_type(get_nullable_type(definition.type)) and not paged:
            assumed = self._limits.assumed_list if is_composite_type(type_) else 1
            compiled.repeat = self._size(node, definition, ("ids", "first"), metadata.get("size", assumed))
        if node.selection_set is not None:
            self._compile(node.selection_set, type_, compiled)
        return compiled

    def _size(
        self, node: FieldNode, definition: GraphQLField, names: tuple[str, ...], otherwise: int
    ) -> Size:
        given = {argument.name.value: argument for argument in node.arguments or ()}
        sizes = [
            self._argument(given.get(argument), definition.args[argument], inner)
            for argument, _, inner in (name.partition(".") for name in names)
            if argument in definition.args
        ]
        constants = [size for size in sizes if isinstance(size, int)]
        functions = [size for size in sizes if not isinstance(size, int) and size is not None]
        known = max(constants, default=None)
        if not functions:
            return otherwise if known is None else known
        self._depends_on_variables = True

        def size(variables: Variables) -> int:
            found = [known, *(function(variables) for function in functions)]
            return max((value for value in found if value is not None), default=otherwise)

        return size

    def _argument(
        self, given: ArgumentNode | None, definition: GraphQLArgument, inner: str = ""
    ) -> int | Callable[[Variables], int | None] | None:
        """How many items an argument asks for, or its field `inner`; None where it is absent and has no default."""
        constraint = constraint_of(definition)
        default = None if inner else _count(coerce_default_value(definition), constraint)
        if given is None:
            return default
        value: ValueNode = given.value
        if inner:
            type_ = get_named_type(definition.type)
            assert isinstance(type_, GraphQLInputObjectType)
            constraint = constraint_of(type_.fields[inner])
            if isinstance(value, VariableNode):
                return _within(value.name.value, inner, constraint)
            fields = value.fields if isinstance(value, ObjectValueNode) else ()
            found = next((one.value for one in fields if one.name.value == inner), None)
            if found is None:
                return None
            value = found
        if isinstance(value, VariableNode):
            name = value.name.value

            def count(variables: Variables) -> int | None:
                return _count(variables[name], constraint) if name in variables else default

            return count
        if isinstance(value, NullValueNode):
            return None
        if isinstance(value, IntValueNode):
            return _count(int(value.value), constraint)
        return _count(value.values if isinstance(value, ListValueNode) else [value], constraint)


def _within(name: str, inner: str, constraint: Constraint | None) -> Callable[[Variables], int | None]:
    """The size that a field of a variable asks for."""

    def count(variables: Variables) -> int | None:
        given = variables.get(name)
        return _count(given.get(inner), constraint) if isinstance(given, Mapping) else None

    return count


def is_connection(type_: GraphQLNamedType) -> bool:
    """Whether a type is a page of a list."""
    return isinstance(type_, GraphQLObjectType) and any(name in type_.fields for name in PAGED)


def _count(value: Any, constraint: Constraint | None) -> int | None:
    if value is None or value is Undefined:
        return None
    if isinstance(value, int):
        asked, highest = value, constraint.max if constraint else None
    else:
        asked = len(value) if isinstance(value, (list, tuple)) else 1
        highest = constraint.max_items if constraint else None
    return max(0, min(asked, int(highest) if highest is not None else UNBOUNDED_SIZE))
