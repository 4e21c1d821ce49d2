"""What a query selects: the sub-fields of one field, merged over fragments, and the columns they need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import strawberry
from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLAbstractType,
    GraphQLIncludeDirective,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    GraphQLSkipDirective,
    InlineFragmentNode,
    SelectionSetNode,
    get_directive_values,
    get_named_type,
    is_abstract_type,
    is_object_type,
)
from graphql.execution.values import VariableValues

from schema.fields import kind_of

KIND = "kind"
"""The attribute that says of which concrete type a record is, see `schema.fields.bind`."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection sets below one or more merged field nodes, read lazily for each concrete type."""

    schema: GraphQLSchema
    fragments: Mapping[str, FragmentDefinitionNode]
    variables: VariableValues
    nodes: tuple[FieldNode, ...]

    @classmethod
    def below(cls, info: strawberry.Info | GraphQLResolveInfo[Any]) -> Selection:
        """What is selected of the field that is being resolved."""
        # Strawberry shows a selection of its own making, without types; the house's one needs what is under it.
        raw: GraphQLResolveInfo[Any] = info._raw_info if isinstance(info, strawberry.Info) else info
        return cls(raw.schema, raw.fragments, raw.variable_values, tuple(raw.field_nodes))

    def fields(self, type_name: str) -> dict[str, tuple[FieldNode, ...]]:
        """The selected fields of a concrete object type, by field name (not alias), in document order."""
        found: dict[str, list[FieldNode]] = {}
        type_ = self.schema.type_map[type_name]
        for node in self.nodes:
            if node.selection_set is not None:
                self._collect(node.selection_set, type_, found, set())
        return {name: tuple(nodes) for name, nodes in found.items()}

    def into(self, type_name: str, *path: str) -> Selection:
        """What is selected below a path of fields, starting at a concrete type; empty where it is not selected."""
        selection = self
        current = self.schema.type_map[type_name]
        for name in path:
            assert isinstance(current, GraphQLObjectType)
            nodes = selection.fields(current.name).get(name, ())
            selection = Selection(self.schema, self.fragments, self.variables, nodes)
            current = get_named_type(current.fields[name].type)
        return selection

    def merged(self, other: Selection) -> Selection:
        """Both selections as one."""
        return Selection(self.schema, self.fragments, self.variables, self.nodes + other.nodes)

    def columns(self, type_name: str) -> tuple[str, ...]:
        """The attributes that a record must hold to answer this selection, sorted.

        Of an abstract type they are what any of its concrete types needs, and the `kind` that tells them apart.
        """
        types = tuple(self.types(type_name))
        needed = set() if types == (type_name,) else {KIND}
        for concrete in types:
            type_ = self.schema.type_map[concrete]
            assert isinstance(type_, GraphQLObjectType)
            for name in self.fields(concrete):
                if not name.startswith("__"):
                    needed.update(kind_of(type_.fields[name], name).columns)
        return tuple(sorted(needed))

    def types(self, type_name: str) -> Iterable[str]:
        """The concrete types that a value of the named type can have."""
        type_ = self.schema.type_map[type_name]
        if is_object_type(type_):
            return (type_name,)
        assert is_abstract_type(type_)
        return tuple(possible.name for possible in self.schema.get_possible_types(type_))

    def _collect(
        self,
        selection_set: SelectionSetNode,
        type_: Any,
        found: dict[str, list[FieldNode]],
        visited: set[str],
    ) -> None:
        for node in selection_set.selections:
            if not self._included(node):
                continue
            if isinstance(node, FieldNode):
                found.setdefault(node.name.value, []).append(node)
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                if condition is None or self._applies(condition.name.value, type_):
                    self._collect(node.selection_set, type_, found, visited)
            elif isinstance(node, FragmentSpreadNode):
                name = node.name.value
                fragment = self.fragments.get(name)
                if fragment is None or name in visited:
                    continue
                visited.add(name)
                if self._applies(fragment.type_condition.name.value, type_):
                    self._collect(fragment.selection_set, type_, found, visited)

    def _applies(self, condition: str, type_: Any) -> bool:
        if condition == type_.name:
            return True
        conditional = self.schema.type_map.get(condition)
        return isinstance(conditional, GraphQLAbstractType) and self.schema.is_sub_type(conditional, type_)

    def _included(self, node: Any) -> bool:
        if not node.directives:
            return True
        skip = get_directive_values(GraphQLSkipDirective, node, self.variables)
        if skip and skip["if"]:
            return False
        include = get_directive_values(GraphQLIncludeDirective, node, self.variables)
        return not (include and not include["if"])
