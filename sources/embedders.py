"""The embedders of a house: the one that is set up, and those that single collections ask for beside it."""

from __future__ import annotations

from dataclasses import dataclass

from sources.embedder import Embedder
from sources.embedder_minilm import DIMENSION as MINILM_DIMENSION
from sources.embedder_minilm import MiniLm
from sources.embedder_settings import EmbedderKind, EmbedderSettings, make_embedder
from sources.http import Http


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """Which embedder makes the vectors of a collection: its kind, the model that it runs, and their dimension."""

    kind: EmbedderKind
    model: str
    dimension: int


MINILM = EmbedderSpec(EmbedderKind.MINILM, MiniLm.model, MINILM_DIMENSION)
"""The one that comes with loregraph."""


def standard_spec(settings: EmbedderSettings) -> EmbedderSpec:
    """What is used where nothing else is asked for."""
    if settings.kind is EmbedderKind.MINILM:
        return MINILM
    return EmbedderSpec(settings.kind, settings.openai_model, settings.dimension)


class Embedders:
    """Makes each embedder when it is first wanted, and keeps it: a model is loaded once for all collections."""

    def __init__(self, settings: EmbedderSettings, http: Http) -> None:
        self._settings = settings
        self._http = http
        self._made: dict[EmbedderSpec, Embedder] = {}
        self.standard = standard_spec(settings)

    def of(self, spec: EmbedderSpec | None = None) -> Embedder:
        """The embedder of `spec`, or the one that is set up. Raises `SourceNotConfigured`."""
        wanted = self.standard if spec is None else spec
        made = self._made.get(wanted)
        if made is None:
            changed: dict[str, object] = {"kind": wanted.kind}
            if wanted.kind is EmbedderKind.OPENAI:
                changed |= {"openai_model": wanted.model, "dimension": wanted.dimension}
            made = self._made[wanted] = make_embedder(self._settings.model_copy(update=changed), self._http)
        return made

    async def close(self) -> None:
        """Lets go of all models."""
        for made in self._made.values():
            await made.close()
