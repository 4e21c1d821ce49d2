"""Every error that loregraph means to show to a caller.

    LoregraphError
    ├── BadInput               a value that the caller gave cannot be used; names the argument
    ├── NotFound               the one thing that was asked for does not exist
    ├── Unauthenticated        no token, or one that is unknown or expired
    ├── Forbidden              a token that does not reach this far
    ├── UpstreamError          a system that loregraph asks did not answer as it should
    │   ├── UpstreamUnavailable    refused, unreachable, or out of order
    │   ├── UpstreamTimeout        no answer within its time
    │   ├── UpstreamBadResponse    an answer that is not what was asked for
    │   ├── PortalBlocked          a CKAN portal's firewall turned the request away
    │   └── NotCkan                the address answers, but not as a CKAN portal
    ├── EmbedderMismatch       vectors of another model or dimension than the one asked with
    ├── SourceNotConfigured    the source needs a setting that is absent
    ├── QueryTooExpensive      refused before it was run, since its worst case is over a limit
    ├── RateLimited            too many requests from one caller
    ├── DeadlineExceeded       the operation did not end within its time
    └── DataFolderError        the data folder or database cannot be used; says what to do

The public code of each stands in one table, `schema/errors.py`. Anything else that is raised is a fault of
ours: the doors mask it and log it under an error id.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

_WRITTEN_BITS = 256

SHOWN_ALLOWED = 24
"""At most this many allowed values stand in a message; `BadInput.allowed` always holds all of them."""


class LoregraphError(Exception):
    """Base of all errors whose text is written for the caller."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message

    @property
    def public(self) -> str:
        """What a caller may read. The operator's own errors name paths and say what to do on the machine."""
        return self.message


class BadInput(LoregraphError):
    """A value that cannot be used: which argument, what is wrong, what is allowed, what may have been meant.

    `argument` is the GraphQL path of the value (`filter.levelMin`, `first`). The words are kept apart from the
    names, so that each door can say the same sentence with its own names for arguments and values:
    `message_for` renders it. `related` names a second argument that the problem speaks of, at `{related}`.
    """

    def __init__(
        self,
        problem: str,
        *,
        argument: str,
        related: str | None = None,
        allowed: Iterable[object] = (),
        suggestions: Iterable[str] = (),
    ) -> None:
        self.problem = problem
        self.argument = argument
        self.related = related
        self.allowed = tuple(allowed)
        self.suggestions = tuple(suggestions)
        super().__init__(self.message_for(lambda name: name))

    def message_for(self, name: Callable[[str], str], value: Callable[[object], str] = str) -> str:
        """The sentence with the names of one door: `name` maps an argument path, `value` an allowed value."""
        text = f"`{name(self.argument)}` {self.problem}"
        if self.related is not None:
            text = text.replace("{related}", f"`{name(self.related)}`")
        if self.allowed:
            shown = ", ".join(value(item) for item in self.allowed[:SHOWN_ALLOWED])
            rest = len(self.allowed) - SHOWN_ALLOWED
            text += f" Allowed: {shown}{f' and {rest} more' if rest > 0 else ''}."
        if self.suggestions:
            text += f" Did you mean {' or '.join(f'`{value(item)}`' for item in self.suggestions)}?"
        return text

    @classmethod
    def unknown(
        cls, argument: str, value: object, allowed: Sequence[str], *, list_allowed: bool = True
    ) -> BadInput:
        """`value` is none of `allowed`. Long vocabularies (keys) pass `list_allowed=False`: only the nearest."""
        return cls(
            f"does not know `{shorten(value)}`.",
            argument=argument,
            allowed=allowed if list_allowed else (),
            suggestions=nearest(str(value), allowed),
        )

    @classmethod
    def out_of_range(
        cls, argument: str, value: object, minimum: float | None, maximum: float | None
    ) -> BadInput:
        """`value` lies outside the inclusive range."""
        if minimum is not None and maximum is not None:
            range_ = f"between {minimum:g} and {maximum:g}"
        elif minimum is not None:
            range_ = f"at least {minimum:g}"
        else:
            range_ = f"at most {maximum:g}"
        return cls(f"must be {range_}, got {shorten(value)}.", argument=argument)

    @classmethod
    def crossed(cls, low: str, low_value: object, high: str, high_value: object) -> BadInput:
        """A lower bound above its upper bound."""
        return cls(
            f"({shorten(low_value)}) must not be above {{related}} ({shorten(high_value)}).",
            argument=low,
            related=high,
        )


