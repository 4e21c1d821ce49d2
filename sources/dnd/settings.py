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
    dnd5e_url: str = Field(
        default="https://www.dnd5eapi.co",
        description="Address of the D&D 5e API, which is asked where a question names it as the provider.",
        examples=["http://127.0.0.1:3000"],
        pattern=r"^https?://",
        json_schema_extra={"allowed": "a URL that begins with http:// or https://"},
    )
    dnd5e_live: bool = Field(
        default=True,
        description="Whether the D&D 5e API may be asked.",
        examples=[False],
    )
    dnd5e_rate: float = Field(
        default=40,
        description="Requests a second that the D&D 5e API is sent at most, on average, eight at once. The public one"
        " refuses more than 50.",
        ge=0.1,
        le=10_000,
    )
