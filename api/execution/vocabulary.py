"""What a value that does not fit its type is answered with, in literals and in variables.

GraphQL's own sentence for an unknown enum name lists neither the path nor what is allowed, and differs between
literals and variables. The place to mend it is where the name meets its type: a subclass of the validation rule
for literals, and a second walk over variables that failed to coerce. Patching the enum types instead would be
shorter, but an enum type does not know which argument it stands in, and the sentence must name it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphql import (
    ArgumentNode,
    FloatValueNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLFloat,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    IntValueNode,
    ListValueNode,
    Node,
    ObjectFieldNode,
    ObjectValueNode,
    OperationDefinitionNode,
    StringValueNode,
    ValueNode,
    VariableDefinitionNode,
    VariableNode,
    get_named_type,
    specified_rules,
    type_from_ast,
)
from graphql.execution.values import VariableValues, get_variable_values
from graphql.language import SKIP, EnumValueNode, Visitor, VisitorAction, visit
from graphql.pyutils import Undefined, inspect
from graphql.utilities.validate_input_value import validate_input_literal, validate_input_value
from graphql.validation import ValidationRule, ValuesOfCorrectTypeRule

from api.execution.measure import too_expensive
from schema.errors import ErrorCode
from sources.errors import BadInput, shorten

Path = Sequence[str | int]

MAX_VARIABLE_ERRORS = 20
_VARIABLE = re.compile(r"\w+")


class ValuesRule(ValuesOfCorrectTypeRule):
    """GraphQL's rule for literals, with our answer to unknown enum names."""

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._argument = ""

    def enter_argument(self, node: ArgumentNode, *_args: Any) -> None:
        """Remembers which argument the literals below belong to."""
        self._argument = node.name.value

    def enter_variable_definition(self, node: VariableDefinitionNode, *_args: Any) -> None:
        """Remembers which variable the default below belongs to."""
        self._argument = node.variable.name.value

    def is_valid_value_node(self, node: ValueNode, input_type: GraphQLInputType | None) -> VisitorAction:
        """Reports what is wrong with a literal and everything in it."""
        if input_type:

            def on_error(error: GraphQLError, path: list[str | int]) -> None:
                self.report_error(self._reworded(error, path, input_type))

            validate_input_literal(node, input_type, on_error)
        return SKIP

    def _reworded(self, error: GraphQLError, path: Path, type_: GraphQLInputType) -> GraphQLError:
        enum = _type_at(type_, path)
        node = error.nodes[0] if error.nodes else None
        argument = join(self._argument, path)
        if isinstance(node, (IntValueNode, FloatValueNode)) and _endless(node):
            bad_input = _beyond_bounds(argument)
            return GraphQLError(str(bad_input), node, original_error=bad_input)
        if not isinstance(enum, GraphQLEnumType) or not isinstance(node, (EnumValueNode, StringValueNode)):
            message = error.message.replace(" to be None", " to be null")
            return GraphQLError(message, error.nodes, extensions={"argument": argument})
        if isinstance(node, StringValueNode) and node.value in enum.values:
            bad_input = BadInput(
                f"takes a name without quotes: {node.value}.", argument=argument, allowed=tuple(enum.values)
            )
        else:
            bad_input = BadInput.unknown(argument, node.value, tuple(enum.values))
        return GraphQLError(str(bad_input), node, original_error=bad_input)


class LiteralsRule(ValidationRule):
    """Literals that fit their type, but that no source can look up: a text with NUL, an endless number."""

    def enter_string_value(
        self, node: StringValueNode, _key: Any, parent: Any, path: Path, ancestors: Sequence[Any]
    ) -> None:
        """Reports a literal with NUL: databases cannot store it, and no record has it."""
        if "\0" in node.value:
            self._report(node, _nul(_place(path, [*ancestors, parent])))

    def enter_float_value(
        self, node: FloatValueNode, _key: Any, parent: Any, path: Path, ancestors: Sequence[Any]
    ) -> None:
        """Reports a number that would be read as infinity."""
        self._check(node, path, [*ancestors, parent])

    def enter_int_value(
        self, node: IntValueNode, _key: Any, parent: Any, path: Path, ancestors: Sequence[Any]
    ) -> None:
        """Reports a whole number that would be read as infinity where a Float stands."""
        self._check(node, path, [*ancestors, parent])

    def _check(self, node: IntValueNode | FloatValueNode, path: Path, ancestors: Sequence[Any]) -> None:
        named = get_named_type(self.context.get_input_type())
        if named is GraphQLFloat and _endless(node):
            self._report(node, _beyond_bounds(_place(path, ancestors)))

    def _report(self, node: Node, bad_input: BadInput) -> None:
        self.report_error(GraphQLError(str(bad_input), node, original_error=bad_input))


