"""Filters in the words of Solr (`fq`): those of ours from criteria, and those that a caller wrote.

CKAN puts a caller's `fq` between two clauses of its own, `+capacity:public … +state:(active)`. There an OR at the
top joins nothing, so `a:x OR a:y` would let everything through: whatever holds one is put in parentheses, behind
a `+`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.datasets.query_resolver import refuse_local_parameters
from sources.datasets.records import Dataset
from sources.errors import BadInput
from sources.moments import moment_of

NOTHING = "(*:* NOT *:*)"

_FIELDS = {
    "organization": "organization",
    "tags": "tags",
    "groups": "groups",
    "format": "res_format",
    "licence_id": "license_id",
    "name": "name",
    "dataset_id": "id",
    "metadata_modified": "metadata_modified",
    "metadata_created": "metadata_created",
}
RESIDUAL = frozenset({"has_datastore"})
"""Attributes that CKAN does not index; they are checked on the datasets that come back."""

_UNITS = {
    "SECOND": timedelta(seconds=1),
    "MINUTE": timedelta(minutes=1),
    "HOUR": timedelta(hours=1),
    "DAY": timedelta(days=1),
    "WEEK": timedelta(days=7),
    "MONTH": timedelta(days=30),
    "YEAR": timedelta(days=365),
}
_TEXT_DATES = re.compile(r"\b(issued|modified):([\[{])([^\[\]{}]*)([\]}])")
_NOW = re.compile(r"NOW((?:[+-]\d{1,4}[A-Z]+|/[A-Z]+)*)")
_STEP = re.compile(r"([+-]\d+|/)([A-Z]+?)S?(?=[+/-]|$)")
_FORMAT = re.compile(r'(?<![\w"\\])res_format:("[^"\\]*"|[\w.+-]+)(?=[\s)]|$)')
_ORS = re.compile(r"(?:^|(?<=[\s()]))OR(?=[\s()]|$)|\|\|")


def compiled(criteria: Criteria) -> str | None:
    """The criteria as one mandatory clause; None where they let everything through.

    The criteria must hold none of the `RESIDUAL` attributes (`split` takes them out).
    """
    if isinstance(criteria, All) and not criteria.parts:
        return None
    return f"+{_clause(criteria)}"


def split(criteria: Criteria) -> tuple[Criteria, Criteria]:
    """What Solr can check, and what is left to check here."""
    parts = criteria.parts if isinstance(criteria, All) else (criteria,)
    pushed = tuple(part for part in parts if not _holds_residual(part))
    rest = tuple(part for part in parts if _holds_residual(part))
    return All(pushed), All(rest)


def checkable(criteria: Criteria) -> Criteria:
    """The criteria as `matches` can hold them against `read_attribute`: formats in every spelling, as in Solr."""
    match criteria:
        case Predicate("format", op, values):
            spellings = dict.fromkeys(spelling for value in values for spelling in format_variants(value))
            return Predicate("format", op, tuple(spellings), criteria.argument)
        case Predicate():
            return criteria
        case All(parts):
            return All(tuple(map(checkable, parts)))
        case AnyOf(parts):
            return AnyOf(tuple(map(checkable, parts)))
        case Not(part):
            return Not(checkable(part))


def with_times(criteria: Criteria) -> Criteria:
    """The criteria of a question, whose moments are whole microseconds, with the times that datasets carry."""
    match criteria:
        case Predicate("metadata_modified" | "metadata_created", op, int() as number):
            return Predicate(criteria.attribute, op, moment_of(number), criteria.argument)
        case Predicate():
            return criteria
        case All(parts):
            return All(tuple(map(with_times, parts)))
        case AnyOf(parts):
            return AnyOf(tuple(map(with_times, parts)))
        case Not(part):
            return Not(with_times(part))


def read_attribute(dataset: Dataset, attribute: str) -> Any:
    """An attribute that criteria name, of a dataset as it came: what Solr holds in the field of that name."""
    match attribute:
        case "organization":
            return dataset.organization.name if dataset.organization else None
        case "groups":
            return tuple(group.name for group in dataset.groups)
        case "format":
            return tuple(resource.format for resource in dataset.resources)
    return getattr(dataset, attribute)


def _holds_residual(criteria: Criteria) -> bool:
    match criteria:
        case Predicate():
            return criteria.attribute in RESIDUAL
        case All(parts) | AnyOf(parts):
            return any(map(_holds_residual, parts))
        case Not(part):
            return _holds_residual(part)


def _clause(criteria: Criteria) -> str:
    match criteria:
        case Predicate():
            return _predicate(criteria)
        case All(()):
            return "(*:*)"
        case AnyOf(()):
            return NOTHING
        case All(parts):
            return "(" + " AND ".join(map(_clause, parts)) + ")"
        case AnyOf(parts):
            return "(" + " OR ".join(map(_clause, parts)) + ")"
        case Not(part):
            return f"(*:* NOT {_clause(part)})"


def _predicate(predicate: Predicate) -> str:
    field, value = _FIELDS[predicate.attribute], predicate.value
    match predicate.op:
        case Op.AT_LEAST:
            return f"({field}:[{_written(value)} TO *])"
        case Op.AT_MOST:
            return f"({field}:[* TO {_written(value)}])"
        case Op.IN | Op.HAS_ANY | Op.EQUALS:
            values = value if isinstance(value, tuple) else (value,)
            if field == "res_format":
                values = tuple(dict.fromkeys(variant for item in values for variant in format_variants(item)))
            return f"({field}:({' OR '.join(map(quoted, values))}))" if values else NOTHING
    raise ValueError(f"{predicate.attribute} cannot be asked for by {predicate.op}")


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    return quoted(value)


def quoted(value: Any) -> str:
    """A value as a phrase of Solr."""
    return '"' + re.sub(r'(["\\])', r"\\\1", str(value)) + '"'


def format_variants(value: str) -> tuple[str, ...]:
    """A format in the ways that portals write it; the field compares letter by letter."""
    bare = value.strip().lstrip(".")
    spellings = (value.strip(), bare.upper(), bare.lower(), bare.capitalize(), f".{bare.lower()}")
    return tuple(dict.fromkeys(spelling for spelling in spellings if spelling))


def of_caller(text: str | None, now: datetime, *, argument: str = "fq") -> tuple[str | None, list[str]]:
    """A caller's own filter as it can be sent, and what was changed about it.

    Raises `BadInput` on `argument` for local parameters, and for quotes or parentheses that do not pair.
    """
    text = (text or "").strip()
    if not text:
        return None, []
    refuse_local_parameters(text, argument)
    bare = _outside_quotes(text, argument)
    warnings: list[str] = []
    sent = dates_written_out(text, now)

    def every_case(found: re.Match[str]) -> str:
        variants = format_variants(found[1].strip('"'))
        return f"res_format:({' OR '.join(map(quoted, variants))})"

    widened = _FORMAT.sub(every_case, sent)
    if widened != sent:
        warnings.append("Formats in `fq` are compared in upper and lower case.")
        sent = widened
    if _ORS.search(_top_level(bare)):
        sent = f"+({sent})"
    return sent, warnings


def joined(parts: Iterable[str | None]) -> str | None:
    """Several filters, all of which must hold."""
    held = [part for part in parts if part]
    return " ".join(held) or None


def recent(days: int, now: datetime) -> str:
    """Datasets issued in the last days; those without that date by when the portal took them up."""
    # Portals keep `issued` as text, some as a bare date: a bound late on the day before lets that day in.
    day = now.astimezone(UTC).date() - timedelta(days=days + 1)
    since = f"[{day.isoformat()}T23:59:59Z TO *]"
    return f"+(issued:{since} OR (metadata_created:{since} AND NOT issued:[* TO *]))"


def dates_written_out(text: str, now: datetime) -> str:
    """`NOW-30DAYS` as a date where the field is text (`issued`, `modified`), for which Solr does not count."""

    def dated(found: re.Match[str]) -> str:
        return _moved(now, found[1]).strftime("%Y-%m-%dT%H:%M:%SZ")

    def in_range(found: re.Match[str]) -> str:
        return f"{found[1]}:{found[2]}{_NOW.sub(dated, found[3])}{found[4]}"

    return _TEXT_DATES.sub(in_range, text)


def _moved(now: datetime, steps: str) -> datetime:
    moved = now.astimezone(UTC)
    for amount, unit in _STEP.findall(steps):
        length = _UNITS.get(unit)
        if amount == "/":
            moved = _FLOORS.get(unit, _unchanged)(moved)
        elif length is not None:
            moved += length * int(amount)
    return moved


def _unchanged(moment: datetime) -> datetime:
    return moment


_FLOORS: dict[str, Callable[[datetime], datetime]] = {
    "YEAR": lambda at: at.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0),
    "MONTH": lambda at: at.replace(day=1, hour=0, minute=0, second=0, microsecond=0),
    "DAY": lambda at: at.replace(hour=0, minute=0, second=0, microsecond=0),
    "HOUR": lambda at: at.replace(minute=0, second=0, microsecond=0),
}


def _outside_quotes(text: str, argument: str) -> str:
    """The text without escapes and phrases, each character's place taken by a letter."""
    bare = re.sub(r"\\.", "xx", text, flags=re.DOTALL)
    if bare.count('"') % 2:
        raise BadInput("holds a quote that is not closed.", argument=argument)
    bare = re.sub(r'"[^"]*"', lambda found: "x" * len(found.group()), bare)
    depth = 0
    for character in bare:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
    if depth:
        raise BadInput("holds parentheses that do not pair.", argument=argument)
    return bare


def _top_level(bare: str) -> str:
    """What stands outside all parentheses."""
    depth, kept = 0, ""
    for character in bare:
        depth += character == "("
        kept += character if depth == 0 else " "
        depth -= character == ")"
    return kept
