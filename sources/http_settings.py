"""Settings of the HTTP client that asks every upstream."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from sources.proxy_tunnel import Proxy


def _seconds(default: float, description: str, *, least: float = 0.01, most: float = 600) -> Any:
    return Field(default=default, description=description, ge=least, le=most)


def _number(default: int, description: str, *, least: int = 1, most: int) -> Any:
    return Field(default=default, description=description, ge=least, le=most)


def _list(value: Any) -> Any:
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


class HttpSettings(BaseSettings):
    """How loregraph asks other systems over HTTP. A source may be stricter with its own upstream."""

    model_config = SettingsConfigDict(
        env_prefix="LOREGRAPH_HTTP_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    user_agent: str = Field(
        default="Mozilla/5.0 (compatible; loregraph/0.1)",
        description="How loregraph names itself to upstreams. Some portals turn away names that no browser has.",
        min_length=1,
        max_length=200,
        pattern=r"^[\x20-\x7e]+$",
        json_schema_extra={"allowed": "a text of plain ASCII characters"},
    )
    proxy: SecretStr | None = Field(
        default=None,
        description="HTTP proxy through which upstreams are reached, by CONNECT, on every port. Addresses from a"
        " query are still looked up and checked here, and the proxy is given the address that was checked."
        " Proxy variables such as HTTPS_PROXY are never read.",
        examples=["http://proxy.example.org:3128"],
        json_schema_extra={"allowed": "a URL like `http://user:password@host:port`"},
    )
    proxy_except: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Host names that are reached without the proxy. Loopback addresses always are.",
        examples=["open5e.intranet.example"],
        json_schema_extra={"allowed": "host names with commas between"},
    )
    ca_file: Path | None = Field(
        default=None,
        description="File of certificate authorities (PEM) to trust in place of the usual ones.",
        examples=[Path("/etc/ssl/certs/ca-certificates.crt")],
        json_schema_extra={
            "allowed": "the path of a PEM file",
            "default_text": "the authorities that come with the package `certifi`",
        },
    )
    ports: Annotated[tuple[int, ...], NoDecode] = Field(
        default=(80, 443),
        description="Ports that a URL from a query or from upstream data may name.",
        examples=["80,443,8443"],
        json_schema_extra={"allowed": "port numbers with commas between"},
    )
    connections: int = _number(
        64,
        "Most connections open to upstreams at once, counted apart for operator's URLs and for URLs of queries.",
        most=10_000,
    )
    host_connections: int = _number(
        8, "Most requests under way to one host at once; more wait their turn.", most=1_000
    )
    host_rate: float = Field(
        default=20,
        description="Requests a second that one host is sent at most, on average.",
        ge=0.1,
        le=10_000,
    )
    host_burst: int = _number(20, "Requests that one host may be sent at once after a pause.", most=10_000)
    connect_seconds: float = _seconds(
        5, "Seconds in which a connection must stand, the name looked up included."
    )
    first_byte_seconds: float = _seconds(15, "Seconds in which the head of an answer must have come.")
    body_seconds: float = _seconds(30, "Seconds in which the whole body of an answer must have come.")
    total_seconds: float = _seconds(
        45,
        "Seconds that one call may take with its retries, redirects and waits; a nearer deadline goes before.",
    )
    attempts: int = _number(
        3, "Times that a request is tried when the upstream is unreachable or busy.", most=10
    )
    retry_seconds: float = _seconds(
        0.25, "Longest wait before the first retry; it doubles with each, and a random part of it is waited."
    )
    longest_retry_seconds: float = _seconds(
        10, "A retry that had to wait longer, because the upstream asks for it, is not made."
    )
    longest_pause_seconds: float = _seconds(
        120, "An upstream that asks for a pause is left alone for no longer than this.", most=3_600
    )
    breaker_failures: int = _number(
        5,
        "Failures in a row after which a host is taken to be down and is not asked for a while.",
        most=1_000,
    )
    breaker_seconds: float = _seconds(
        15, "Seconds for which a host that is down is left alone; then one request tries whether it is back."
    )
    redirects: int = _number(5, "Most redirects that are followed for one request.", least=0, most=20)
    wire_bytes: int = _number(
        16 * 2**20, "Largest body as it is sent, in bytes; the rest is not read.", least=1_000, most=2**32
    )
    body_bytes: int = _number(
        32 * 2**20, "Largest body once it is decompressed, in bytes.", least=1_000, most=2**32
    )
    fresh_seconds: float = _seconds(
        300,
        "Seconds for which an answer is used again without asking; 0 asks every time.",
        least=0,
        most=10**8,
    )
    stale_seconds: float = _seconds(
        86_400,
        "Seconds beyond its freshness for which an answer stands in while the upstream fails, marked as stale.",
        least=0,
        most=10**8,
    )
    cache_entries: int = _number(1_000, "Most answers kept for use again.", least=0, most=10_000_000)
    cache_bytes: int = _number(
        128 * 2**20,
        "Most bytes of answers kept; one larger than an eighth of it is not.",
        least=0,
        most=2**40,
    )

    @field_validator("ports", "proxy_except", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return _list(value)

    @field_validator("ports")
    @classmethod
    def _are_ports(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or not all(0 < port < 65536 for port in value):
            raise ValueError("ports are numbers from 1 to 65535")
        return value

    @field_validator("proxy")
    @classmethod
    def _is_proxy(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            Proxy.read(value.get_secret_value())
        return value

    @field_validator("ca_file")
    @classmethod
    def _is_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError("there is no such file")
        return value