def _place(path: Path, ancestors: Sequence[Any]) -> str:
    """Where a literal stands, as a path from its argument or variable: `filter.anyOf[0].name`."""
    place = "query"
    around: Any = None
    for key, ancestor in zip(path, ancestors, strict=True):
        if isinstance(ancestor, ArgumentNode):
            place = ancestor.name.value
        elif isinstance(ancestor, VariableDefinitionNode):
            place = ancestor.variable.name.value
        elif isinstance(ancestor, ObjectFieldNode):
            place += f".{ancestor.name.value}"
        elif isinstance(around, ListValueNode):
            place += f"[{key}]"
        around = ancestor
    return place


def _endless(node: IntValueNode | FloatValueNode) -> bool:
    return math.isinf(float(node.value))


RULES = (*(ValuesRule if rule is ValuesOfCorrectTypeRule else rule for rule in specified_rules), LiteralsRule)
"""The rules of the GraphQL specification, with ours in their places."""


def coerce_variables(
    schema: GraphQLSchema, operation: OperationDefinitionNode, given: Mapping[str, Any], max_values: int
) -> VariableValues | list[GraphQLError]:
    """The variables of an operation coerced to their types, or every reason why they cannot be."""
    refused = _refuse_values(given, max_values, operation)
    if refused is not None:
        return [refused]
    definitions = operation.variable_definitions or ()
    coerced = get_variable_values(schema, definitions, dict(given), max_errors=MAX_VARIABLE_ERRORS)
    if isinstance(coerced, VariableValues):
        return coerced
    return list(_variable_errors(schema, operation, given))[:MAX_VARIABLE_ERRORS] or [
        _coded(error.message, None) for error in coerced
    ]


def _variable_errors(
    schema: GraphQLSchema, operation: OperationDefinitionNode, given: Mapping[str, Any]
) -> Iterator[GraphQLError]:
    places = _places(operation)
    for definition in operation.variable_definitions or ():
        name = definition.variable.name.value
        type_ = type_from_ast(schema, definition.type)
        value = given.get(name, Undefined)
        if value is Undefined and (definition.default_value or not isinstance(type_, GraphQLNonNull)):
            continue
        found: list[tuple[GraphQLError, list[str | int]]] = []
        try:
            validate_input_value(value, type_, lambda error, path, found=found: found.append((error, path)))  # type: ignore[arg-type, misc]
        except RecursionError:
            yield _coded(f"Variable `${name}` is nested too deeply.", definition, argument=name)
            continue
        for error, path in found[:MAX_VARIABLE_ERRORS]:
            argument = join(places.get(name, name), path)
            enum = _type_at(type_, path)  # type: ignore[arg-type]
            wrong = _value_at(value, path)
            if isinstance(enum, GraphQLEnumType) and isinstance(wrong, str):
                bad_input = BadInput.unknown(argument, wrong, tuple(enum.values))
                yield GraphQLError(str(bad_input), definition, original_error=bad_input)
            else:
                problem = _in_json(error.message, wrong)
                yield _coded(f"Variable `${join(name, path)}`: {problem}", definition, argument=argument)


_MISFIT = re.compile(r"Argument '(\w+)' has invalid value(?: at (\S+))?: ")


def argument_misfit(error: GraphQLError) -> GraphQLError | None:
    """An error of execution that is the caller's: a variable that is null where its place allows no null.

    Types cannot show it before (GraphQL specification, section 5.8.5: a default lets a nullable variable stand in
    a place that is not), so graphql-core raises it from the field, as an error of its own. It is told from a fault
    of ours by its words.
    """
    found = _MISFIT.match(error.message)
    if found is None or not isinstance(error.original_error, (GraphQLError, type(None))):
        return None
    argument = found[1] + (found[2] or "")
    return GraphQLError(
        error.message.replace(" to be None", " to be null"),
        error.nodes,
        path=error.path,
        extensions={"code": ErrorCode.BAD_USER_INPUT.value, "argument": argument},
    )


