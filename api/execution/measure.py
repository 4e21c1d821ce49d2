"""The size of a document's text, measured before it is validated.

Validation is itself work, some of it quadratic, so a flood is turned away by counting alone. Fragments are
measured once each: spreads that double at every step give a large number, not a long computation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    Node,
    OperationDefinitionNode,
    SelectionSetNode,
)

from api.execution.limits import Limits
from sources.errors import QueryTooExpensive

NESTING_FACTOR = 4
"""Selection sets may nest this many times deeper than fields, since inline fragments add no field."""

SHOWN_NUMBER = 1_000_000
"""Larger numbers, which fragments reach easily, are not written out."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a selection set holds, fragments spread out."""

    depth: int = 0
    fields: int = 0
    """Fields of this level, without `__typename`."""
    aliases: int = 0
    directives: int = 0


def check_size(document: DocumentNode, limits: Limits) -> GraphQLError | None:
    """The first limit that a parsed document breaks, as an error that says how to mend it."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    fragments = {
        node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
    }
    if len(operations) > limits.operations:
        return too_expensive(
            f"The document holds {len(operations)} operations; at most {limits.operations} are allowed. "
            "Send only the operations that you run.",
            operations[limits.operations],
        )
    if len(fragments) > limits.fragments:
        return too_expensive(
            f"The document holds {len(fragments)} fragments; at most {limits.fragments} are allowed. "
            "Write the fields where they are used.",
        )
    gauge = _Gauge(fragments, limits)
    try:
        for operation in operations:
            gauge.check(operation)
        for name in fragments:
            gauge.fragment(name)
    except GraphQLError as error:
        return error
    return None


def too_expensive(message: str, node: Node | None = None) -> GraphQLError:
    """A refusal before execution, as an error of GraphQL."""
    return GraphQLError(message, node, original_error=QueryTooExpensive(message))


class _Gauge:
    """Measures the operations of one document. Raises a GraphQLError where a limit is passed."""

    def __init__(self, fragments: dict[str, FragmentDefinitionNode], limits: Limits) -> None:
        self._fragments = fragments
        self._limits = limits
        self._measured: dict[str, Measure] = {}

    def check(self, operation: OperationDefinitionNode) -> None:
        limits = self._limits
        measure = self._selections(operation.selection_set, 1)
        own_directives = len(operation.directives or ()) + sum(
            len(variable.directives or ()) for variable in operation.variable_definitions or ()
        )
        for value, limit, what, advice in (
            (measure.depth, limits.depth, "nests {} fields deep", "Nest fewer fields, or split the query."),
            (measure.fields, limits.root_fields, "has {} root fields", "Split it into several requests."),
            (measure.aliases, limits.aliases, "has {} aliases", "Ask for fewer at once."),
            (
                measure.directives + own_directives,
                limits.directives,
                "has {} directives",
                "Leave out what you do not need instead of skipping it.",
            ),
        ):
            if value > limit:
                shown = str(value) if value < SHOWN_NUMBER else f"more than {SHOWN_NUMBER}"
                raise too_expensive(
                    f"The operation {what.format(shown)}; at most {limit} are allowed. {advice}", operation
                )

    def _selections(self, selection_set: SelectionSetNode, level: int) -> Measure:
        if level > self._limits.depth * NESTING_FACTOR:
            raise too_expensive(
                f"The operation has more than {level - 1} nested selection sets, and at most "
                f"{self._limits.depth} nested fields are allowed. Nest fewer fields, or split the query.",
                selection_set,
            )
        depth = fields = aliases = directives = 0
        repeats: Counter[str] = Counter()
        for node in selection_set.selections:
            directives += len(node.directives or ())
            if isinstance(node, FieldNode):
                name = node.name.value
                repeats[node.alias.value if node.alias else name] += 1
                if node.alias is not None and node.alias.value != name:
                    aliases += 1
                if name != "__typename":
                    fields += 1
                inner = self._selections(node.selection_set, level + 1) if node.selection_set else Measure()
                depth = max(depth, inner.depth + 1)
            else:
                inner = self._spread(node, level)
                depth = max(depth, inner.depth)
                fields += inner.fields
            aliases += inner.aliases
            directives += inner.directives
        self._check_repeats(repeats, selection_set)
        return Measure(depth, fields, aliases, directives)

    def _spread(self, node: Node, level: int) -> Measure:
        if isinstance(node, InlineFragmentNode):
            return self._selections(node.selection_set, level + 1)
        assert isinstance(node, FragmentSpreadNode)
        return self.fragment(node.name.value, level)

    def fragment(self, name: str, level: int = 0) -> Measure:
        """The measure of a fragment, taken once."""
        measured = self._measured.get(name)
        if measured is not None:
            return measured
        fragment = self._fragments.get(name)
        if fragment is None:
            return Measure()  # Validation names the fragment that is missing.
        # A spread that closes a circle adds nothing here; validation refuses the circle.
        self._measured[name] = Measure()
        inner = self._selections(fragment.selection_set, level + 1)
        measure = Measure(
            inner.depth, inner.fields, inner.aliases, inner.directives + len(fragment.directives or ())
        )
        self._measured[name] = measure
        return measure

    def _check_repeats(self, repeats: Counter[str], selection_set: SelectionSetNode) -> None:
        for name, count in repeats.most_common(1):
            if count > self._limits.repeats:
                raise too_expensive(
                    f"One selection set names `{name}` {count} times; at most {self._limits.repeats} are "
                    "allowed. Name a field once: its answer is the same.",
                    selection_set,
                )
