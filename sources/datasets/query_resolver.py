"""Which parser a search reaches, and with what words: one answer for everything that searches a portal.

CKAN sends a query without a colon to dismax, which reads `aria OR acqua` as `aria AND acqua`; a colon leads past
it to Solr's standard parser, which reads OR but knows no weights and wants every word. So a query is wrapped in
`text:( … )` only where that helps: when it is boolean, and the portal is measured to ignore booleans (`probe.py`).

    resolve = plan_query(text, parser)          # pure; says whether the portal must be measured
    resolved = resolve.settled(verdict)         # pure
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sources.datasets.query_fields import FIELDS, PREFIXES
from sources.datasets.query_rendering import (
    for_default,
    for_lucene,
    has_inner_punctuation,
    is_prefix,
    without_article,
)
from sources.datasets.query_text import Clause, Group, ReadQuery, clauses, read_query, words
from sources.errors import BadInput, shorten

EVERYTHING = "*:*"


class QueryParser(StrEnum):
    """Which parser the caller wants."""

    AUTO = "auto"
    """What finds what was meant: the portal's own, unless it would misread the query."""
    DEFAULT = "default"
    """The query goes to the portal exactly as it is."""
    TEXT = "text"
    """The query is wrapped, so that the standard parser reads it over all text."""


class Verdict(StrEnum):
    """What measuring a portal told about its default parser."""

    WRAP = "wrap"
    """It ignores OR, and the wrapper helps."""
    HONOURS = "honours"
    """It reads OR by itself."""
    NO_WRAPPER = "no_wrapper"
    """It ignores OR, and the wrapper finds less: the portal has no field for all text."""
    UNKNOWN = "unknown"
    """It could not be measured."""


class Reached(StrEnum):
    """The parser that reads the effective query."""

    DEFAULT = "default"
    """The portal's own, with its weights."""
    TEXT = "text"
    """The standard parser, by the wrapper."""
    LUCENE = "lucene"
    """The standard parser, by a colon that is in the query anyway."""


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """A query as a portal is sent it.

    - `query`: as the caller gave it; `effective_query`: as it is sent
    - `parser`: which parser reads it, and `reason` why
    - `probe_verdict`: what the portal was measured to be, where that was asked
    - `warnings`: what the caller should know of how it is read
    """

    query: str
    effective_query: str
    parser: Reached
    reason: str
    probe_verdict: Verdict | None = None
    warnings: tuple[str, ...] = ()


_NAME = re.compile(r"(?:^|(?<=[\s(+\-!]))([A-Za-z][\w.-]{0,80}|\*):(?=[^\s)])")


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """A query that was read. `needs_verdict`: how it is sent depends on what the portal is measured to be."""

    query: str
    read: ReadQuery
    resolved: ResolvedQuery | None = None
    needs_verdict: bool = False

    def settled(self, verdict: Verdict | None = None) -> ResolvedQuery:
        """How the query is sent. `verdict` matters only where it is needed; None is not measured."""
        if self.resolved is not None:
            return self.resolved
        return _settled(self, verdict or Verdict.UNKNOWN)


def plan_query(text: str | None, parser: QueryParser = QueryParser.AUTO, *, argument: str = "q") -> QueryPlan:
    """Reads `text`, in the order: as it is, fielded, wrapped by request, plain, boolean.

    Raises `BadInput` on `argument` for what holds no word (operators and punctuation only), and for Solr's local
    parameters.
    """
    query = (text or "").strip()
    refuse_local_parameters(query, argument)
    read = read_query(query)

    def done(effective: str, reached: Reached, reason: str, *warnings: str) -> QueryPlan:
        return QueryPlan(query, read, ResolvedQuery(query, effective, reached, reason, warnings=warnings))

    if query in ("", "*", EVERYTHING, '""', "''"):
        return done(EVERYTHING, Reached.LUCENE, "It asks for everything.")
    if parser is QueryParser.DEFAULT:
        reached = Reached.LUCENE if ":" in query else Reached.DEFAULT
        return done(query, reached, "Sent as it is, as requested.")
    if is_fielded(query):
        return done(query, Reached.LUCENE, "It names a field, so it is sent as it is.")
    if not read.tree.clauses:
        raise BadInput("holds no word to search for.", argument=argument)
    if parser is QueryParser.TEXT:
        wrapped = f"text:({for_lucene(read.tree)})"
        return done(wrapped, Reached.TEXT, "Wrapped, as requested.", *_lucene_warnings(read))
    effective = for_lucene(read.tree)
    if ":" in effective:
        return done(
            effective,
            Reached.LUCENE,
            "A colon in it leads to Solr's standard parser, which wants every word.",
            *_lucene_warnings(read),
            *_colon_warnings(read),
        )
    if needs_probe(read.tree):
        return QueryPlan(query, read, needs_verdict=True)
    return done(
        for_default(read.tree),
        Reached.DEFAULT,
        "Plain words, for the portal's parser.",
        *_default_warnings(read),
    )


