"""Settings of the D&D room."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict


class DndSettings(BaseSettings):
    """None yet: the embedded rules need no choice. The live providers will bring theirs."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )
