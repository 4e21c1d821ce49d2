"""The settings of the HTTP client."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.environment import WrongSettings, read_settings, variables
from sources.http_settings import HttpSettings


def test_every_setting_is_described_and_has_an_example() -> None:
    for variable in variables(HttpSettings):
        assert variable.name.startswith("LOREGRAPH_HTTP_")
        assert variable.description.endswith(".")
        assert variable.allowed
        assert variable.example


def test_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_HTTP_PORTS", "443, 8443")
    monkeypatch.setenv("LOREGRAPH_HTTP_PROXY_EXCEPT", "a.example,b.example")
    monkeypatch.setenv("LOREGRAPH_HTTP_PROXY", "http://user:secret@proxy.example:3128")
    settings = read_settings(HttpSettings, env_file=None)
    assert settings.ports == (443, 8443)
    assert settings.proxy_except == ("a.example", "b.example")
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORTS", "0"),
        ("PORTS", "70000"),
        ("PORTS", "https"),
        ("PROXY", "socks5://user:secret@proxy.example:1"),
        ("CA_FILE", "/nowhere/at/all.pem"),
        ("USER_AGENT", "a\nb"),
        ("USER_AGENT", "bücher"),
        ("ATTEMPTS", "0"),
        ("CONNECT_SECONDS", "0"),
        ("BODY_BYTES", "lots"),
    ],
)
def test_what_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"LOREGRAPH_HTTP_{name}", value)
    with pytest.raises(WrongSettings) as caught:
        read_settings(HttpSettings, env_file=None)
    (problem,) = caught.value.problems
    assert problem.startswith(f"`LOREGRAPH_HTTP_{name}` must be ")
    assert "secret" not in problem


def test_the_file_of_authorities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("")
    monkeypatch.setenv("LOREGRAPH_HTTP_CA_FILE", str(file))
    assert read_settings(HttpSettings, env_file=None).ca_file == file
