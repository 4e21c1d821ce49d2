"""Settings: what is read, what is refused and how, and that their documents are current."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr
from pydantic_settings import BaseSettings

from api.environment import Variable, WrongSettings, read_settings, unknown_variables, variables, written
from api.opening import all_settings_types, all_variables
from api.settings import load_settings
from api.settings_reference import COMMAND, drifted, env_example, settings_page


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the environment nor a `.env` of the person who runs the tests."""
    for variable in all_variables():
        monkeypatch.delenv(variable.name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_defaults_are_this_machine_alone() -> None:
    settings = load_settings()
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.data_dir.name == "loregraph"
    assert settings.database_target == settings.data_dir / "loregraph.db"
    assert settings.allowed_hosts == settings.allowed_origins == ()


def test_the_platform_says_where_data_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_DATA_DIR", "~/lore")
    monkeypatch.setenv("HOME", "/home/ada")
    assert load_settings().data_dir == Path("/home/ada/lore")


def test_a_relative_data_folder_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREGRAPH_DATA_DIR", "here/there")
    assert load_settings().data_dir == tmp_path / "here" / "there"


def test_options_win_over_the_environment_and_it_over_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("LOREGRAPH_PORT=1111\nLOREGRAPH_HOST=file\nLOREGRAPH_WORKERS=3\n")
    monkeypatch.setenv("LOREGRAPH_PORT", "2222")
    monkeypatch.setenv("LOREGRAPH_HOST", "environment")
    settings = load_settings({"port": "3333", "host": None})
    assert (settings.port, settings.host, settings.workers) == (3333, "environment", 3)


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_PORT", "")
    assert load_settings().port == 8000


def test_lists_are_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_ALLOWED_HOSTS", " lore.example , ,localhost:8000")
    assert load_settings().allowed_hosts == ("lore.example", "localhost:8000")


def test_log_levels_ignore_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_LOG_LEVEL", "WARNING")
    assert load_settings().log_level == "warning"


HOST = "`LOREGRAPH_HOST` must be an address or host name of this machine"
HOSTS = (
    "`LOREGRAPH_ALLOWED_HOSTS` must be host names with commas between, each with or without a port, IPv6 addresses"
    " in brackets, no patterns like `*.example.org`"
)
WRONG_HOSTS = [
    "http://x",
    "a/b",
    '["a"',
    "*.example.org",
    "fine.example,a b",
    "a:x",
    "a:70000",
    "2001:db8::1",
    "m\N{LATIN SMALL LETTER U WITH DIAERESIS}nchen.example",
    "a..b",
]
ORIGINS = "`LOREGRAPH_ALLOWED_ORIGINS` must be origins like `https://app.example.org` with commas between"
WRONG_ORIGINS = ["evil", "https://a/b", "https://*.example.org", "null", "https://", "https://a?b", "//a"]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "65536", "`LOREGRAPH_PORT` must be a whole number from 0 to 65535, got `65536`."),
        ("PORT", "http", "`LOREGRAPH_PORT` must be a whole number from 0 to 65535, got `http`."),
        ("WORKERS", "0", "`LOREGRAPH_WORKERS` must be a whole number from 1 to 64, got `0`."),
        (
            "LOG_LEVEL",
            "warn",
            "`LOREGRAPH_LOG_LEVEL` must be `debug`, `info`, `warning` or `error`, got `warn`."
            " Did you mean `warning`?",
        ),
        (
            "MCP_OUTPUT_SCHEMAS",
            "maybe",
            "`LOREGRAPH_MCP_OUTPUT_SCHEMAS` must be `true` or `false`, got `maybe`.",
        ),
        ("PORT", "8_0", "`LOREGRAPH_PORT` must be a whole number from 0 to 65535, got `8_0`."),
        (
            "WORKERS",
            "\N{ARABIC-INDIC DIGIT TWO}",
            "`LOREGRAPH_WORKERS` must be a whole number from 1 to 64, got `\N{ARABIC-INDIC DIGIT TWO}`.",
        ),
        (
            "DEADLINE_SECONDS",
            "1_0.5",
            "`LOREGRAPH_DEADLINE_SECONDS` must be a number from 0.1 to 3600, got `1_0.5`.",
        ),
        ("HOST", "127.0.0.1\n", f"{HOST}, got `127.0.0.1\N{REPLACEMENT CHARACTER}`."),
        ("HOST", "local host", f"{HOST}, got `local host`."),
        ("HOST", "\x1b[2J", f"{HOST}, got `\N{REPLACEMENT CHARACTER}[2J`."),
        *[("ALLOWED_HOSTS", value, f"{HOSTS}, got `{value}`.") for value in WRONG_HOSTS],
        *[("ALLOWED_ORIGINS", value, f"{ORIGINS}, got `{value}`.") for value in WRONG_ORIGINS],
        (
            "DATA_DIR",
            "~nobody-at-all/lore",
            "`LOREGRAPH_DATA_DIR` must be the path of a folder, got `~nobody-at-all/lore`.",
        ),
    ],
)
def test_a_wrong_value_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(f"LOREGRAPH_{name}", value)
    with pytest.raises(WrongSettings) as caught:
        load_settings()
    assert caught.value.problems == (sentence,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (
            "ALLOWED_HOSTS",
            "*,Lore.example,lore.example:8443,[2001:db8::1],[::2]:80,10.0.0.1,under_score.example",
        ),
        (
            "ALLOWED_ORIGINS",
            "*,https://app.example.org/,http://a:8080,chrome-extension://abcdef,http://[::2]:1",
        ),
    ],
)
def test_hosts_and_origins_that_can_match(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"LOREGRAPH_{name}", value)
    assert getattr(load_settings(), name.lower()) == tuple(value.split(","))


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("data_dir", "`--data-dir` (`LOREGRAPH_DATA_DIR`) must be the path of a folder; it is empty."),
        ("port", "`--port` (`LOREGRAPH_PORT`) must be a whole number from 0 to 65535; it is empty."),
        ("host", f"`--host` ({HOST.replace(' must', ') must')}; it is empty."),
    ],
)
def test_an_empty_option_is_an_error(option: str, sentence: str) -> None:
    with pytest.raises(WrongSettings) as caught:
        load_settings({option: ""})
    assert caught.value.problems == (sentence,)


