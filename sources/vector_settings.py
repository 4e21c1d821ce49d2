"""Settings of the vector store and of the index in it."""

from __future__ import annotations

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class VectorSettings(BaseSettings):
    """Where vectors lie, and who keeps them up to date."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    chroma_url: str | None = Field(
        default=None,
        description="A Chroma server that holds the vectors, in place of the folder `chroma` in the data folder."
        " More than one server process needs it.",
        examples=["http://127.0.0.1:8001"],
        pattern=r"^https?://",
        json_schema_extra={
            "allowed": "a URL that begins with http:// or https://",
            "default_text": "the folder `chroma` in the data folder, with one owner process",
        },
    )
    chroma_token: SecretStr | None = Field(
        default=None, description="The bearer token that the Chroma server wants, where it wants one."
    )
    indexing: bool = Field(
        default=True,
        description="Whether a server makes vectors of what is new, in the background. Without it, search goes by"
        " words and names until `loregraph index` was run.",
        examples=[False],
    )
    index_poll_seconds: float = Field(
        default=2.0,
        description="Seconds between two looks at whether something changed that vectors are to be made of.",
        ge=0.1,
        le=3_600,
    )
