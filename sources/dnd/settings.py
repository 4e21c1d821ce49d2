"""Settings of the D&D room."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class DndSettings(BaseSettings):
    """Where the live API is, and whether it is asked. The embedded rules need no choice."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    open5e_url: str = Field(
        default="https://api.open5e.com/v2",
        description="Base URL of the Open5e API, version 2, which is asked for documents that are not held here.",
        examples=["http://127.0.0.1:8888/v2"],
        pattern=r"^https?://",
        json_schema_extra={"allowed": "a URL that begins with http:// or https://"},
    )
    open5e_live: bool = Field(
        default=True,
        description="Whether questions are put to Open5e. Without it, only what is held here answers; `loregraph sync`"
        " asks it in any case.",
        examples=[False],
    )
