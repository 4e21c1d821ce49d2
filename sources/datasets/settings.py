"""Settings of the datasets room."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class DatasetsSettings(BaseSettings):
    """Which CKAN portals may be asked, and how much is asked beside a question."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_DATASETS_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Hosts, as `host:port`, that are asked wherever they lead and over plain HTTP too: portals on a"
        " private network.",
        examples=["ckan.intranet.example:5000"],
        json_schema_extra={"allowed": "`host:port` with commas between"},
    )
    portals: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Hosts of the only portals that may be asked; `*.example.org` stands for all below it. Without"
        " any, the known portals and every public https host may be.",
        examples=["dati.gov.it,*.gov.uk"],
        json_schema_extra={"allowed": "host names with commas between"},
    )
    probe_seconds: float = Field(
        default=21_600,
        description="Seconds for which the measured verdict on a portal's query parser holds.",
        ge=0,
        le=10**7,
    )
    source_check: bool = Field(
        default=True,
        description="Whether the portal that a resource comes from may be asked for its DataStore, where a question"
        " wants it.",
    )
    source_checks: int = Field(
        default=10,
        description="Most resources of one dataset that are checked at the portals that they come from.",
        ge=0,
        le=100,
    )
    scan_datasets: int = Field(
        default=1_000,
        description="Most datasets that are read for one question whose filter the portal cannot apply itself.",
        ge=100,
        le=10_000,
    )

    @field_validator("allowed_hosts", "portals", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(item.strip() for item in value.split(",") if item.strip())
        return value
