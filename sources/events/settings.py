"""Settings of the events room."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict


class EventsSettings(BaseSettings):
    """None: events come with the program or by `loregraph import`."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )
