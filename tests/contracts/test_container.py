"""The container's files: what can be known of them without a container engine."""

from __future__ import annotations

import json
import re

import yaml

from tests.contracts.house import LAYERS, ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
INSTRUCTIONS = [
    line.split(maxsplit=1) for line in DOCKERFILE.replace("\\\n", " ").splitlines() if line[:1].isupper()
]


def arguments(instruction: str) -> list[str]:
    """What follows each occurrence of an instruction."""
    return [rest for name, rest in INSTRUCTIONS if name == instruction]


def test_what_is_copied_exists_and_is_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = {
        source for copy in arguments("COPY") if not copy.startswith("--from") for source in copy.split()[:-1]
    }
    # A part of a folder that is let through is let through with it.
    assert {source for source in copied if source.split("/")[0] not in allowed} == set()
    assert {source for source in copied if "/" not in source} == allowed
    assert set(LAYERS) < copied
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_the_page_is_built_inside_from_its_own_sources() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    # Neither is let in from the machine that builds the image.
    assert {"**/node_modules", "api/playground/static"} <= set(ignored)
    assert "--from=page /page/static api/playground/static" in arguments("COPY")
    assert "api/playground/web ./" in arguments("COPY")


def test_the_server_runs_without_rights() -> None:
    assert arguments("USER") == ["loregraph"]
    assert INSTRUCTIONS.index(["USER", "loregraph"]) < INSTRUCTIONS.index(["CMD", '["loregraph", "serve"]'])


def test_the_health_check_asks_where_the_server_listens() -> None:
    (check,) = arguments("HEALTHCHECK")
    command = json.loads(check[check.index("[") :])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "HEALTHCHECK", "exec")
    assert "/healthz" in command[2]
    variables = dict(re.findall(r"(LOREGRAPH_\w+)=(\S+)", " ".join(arguments("ENV"))))
    assert variables == {
        "LOREGRAPH_HOST": "0.0.0.0",
        "LOREGRAPH_PORT": arguments("EXPOSE")[0],
        "LOREGRAPH_DATA_DIR": arguments("VOLUME")[0],
    }


def test_compose_publishes_on_loopback_alone() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    service = compose["services"]["loregraph"]
    assert service["ports"] == ["127.0.0.1:8000:8000"]
    assert [mount.split(":")[1] for mount in service["volumes"]] == arguments("VOLUME")
    assert set(compose["volumes"]) == {mount.split(":")[0] for mount in service["volumes"]}