def test_an_empty_data_folder_of_the_environment_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_DATA_DIR", "")
    assert load_settings().data_dir.name == "loregraph"


def test_every_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_PORT", "-1")
    with pytest.raises(WrongSettings) as caught:
        load_settings({"workers": "many"})
    assert sorted(caught.value.problems) == [
        "`--workers` (`LOREGRAPH_WORKERS`) must be a whole number from 1 to 64, got `many`.",
        "`LOREGRAPH_PORT` must be a whole number from 0 to 65535, got `-1`.",
    ]


def test_a_settings_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00LOREGRAPH_PORT=1")
    with pytest.raises(WrongSettings, match=r"The settings file `\.env` cannot be read as text\."):
        load_settings()


def test_an_unknown_variable_is_named_with_the_nearest() -> None:
    environment = {"LOREGRAPH_PROT": "1", "loregraph_port": "2", "LOREGRAPH_TEST_URL": "3", "PATH": "4"}
    assert unknown_variables(["LOREGRAPH_PORT", "LOREGRAPH_HOST"], environment) == [
        "`LOREGRAPH_PROT` is set, but loregraph has no such setting. Did you mean `LOREGRAPH_PORT`?"
    ]


def test_an_unknown_variable_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOREGRAPH_COLOUR=red\n")
    assert unknown_variables(["LOREGRAPH_PORT"], {}) == [
        "`LOREGRAPH_COLOUR` is set, but loregraph has no such setting."
    ]


def test_the_database_url_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_DATABASE_URL", "postgresql://ada:hunter2@db/lore")
    settings = load_settings()
    assert settings.database_target == "postgresql://ada:hunter2@db/lore"
    assert "hunter2" not in f"{settings!r} {settings}"
    assert written(settings.database_url) == "(hidden)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        (2.0, "2"),
        (("a", "b"), "a,b"),
        (SecretStr("x"), "(hidden)"),
    ],
)
def test_values_are_written_as_the_environment_takes_them(value: object, text: str) -> None:
    assert written(value) == text


@pytest.mark.parametrize(
    ("kind", "variable"),
    [pytest.param(kind, item, id=item.name) for kind in all_settings_types() for item in variables(kind)],
)
def test_every_setting_is_described_and_its_example_is_taken(
    kind: type[BaseSettings], variable: Variable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert variable.description.endswith(".")
    assert variable.allowed
    assert variable.default
    assert variable.example
    monkeypatch.setenv(variable.name, variable.example)
    taken = getattr(read_settings(kind), variable.field)
    shown = taken.get_secret_value() if isinstance(taken, SecretStr) else written(taken)
    assert shown == variable.example


def test_no_two_settings_share_a_variable() -> None:
    names = [variable.name for variable in all_variables()]
    assert len(names) == len(set(names))
    assert {"LOREGRAPH_HOST", "LOREGRAPH_PORT", "LOREGRAPH_DATA_DIR", "LOREGRAPH_DATABASE_URL"} <= set(names)


def test_generated_documents_are_current() -> None:
    assert drifted() == [], f"run `{COMMAND}`"


def test_drift_is_noticed(tmp_path: Path) -> None:
    assert drifted(tmp_path) == [tmp_path / "docs" / "settings.md", tmp_path / ".env.example"]


def test_the_documents_hold_every_setting() -> None:
    page, example = settings_page(), env_example()
    for variable in all_variables():
        assert page.count(f"| `{variable.name}` |") == 1
        assert example.count(f"\n#{variable.name}=") == 1