def refuse_local_parameters(text: str, argument: str) -> None:
    """Raises `BadInput` for `{! … }`, by which Solr lets a query choose its parser; portals refuse it as well."""
    if text.lstrip().startswith("{!"):
        raise BadInput("must not begin with `{!`: local parameters of Solr are not taken.", argument=argument)


def is_fielded(query: str) -> bool:
    """Whether a query names a field of the index, outside quotes and with no blank after the colon."""
    bare = re.sub(r"\\.", "  ", query, flags=re.DOTALL)
    if bare.count('"') % 2 == 0:
        bare = re.sub(r'"[^"]*"', '""', bare)
    return any(name == "*" or name in FIELDS or name.startswith(PREFIXES) for name in _NAME.findall(bare))


def needs_probe(tree: Group) -> bool:
    """Whether the default parser of a portal may misread the query.

    It does not misread `+` and `-` alone, which dismax reads itself; and parentheses mean something only around
    operators or behind a sign.
    """
    parts = list(clauses(tree))
    boolean = any(part.conjunction or part.modifier == "NOT" for part in parts)
    signed_group = any(part.modifier and isinstance(part.node, Group) for part in parts)
    pieces = any(has_inner_punctuation(without_article(word.text)) for word in words(tree))
    return boolean or signed_group or pieces


def _colon_warnings(read: ReadQuery) -> list[str]:
    """A colon that names no field is text."""
    named = next((word.text for word in words(read.tree) if re.search(r"(?<!\\):", word.text)), None)
    if named is None:
        return []
    return [
        f"`{shorten(named, 60)}` is read as text, since it names no known field."
        " Use `queryParser: DEFAULT` where it is a field of this portal."
    ]


def _settled(plan: QueryPlan, verdict: Verdict) -> ResolvedQuery:
    read = plan.read
    if verdict is Verdict.WRAP:
        return ResolvedQuery(
            plan.query,
            f"text:({for_lucene(read.tree)})",
            Reached.TEXT,
            "This portal's own parser ignores what joins the words, so the query is wrapped.",
            verdict,
            tuple(_lucene_warnings(read)),
        )
    warnings = _default_warnings(read)
    boolean = any(part.conjunction == "OR" for part in clauses(read.tree))
    if verdict is Verdict.UNKNOWN:
        reason = "Whether this portal's parser reads booleans could not be measured, so the query is sent unwrapped."
        if boolean:
            warnings.append("The portal could not be measured; it may read OR as AND.")
    elif verdict is Verdict.NO_WRAPPER:
        reason = "This portal ignores what joins the words, and wrapping finds less there."
        if boolean:
            warnings.append("This portal reads OR as AND. Ask once for each word instead.")
    else:
        reason = "This portal's own parser reads booleans."
    return ResolvedQuery(
        plan.query, for_default(read.tree), Reached.DEFAULT, reason, verdict, tuple(warnings)
    )


def _default_warnings(read: ReadQuery) -> list[str]:
    found = []
    if any(part.modifier == "!" for part in clauses(read.tree)):
        found.append("`!` is sent as `-`, since the portal's parser would take it for a letter.")
    if any(re.search(r"(?<!\\)[*?]|(?<!\\)[~^]\d*$", word.text) for word in words(read.tree)):
        found.append(
            "The portal's parser takes wildcards, `~` and `^` for letters. `queryParser: TEXT` keeps a `*` at the"
            " end of a word."
        )
    return found


def _lucene_warnings(read: ReadQuery) -> list[str]:
    found = []
    held = list(words(read.tree))
    if any(is_prefix(word.text) for word in held):
        found.append("A `*` at the end of a word stands for any ending; such words are compared unstemmed.")
    if any(re.search(r"(?<!\\)[*?~^]", word.text) for word in held if not is_prefix(word.text)):
        found.append("Wildcards, `~` and `^` are read as text, but for a `*` after at least three letters.")
    groups = [read.tree, *(part.node for part in clauses(read.tree) if isinstance(part.node, Group))]
    if any(_mixes(group) for group in groups):
        found.append(
            "OR is mixed with words that are joined otherwise: those are required, and what OR joins only adds to"
            " the ranking. Put what OR joins in parentheses."
        )
    if any(part is not read.tree and all(inner.negative for inner in part.clauses) for part in groups):
        found.append("A group that only excludes matches nothing by itself. Exclude outside the parentheses.")
    return found


def _mixes(group: Group) -> bool:
    """Whether a group joins by OR, and holds a positive part that no OR touches."""
    parts = group.clauses
    if not any(part.conjunction == "OR" for part in parts):
        return False
    return any(not part.negative and not _optional(parts, place) for place, part in enumerate(parts))


def _optional(parts: tuple[Clause, ...], place: int) -> bool:
    following = parts[place + 1].conjunction if place + 1 < len(parts) else ""
    if following == "AND":
        return False
    return parts[place].conjunction == "OR" or following == "OR"
