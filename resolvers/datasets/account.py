"""The account of answers from portals: what they cost, and how a query was read."""

from __future__ import annotations

from dataclasses import dataclass, field

from resolvers.scope import Scope
from sources.datasets.client import Told
from sources.datasets.portals import Portal
from sources.datasets.query_resolver import QueryParser, ResolvedQuery, Verdict, plan_query
from sources.datasets.source import DatasetsShelf
from sources.provenance import Provenance


def shelf_of(scope: Scope) -> DatasetsShelf:
    """The opened source."""
    return scope.shelf("datasets", DatasetsShelf)


@dataclass(slots=True)
class Account:
    """Collects what was told on the way to one answer."""

    portal: Portal
    told: list[Told] = field(default_factory=list)
    requests: int = 0
    warnings: list[str] = field(default_factory=list)
    complete: bool = True
    scanned: int = 0
    pushed: list[str] = field(default_factory=list)
    residual: list[str] = field(default_factory=list)

    def add(self, told: Told) -> None:
        """One more answer."""
        self.told.append(told)
        self.requests += told.requests

    def lose(self, warning: str) -> None:
        """Something that belongs to the answer may be missing."""
        self.complete = False
        self.warnings.append(warning)

    def provenance(self, resolved: ResolvedQuery | None = None) -> Provenance:
        """All of it."""
        warnings = [*(resolved.warnings if resolved else ()), *self.warnings]
        if self.told and any(told.stale for told in self.told):
            warnings.append(f"{self.portal.title} does not answer; an older answer stands in.")
        return Provenance(
            source="datasets",
            providers=(self.portal.key,),
            fetched_at=min((told.fetched_at for told in self.told), default=None),
            from_cache=bool(self.told) and all(told.from_cache for told in self.told),
            stale=any(told.stale for told in self.told),
            complete=self.complete,
            scanned=self.scanned,
            pushed_down=list(dict.fromkeys(self.pushed)),
            residual=list(dict.fromkeys(self.residual)),
            upstream_requests=self.requests,
            effective_query=resolved.effective_query if resolved else None,
            parser_verdict=resolved.probe_verdict if resolved else None,
            warnings=list(dict.fromkeys(warnings)),
        )


async def resolve_query(
    shelf: DatasetsShelf,
    account: Account,
    text: str | None,
    parser: QueryParser,
    *,
    argument: str = "q",
) -> ResolvedQuery:
    """How a query is sent to the portal of `account`. Everything that searches goes through here; the portal is
    measured only where the query needs it. Raises `BadInput` for a query without a word."""
    plan = plan_query(text, parser, argument=argument)
    if not plan.needs_verdict:
        return plan.settled()
    measured = await shelf.parser_probe.measure(account.portal)
    account.requests += measured.requests
    if measured.verdict is Verdict.UNKNOWN and measured.problem is not None:
        account.warnings.append(f"Its query parser could not be measured: {measured.problem}")
    return plan.settled(measured.verdict)