class NotFound(LoregraphError):
    """The one thing that was asked for does not exist; `suggestions` are the nearest that do."""

    def __init__(self, message: str, *, argument: str | None = None, suggestions: Iterable[str] = ()) -> None:
        self.argument = argument
        self.suggestions = tuple(suggestions)
        if self.suggestions:
            message += f" Did you mean {' or '.join(f'`{item}`' for item in self.suggestions)}?"
        super().__init__(message)


class Unauthenticated(LoregraphError):
    """No token, or one that is unknown or expired."""


class Forbidden(LoregraphError):
    """A token that does not reach this far."""


class UpstreamError(LoregraphError):
    """A system that loregraph asks did not answer as it should. `upstream` names it for the caller."""

    def __init__(self, message: str, *, upstream: str) -> None:
        self.upstream = upstream
        super().__init__(message)


class UpstreamUnavailable(UpstreamError):
    """Refused, unreachable, or out of order; `retry_after` seconds until it may be asked again, where known."""

    def __init__(self, message: str, *, upstream: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message, upstream=upstream)


class UpstreamTimeout(UpstreamError):
    """No answer within its time."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """What an upstream answered in place of what was asked for.

    For the code that has to tell a firewall's page from a portal that moved. `body_start` is the upstream's own
    text and never stands in a message, since it may be a page of HTML or a dump of parameters.
    """

    status: int
    content_type: str
    body_start: str


class UpstreamBadResponse(UpstreamError):
    """An answer that is not what was asked for; `arrived` is that answer, where there was one."""

    def __init__(self, message: str, *, upstream: str, arrived: Arrived | None = None) -> None:
        self.arrived = arrived
        super().__init__(message, upstream=upstream)


class PortalBlocked(UpstreamError):
    """A CKAN portal's firewall turned the request away."""


class NotCkan(UpstreamError):
    """The address answers, but not as a CKAN portal."""


class EmbedderMismatch(LoregraphError):
    """Vectors of another model or dimension than the one asked with."""


class SourceNotConfigured(LoregraphError):
    """The source needs a setting that is absent."""


class QueryTooExpensive(LoregraphError):
    """Refused before it was run: the worst case is over a limit."""


class RateLimited(LoregraphError):
    """Too many requests from one caller; `retry_after` seconds until the next may pass."""

    def __init__(self, message: str, *, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class DeadlineExceeded(LoregraphError):
    """The operation did not end within its time."""


class DataFolderError(LoregraphError):
    """The data folder or database cannot be used. `hint` says what to do; nothing was deleted."""

    def __init__(self, message: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(f"{message} {hint}")

    @property
    def public(self) -> str:
        """Where the data lies and how to mend it is the operator's business."""
        return "The local store cannot answer now. The operator finds the reason in the server's log."


def shorten(value: object, length: int = 80) -> str:
    """`value` as one line of at most `length` characters, safe to stand in a message."""
    text = "".join(character if character.isprintable() else "�" for character in _written(value))
    return text if len(text) <= length else text[: length - 1] + "…"


def _written(value: object) -> str:
    """`value` as its sender wrote it: 5 stays 5 where it was read as 5.0."""
    match value:
        case bool():
            return str(value).lower()
        case int() if value.bit_length() > _WRITTEN_BITS:
            # Python refuses to write out integers of thousands of digits, and nobody would read them.
            sign = "-" if value < 0 else ""
            return f"{sign}1e{int(value.bit_length() * math.log10(2))}"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case float() if not math.isfinite(value):
            return "a number beyond all bounds"
    return str(value)


def nearest(word: str, allowed: Sequence[str], limit: int = 3) -> tuple[str, ...]:
    """The up to `limit` allowed words that `word` is most likely a slip of, best first; empty when none is near."""
    lowered = word[:200].casefold()
    hits = process.extract(
        lowered, [item.casefold() for item in allowed], scorer=fuzz.ratio, score_cutoff=60, limit=limit
    )
    inside = [i for i, item in enumerate(allowed) if len(lowered) >= 3 and lowered in item.casefold()]
    order = dict.fromkeys([*(index for _, _, index in hits), *inside])
    return tuple(allowed[index] for index in list(order)[:limit])
