"""The server's own settings. Those of a source stand in `sources/<room>/settings.py`.

Every setting is an environment variable: `LOREGRAPH_` and the field's name in capitals. `docs/settings.md`
and `.env.example` are printed from here by `python -m api.settings_reference`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_data_dir
from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from api.environment import ENV_FILE, PREFIX, read_settings
from api.execution.limits import Limits
from api.hosts import ANY, split_host, split_origin
from api.mcp_tools.options import McpOptions

DATABASE_FILE = "loregraph.db"

_LIMITS = Limits()
_MCP = McpOptions()

LogLevel = Literal["debug", "info", "warning", "error"]


def setting(
    default: Any,
    description: str,
    *,
    example: Any = None,
    allowed: str | None = None,
    default_text: str | None = None,
    ge: float | None = None,
    le: float | None = None,
) -> Any:
    """A described field. `allowed` completes "it must be …"; `default_text` is shown for the default.

    A default that is a function is called when no value is given.
    """
    extra = {"allowed": allowed, "default_text": default_text}
    given: Any = {"default_factory": default} if callable(default) else {"default": default}
    return Field(
        **given,
        description=description,
        examples=None if example is None else [example],
        ge=ge,
        le=le,
        json_schema_extra={key: text for key, text in extra.items() if text is not None},
    )


def _user_data_dir() -> Path:
    # Asked late: it fails for a user without a home, who may still name a folder.
    return Path(user_data_dir("loregraph", appauthor=False))


class Settings(BaseSettings):
    """What the whole server goes by. Read it with `load_settings`."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)

    host: str = setting(
        "127.0.0.1",
        "Address that the server listens on. Anything but a loopback address opens it to the network.",
        example="0.0.0.0",  # noqa: S104
        allowed="an address or host name of this machine",
    )
    port: int = setting(8000, "TCP port that the server listens on; 0 takes any free one.", ge=0, le=65535)
    workers: int = setting(1, "Number of server processes.", example=2, ge=1, le=64)
    data_dir: Path = setting(
        _user_data_dir,
        "Folder that holds everything loregraph stores. Made when it is absent.",
        example=Path("/var/lib/loregraph"),
        default_text="the platform's user data folder (Linux: `~/.local/share/loregraph`)",
    )
    database_url: SecretStr | None = setting(
        None,
        f"SQL database to use in place of `{DATABASE_FILE}` in the data folder.",
        example="postgresql://loregraph:secret@localhost/loregraph",
        allowed="a URL like `postgresql://user:password@host/database` or `sqlite:////absolute/path.db`",
        default_text=f"`{DATABASE_FILE}` in the data folder",
    )
    log_level: LogLevel = setting("info", "How much is logged, to the standard error stream.")
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = setting(
        (),
        "Names that this server is known by: what requests may say in their Host header, with any port or"
        " with the one given. Loopback names always may; `*` allows every name.",
        example="loregraph.example.org",
        allowed="host names with commas between, each with or without a port, IPv6 addresses in brackets, no"
        " patterns like `*.example.org`",
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = setting(
        (),
        "Origins of web pages that may call the server from a browser. Pages on loopback names and the server's"
        " own always may; `*` allows every page.",
        example="https://app.example.org",
        allowed="origins like `https://app.example.org` with commas between",
    )
    max_body_bytes: int = setting(
        1_000_000, "Largest request body that is read, in bytes; both doors.", ge=1_000, le=100_000_000
    )
    max_tokens: int = setting(
        _LIMITS.tokens, "Most lexical tokens of one GraphQL document.", ge=100, le=1_000_000
    )
    max_depth: int = setting(
        _LIMITS.depth, "Most levels of nested fields in one GraphQL operation.", ge=1, le=1_000
    )
    max_aliases: int = setting(
        _LIMITS.aliases, "Most aliased fields of one GraphQL operation.", ge=0, le=100_000
    )
    max_root_fields: int = setting(
        _LIMITS.root_fields, "Most root fields of one GraphQL operation.", ge=1, le=100_000
    )
    max_cost: int = setting(
        _LIMITS.cost,
        "Highest cost of one operation, either door; `extensions.cost` of each answer tells what it cost.",
        ge=1,
        le=1_000_000_000,
    )
    deadline_seconds: float = setting(
        _LIMITS.seconds,
        "Seconds that one operation may take before it is ended with TIMEOUT.",
        ge=0.1,
        le=3_600,
    )
    mcp_result_bytes: int = setting(
        _MCP.result_bytes,
        "Largest result of one MCP tool, in bytes of JSON; a longer one is cut, with a cursor to go on from.",
        ge=2_000,
        le=10_000_000,
    )
    mcp_output_schemas: bool = setting(
        _MCP.output_schemas,
        "Whether MCP tools are listed with the schema of their results, which some clients use and all pay for.",
        example=False,
    )
    shutdown_seconds: int = setting(
        10, "Seconds that running requests get to end when the server is stopped.", ge=0, le=600
    )

    body_seconds: float = setting(
        30.0,
        "Seconds that the body of a request may take to arrive, at both doors.",
        ge=0.1,
        le=3_600,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _plain_digits(cls, value: Any, info: ValidationInfo) -> Any:
        # Pydantic reads numbers as Python does, which takes `8_0` for 80.
        number = cls.model_fields[str(info.field_name)].annotation in (int, float)
        if number and isinstance(value, str) and ("_" in value or not value.isascii()):
            raise ValueError("not a number in plain digits")
        return value

    @field_validator("host")
    @classmethod
    def _printable(cls, host: str) -> str:
        if not host or not host.isprintable() or any(character.isspace() for character in host):
            raise ValueError("not an address")
        return host

    @field_validator("data_dir", mode="before")
    @classmethod
    def _named(cls, folder: Any) -> Any:
        # An empty path would be the folder that the command was started in.
        if isinstance(folder, str) and (not folder.strip() or "\0" in folder):
            raise ValueError("not a path")
        return folder

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, folder: Path) -> Path:
        try:
            return folder.expanduser().absolute()
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    @field_validator("allowed_hosts", "allowed_origins", mode="before")
    @classmethod
    def _list(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(item.strip() for item in value.split(",") if item.strip())
        return value

    @field_validator("allowed_hosts")
    @classmethod
    def _hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        if any(host != ANY and split_host(host)[0] is None for host in hosts):
            raise ValueError("a name that no request can have")
        return hosts

    @field_validator("allowed_origins")
    @classmethod
    def _pages(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        if any(origin != ANY and split_origin(origin.rstrip("/")) is None for origin in origins):
            raise ValueError("an origin that no page can have")
        return origins

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @property
    def database_target(self) -> str | Path:
        """The database to open, as `Database.open` takes it."""
        if self.database_url is None:
            return self.data_dir / DATABASE_FILE
        return self.database_url.get_secret_value()


def load_settings(options: Mapping[str, object] | None = None, env_file: Path | None = ENV_FILE) -> Settings:
    """The server's settings: `options` of a command first, then the environment, then `env_file`.

    Raises WrongSettings when a value cannot be used.
    """
    return read_settings(Settings, options, env_file)