def _in_json(message: str, value: Any) -> str:
    """A sentence of graphql-core with the value as its sender wrote it: `true` and `"3"`, not `True` and `'3'`."""
    message = message.replace(" to be None", " to be null")
    shown = inspect(value)
    if not message.rstrip(".").endswith(shown):
        return message
    end = message.rindex(shown)
    return message[:end] + _as_json(value) + message[end + len(shown) :]


def _as_json(value: Any) -> str:
    match value:
        case None | bool() | str():
            return shorten(json.dumps(value, ensure_ascii=False))
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
    return shorten(value)


def _coded(message: str, node: Node | None, argument: str | None = None) -> GraphQLError:
    extensions = {"code": ErrorCode.BAD_USER_INPUT.value}
    if argument is not None:
        extensions["argument"] = argument
    return GraphQLError(message, node, extensions=extensions)


def join(root: str, path: Path) -> str:
    """A path as errors name it: `filter.anyOf[0].level`."""
    return root + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def unknown_operation(name: str | None, known: Sequence[str]) -> BadInput:
    """The operation to run cannot be determined from its name."""
    if name is None:
        return BadInput(
            "is needed: the document holds several operations.", argument="operationName", allowed=known
        )
    return BadInput.unknown("operationName", name, known)


def _type_at(type_: GraphQLInputType, path: Path) -> object:
    """The named type at the end of a path that validation walked along the type."""
    current: object = type_
    for step in path:
        while isinstance(current, GraphQLNonNull) or (
            isinstance(current, GraphQLList) and isinstance(step, str)
        ):
            current = current.of_type
        if isinstance(step, int):
            assert isinstance(current, GraphQLList)
            current = current.of_type
        else:
            assert isinstance(current, GraphQLInputObjectType)
            current = current.fields[step].type
    while isinstance(current, (GraphQLNonNull, GraphQLList)):
        current = current.of_type
    return current


def _value_at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _places(operation: OperationDefinitionNode) -> dict[str, str]:
    """Where each variable is first used, as a path from an argument: `$level` in `filter.level`.

    Only the operation's own text is read; a variable that stands in a fragment keeps its own name.
    """
    finder = _PlaceFinder()
    visit(operation, finder)
    return finder.places


class _PlaceFinder(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, str] = {}

    def enter_argument(self, node: ArgumentNode, *_args: Any) -> None:
        self._note(node.value, node.name.value)

    def _note(self, value: ValueNode, path: str) -> None:
        if isinstance(value, VariableNode):
            self.places.setdefault(value.name.value, path)
        elif isinstance(value, ListValueNode):
            for index, item in enumerate(value.values):
                self._note(item, f"{path}[{index}]")
        elif isinstance(value, ObjectValueNode):
            for field in value.fields:
                self._note(field.value, f"{path}.{field.name.value}")


def _refuse_values(
    given: Mapping[str, Any], max_values: int, operation: OperationDefinitionNode
) -> GraphQLError | None:
    """Variables that are too many, or hold text or numbers that no source can look up."""
    count = 0

    def placed(path: str) -> str:
        # Asked late: the walk over the operation is only worth its time for a refusal.
        name = _VARIABLE.match(path)
        return path if name is None else _places(operation).get(name[0], name[0]) + path[name.end() :]

    waiting: list[tuple[str, Any]] = list(given.items())
    while waiting:
        path, value = waiting.pop()
        count += 1
        if count > max_values:
            return too_expensive(
                f"The variables hold more than {max_values} values. Send fewer at once, for example by paging."
            )
        if isinstance(value, str):
            problem = _text_problem(value)
            if problem is not None:
                bad_input = BadInput(problem, argument=placed(path))
                return GraphQLError(str(bad_input), original_error=bad_input)
        elif isinstance(value, float) and not math.isfinite(value):
            bad_input = _beyond_bounds(placed(path))
            return GraphQLError(str(bad_input), original_error=bad_input)
        elif isinstance(value, Mapping):
            waiting.extend((f"{path}.{shorten(key, 40)}", item) for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            if count + len(value) > max_values:
                count = max_values
            waiting.extend((f"{path}[{index}]", item) for index, item in enumerate(value[:max_values]))
    return None


_NUL = "must not hold the character NUL."


def _text_problem(text: str) -> str | None:
    if "\0" in text:
        return _NUL
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which is no character."
    return None


def _nul(argument: str) -> BadInput:
    return BadInput(_NUL, argument=argument)


def _beyond_bounds(argument: str) -> BadInput:
    return BadInput("must be a finite number; this one is beyond all bounds.", argument=argument)
