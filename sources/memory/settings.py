"""Settings of the memory room."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict


class MemorySettings(BaseSettings):
    """None of its own: the embedder and the vector store are set up for the whole house."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )
