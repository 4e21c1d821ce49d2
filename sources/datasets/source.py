"""The datasets source: portals over the guarded HTTP client."""

from __future__ import annotations

from typing import ClassVar

from sources.clock import Clock
from sources.datasets.client import Ckan
from sources.datasets.portals import Portals
from sources.datasets.probe import ParserProbe
from sources.datasets.settings import DatasetsSettings
from sources.http import HttpClient
from sources.source import RecordCount, Resources, Shelf, Source, SourceState, SourceStatus


class DatasetsShelf(Shelf):
    """The opened source."""

    def __init__(
        self, http: HttpClient, settings: DatasetsSettings, clock: Clock, *, title: str, description: str
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.portals = Portals(settings)
        self.ckan = Ckan(http)
        self.parser_probe = ParserProbe(self.ckan, clock, settings.probe_seconds)
        self._title = title
        self._description = description

    async def status(self) -> SourceStatus:
        """Ready: which portals answer shows when they are asked. No portal is asked for it."""
        counts = (RecordCount("portal", len(self.portals.registry)),)
        return SourceStatus(
            "datasets", self._title, self._description, SourceState.READY, None, None, counts, ()
        )

    async def close(self) -> None:
        """Ends measurements under way."""
        await self.parser_probe.close()


class DatasetsSource(Source[DatasetsSettings]):
    """Open data portals that run CKAN."""

    name: ClassVar[str] = "datasets"
    title: ClassVar[str] = "Open data portals (CKAN)"
    description: ClassVar[str] = (
        "Datasets of any CKAN portal, searched as was meant, with their resources and DataStore rows."
    )
    settings_type = DatasetsSettings

    async def open(self, resources: Resources, settings: DatasetsSettings) -> DatasetsShelf:
        """Opens the shelf. No portal is asked before a question names it."""
        http = resources.http.guarded(allowed_hosts=settings.allowed_hosts)
        return DatasetsShelf(http, settings, Clock(), title=self.title, description=self.description)
