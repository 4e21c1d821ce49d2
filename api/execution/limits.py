"""How much one operation may ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one operation; each is inclusive.

    A text over one of them is refused before it is validated, an operation over `cost` before it is run, both
    with QUERY_TOO_EXPENSIVE. Predicates of filters are bounded where filters are read.
    """

    tokens: int = 2000
    """Lexical tokens of a document. The introspection query of GraphiQL has about 250."""
    comments: int = 500
    """Comments of a document: the parser keeps them, so they cost memory as tokens do."""
    source_length: int = 200_000
    """Characters of a document, blanks included."""
    depth: int = 15
    """Nested fields, leaves included, through fragments. The standard introspection query has exactly 15."""
    aliases: int = 30
    """Aliased fields of an operation, each counted as often as fragments repeat it."""
    root_fields: int = 20
    """Root fields of an operation, without `__typename`."""
    repeats: int = 20
    """How often one selection set may name the same field again: validation compares them pair by pair."""
    directives: int = 50
    """Directives of an operation, each counted as often as fragments repeat it."""
    operations: int = 10
    """Operations of a document."""
    fragments: int = 50
    """Fragment definitions of a document."""
    argument_values: int = 2000
    """Values that the root fields are given together, those of variables counted at every use."""
    variable_values: int = 5000
    """Values inside the variables: items of lists and fields of objects, at every level."""
    cost: int = 50_000
    """Highest cost of an operation, see `api.execution.cost`."""
    default_page: int = 20
    """Items that a connection is reckoned with when the query gives neither `first` nor `last`."""
    assumed_list: int = 5
    """Items that a list of objects is reckoned with when no argument bounds it."""
    seconds: float = 30.0
    """How long an operation may run, unless its caller says otherwise."""
    validation_errors: int = 20
    """Validation stops after this many errors, so that a flood of mistakes gives a small answer."""
    message_length: int = 1000
    """Characters of one error message: GraphQL's own messages repeat what the caller wrote."""
    cached_characters: int = 300_000
    """Characters of all prepared documents that are kept. One takes about 110 bytes a character, and at most some
    350 where the text is dense, so that this bounds the memory as well."""
    cached_document: int = 16_000
    """Longest document that is kept at all."""
    cached_refusals: int = 200
    """Refused documents that are kept with their errors."""
