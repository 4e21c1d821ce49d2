"""Settings of the library room."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class LibrarySettings(BaseSettings):
    """What one file of an imported folder may cost. The embedded catalogue needs no choice."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    library_file_seconds: int = Field(
        default=60,
        ge=1,
        le=3600,
        description="Seconds that reading one file of an imported folder may take before it is given up.",
        examples=[300],
        json_schema_extra={"allowed": "a whole number from 1 to 3600"},
    )
    library_file_memory_mb: int = Field(
        default=1024,
        ge=128,
        le=65536,
        description="Megabytes of memory that reading one file of an imported folder may take.",
        examples=[2048],
        json_schema_extra={"allowed": "a whole number from 128 to 65536"},
    )
