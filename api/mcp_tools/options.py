"""What the MCP door can be told; `api.settings` fills it in."""

from __future__ import annotations

from dataclasses import dataclass

ANY = "*"
LOOPBACK_HOSTS = ("127.0.0.1", "127.0.0.1:*", "localhost", "localhost:*", "[::1]", "[::1]:*")
LOOPBACK_ORIGINS = tuple(f"{scheme}://{host}" for scheme in ("http", "https") for host in LOOPBACK_HOSTS)


@dataclass(frozen=True, slots=True)
class McpOptions:
    """Settings of the MCP door.

    - `result_bytes`: the most that the JSON of one result may take; more than that drops trailing items
    - `output_schemas`: whether tools are listed with an output schema
    - `allowed_hosts`, `allowed_origins`: what the Host and Origin headers may say, exactly or with `:*` in
      place of the port; a request without Origin passes. Empty `allowed_hosts` stand for this machine alone.
      `*` in either turns both checks off here, and leaves them to the guard that stands before every route
    - `guarded`: `api.guard` stands before the door and has checked both headers by its own rules, so they are not
      checked again by the SDK's, which know fewer names
    - `max_body_bytes`: the largest request body over HTTP
    - `list_ttl_ms`: for how long a client may keep a list that only changes with the program
    - `tools_ttl_ms`: for how long the list of tools, some of whose descriptions say what is there now
    """

    result_bytes: int = 60_000
    output_schemas: bool = True
    allowed_hosts: tuple[str, ...] = LOOPBACK_HOSTS
    allowed_origins: tuple[str, ...] = LOOPBACK_ORIGINS
    guarded: bool = False
    max_body_bytes: int = 1_000_000
    list_ttl_ms: int = 60_000
    tools_ttl_ms: int = 5_000
