"""Documents made ready to run: parsed, measured, validated and reckoned once, then kept.

Both outcomes are kept, so that a caller who repeats a mistake costs no more than one who repeats a query. What is
kept is bounded by the length of the texts, since the tree of a document is far larger than its text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    parse,
    validate,
)
from graphql.execution.collect_fields import FragmentDetails

from api.execution.cost import CostPlan, CostPlanner
from api.execution.limits import Limits
from api.execution.measure import check_size, too_expensive
from api.execution.vocabulary import RULES, unknown_operation
from schema.errors import ErrorCode, public_error
from sources.errors import shorten


@dataclass(frozen=True, slots=True)
class PreparedOperation:
    """One operation of a valid document."""

    node: OperationDefinitionNode
    cost: CostPlan


@dataclass(frozen=True, slots=True)
class Prepared:
    """A valid document within the limits."""

    fragment_definitions: dict[str, FragmentDefinitionNode]
    fragments: dict[str, FragmentDetails]
    operations: Mapping[str | None, PreparedOperation]

    def choose(self, name: str | None) -> PreparedOperation:
        """The operation to run. Raises `BadInput` when the name does not determine it."""
        if name is None and len(self.operations) == 1:
            return next(iter(self.operations.values()))
        operation = self.operations.get(name)
        if operation is None:
            raise unknown_operation(name, [known for known in self.operations if known is not None])
        return operation


@dataclass(frozen=True, slots=True)
class Refused:
    """A document that cannot be run, with errors as the caller may read them."""

    errors: tuple[GraphQLError, ...]


class Documents:
    """Prepares documents for one schema, and keeps those used last."""

    def __init__(self, schema: GraphQLSchema, limits: Limits) -> None:
        self._schema = schema
        self._limits = limits
        self._prepared: OrderedDict[bytes, tuple[int, Prepared]] = OrderedDict()
        self._refusals: OrderedDict[bytes, Refused] = OrderedDict()
        self._characters = 0

    def prepare(self, text: str, *, generated: bool = False) -> Prepared | Refused:
        """The document of a text. `generated` leaves out the limits on the text, see `Operation`."""
        if len(text) > self._limits.cached_document:
            return self._make(text, generated)
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, salt=b"1" if generated else b"0")
        digest = key.digest()
        kept = self._prepared.get(digest)
        if kept is not None:
            self._prepared.move_to_end(digest)
            return kept[1]
        refused = self._refusals.get(digest)
        if refused is not None:
            self._refusals.move_to_end(digest)
            return refused
        made = self._make(text, generated)
        if isinstance(made, Prepared):
            self._keep(digest, len(text), made)
        else:
            self._refusals[digest] = made
            if len(self._refusals) > self._limits.cached_refusals:
                self._refusals.popitem(last=False)
        return made

    @property
    def kept(self) -> tuple[int, int]:
        """How many prepared documents and how many refusals are kept."""
        return len(self._prepared), len(self._refusals)

    def _keep(self, digest: bytes, length: int, prepared: Prepared) -> None:
        self._prepared[digest] = (length, prepared)
        self._characters += length
        while self._characters > self._limits.cached_characters:
            _, (gone, _) = self._prepared.popitem(last=False)
            self._characters -= gone

    def _make(self, text: str, generated: bool) -> Prepared | Refused:
        limits = self._limits
        try:
            document = parse(
                text,
                max_lexical_tokens=None if generated else limits.tokens,
                max_comments=limits.comments,
                max_source_length=limits.source_length,
            )
        except GraphQLSyntaxError as error:
            return self._refused([_parse_error(error)], ErrorCode.GRAPHQL_PARSE_FAILED)
        if not generated:
            oversized = check_size(document, limits)
            if oversized is not None:
                return self._refused([oversized], ErrorCode.QUERY_TOO_EXPENSIVE)
        errors = validate(self._schema, document, RULES, max_errors=limits.validation_errors)
        if errors:
            return self._refused(errors, ErrorCode.GRAPHQL_VALIDATION_FAILED)
        return self._prepare(document)

    def _prepare(self, document: DocumentNode) -> Prepared:
        fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        operations = {
            node.name.value if node.name else None: PreparedOperation(
                node, CostPlanner(self._schema, fragments, self._limits).plan(node)
            )
            for node in document.definitions
            if isinstance(node, OperationDefinitionNode)
        }
        details = {name: FragmentDetails(node) for name, node in fragments.items()}
        return Prepared(fragments, details, operations)

    def _refused(self, errors: list[GraphQLError], fallback: ErrorCode) -> Refused:
        public = (public_error(error, fallback=fallback) for error in errors)
        return Refused(tuple(shortened(_detached(error), self._limits) for error in public))


# graphql-core has one class for all that its parser refuses; what passed a limit is told by its words. A test
# holds each of them, so that a new version of graphql-core cannot change them unseen.
LIMIT_WORDS = ("Document contains more than", "Source contains more than", "Document is nested too deeply")


def _parse_error(error: GraphQLSyntaxError) -> GraphQLError:
    words = error.message.removeprefix("Syntax Error: ")
    if not words.startswith(LIMIT_WORDS):
        return error
    return too_expensive(
        f"{words.removesuffix(' Parsing aborted.')} Ask for less at once, or split the query."
    )


def _detached(error: GraphQLError) -> GraphQLError:
    """The same error without the tree of its document, which it would otherwise keep in memory."""
    return GraphQLError(
        error.message, source=error.source, positions=error.positions, extensions=error.extensions
    )


def shortened(error: GraphQLError, limits: Limits) -> GraphQLError:
    """The same error, its message cut to a bounded length."""
    if len(error.message) > limits.message_length:
        error.message = shorten(error.message, limits.message_length)
    return error
