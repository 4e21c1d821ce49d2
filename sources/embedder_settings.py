"""Settings of the embedder, and the embedder that they ask for."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from sources.embedder import Embedder
from sources.embedder_minilm import MiniLm
from sources.embedder_openai import NAME, OpenAiEmbedder
from sources.errors import SourceNotConfigured
from sources.http import Http


class EmbedderKind(StrEnum):
    """Who makes vectors."""

    MINILM = "minilm"
    OPENAI = "openai"


class EmbedderSettings(BaseSettings):
    """What turns texts into vectors, for search by meaning. The default needs no network."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_EMBEDDER_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    kind: EmbedderKind = Field(
        default=EmbedderKind.MINILM,
        description="What makes vectors: `minilm` runs here, offline; `openai` is any endpoint that speaks OpenAI's"
        " protocol. Another choice makes every index be built anew.",
        examples=["openai"],
    )
    threads: int = Field(default=1, description="Threads that `minilm` works with on one batch.", ge=1, le=64)
    openai_url: str = Field(
        default="https://api.openai.com/v1",
        description="Base URL of the endpoint that `openai` asks.",
        examples=["http://127.0.0.1:11434/v1"],
        pattern=r"^https?://",
        json_schema_extra={"allowed": "a URL that begins with http:// or https://"},
    )
    openai_model: str = Field(
        default="text-embedding-3-small",
        description="The model that `openai` asks for.",
        min_length=1,
        max_length=200,
    )
    openai_key: SecretStr | None = Field(
        default=None, description="The key that `openai` sends, where its endpoint wants one."
    )
    dimension: int = Field(
        default=1536,
        description="Dimension of the vectors of `openai`'s model. Vectors of another dimension are an error.",
        ge=1,
        le=65_536,
    )
    shorten: bool = Field(
        default=False,
        description="Whether `openai` asks its model for vectors of that dimension, where the model can shorten them.",
        examples=[True],
    )


def make_embedder(settings: EmbedderSettings, http: Http) -> Embedder:
    """The embedder that is set up. Nothing is loaded or asked yet. Raises `SourceNotConfigured`."""
    if settings.kind is EmbedderKind.MINILM:
        return MiniLm(settings.threads)
    if settings.openai_url.startswith("https://api.openai.com") and settings.openai_key is None:
        raise SourceNotConfigured(
            f"{NAME} wants a key: set `LOREGRAPH_EMBEDDER_OPENAI_KEY`, or leave `LOREGRAPH_EMBEDDER_KIND` at"
            " `minilm`."
        )
    headers = {}
    if settings.openai_key is not None:
        headers["authorization"] = f"Bearer {settings.openai_key.get_secret_value()}"
    client = http.trusted(NAME, settings.openai_url, headers=headers)
    return OpenAiEmbedder(client, settings.openai_model, settings.dimension, shorten=settings.shorten)
