"""The command line: what it says of itself, its prints, and how it ends."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from api.app import create_app
from api.commands import prints
from api.commands.doctor import doctor
from api.opening import all_variables
from api.settings import Settings
from schema.query import ROOM_NAMES, print_sdl
from sources.errors import LoregraphError
from tests.api.test_start_up import ALL_SEEDED
from tests.support.commands import loregraph
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down
from tests.support.live import ENVIRONMENT
from tests.support.server import serving

pytestmark = pytest.mark.timeout(300)


COMMANDS = ("serve", "mcp", "seed", "import", "sync", "schema", "tools", "doctor", "sample")


def test_help_names_every_command_in_one_line(tmp_path: Path) -> None:
    result = loregraph("--help", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr == ""
    lines = [line.strip(" │") for line in result.stdout.splitlines()]
    for command in COMMANDS:
        (line,) = [line for line in lines if line.startswith(f"{command} ")]
        assert line.endswith("."), line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_that_is_a_setting_names_its_variable(command: str, tmp_path: Path) -> None:
    result = loregraph(command, "--help", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 0
    text = " ".join(result.stdout.replace("│", " ").split())
    for variable in all_variables():
        option = f"--{variable.field.replace('_', '-')} "
        assert (option in text) == (f"({variable.name})" in text)


def test_the_data_folder_can_be_chosen_wherever_data_is_used(tmp_path: Path) -> None:
    for command in (
        ("serve",),
        ("mcp",),
        ("seed",),
        ("doctor",),
        ("import",),
        ("sync",),
        ("sample", "remove"),
    ):
        assert "--data-dir" in loregraph(*command, "--help", data_dir=tmp_path, cwd=tmp_path).stdout


def test_help_starts_without_what_the_commands_need(tmp_path: Path) -> None:
    result = loregraph("--help", data_dir=tmp_path, cwd=tmp_path, variables={"PYTHONPROFILEIMPORTTIME": "1"})
    imported = {line.rsplit("|", 1)[-1].strip() for line in result.stderr.splitlines()}
    assert "typer" in imported
    assert imported.isdisjoint(
        {"strawberry", "graphql", "mcp", "chromadb", "sqlalchemy", "uvicorn", "pydantic"}
    )


def test_version(tmp_path: Path) -> None:
    result = loregraph("--version", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.startswith("loregraph ")


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    result = loregraph(data_dir=tmp_path, cwd=tmp_path)
    assert "Usage:" in result.stdout + result.stderr
    assert result.returncode == 2


def test_an_unknown_command_ends_with_the_nearest(tmp_path: Path) -> None:
    result = loregraph("sevre", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert "Did you mean 'serve'" in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_wrong_setting_is_one_sentence_and_code_2(command: str, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    result = loregraph(command, data_dir=data_dir, cwd=tmp_path, variables={"LOREGRAPH_PORT": "99999"})
    assert result.returncode == 2
    assert result.stderr == (
        "loregraph: `LOREGRAPH_PORT` must be a whole number from 0 to 65535, got `99999`.\n"
    )
    assert result.stdout == ""
    assert not data_dir.exists()


def test_a_wrong_option_is_named_as_the_option(tmp_path: Path) -> None:
    result = loregraph("serve", "--workers", "many", data_dir=tmp_path / "data", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        "loregraph: `--workers` (`LOREGRAPH_WORKERS`) must be a whole number from 1 to 64, got `many`.\n"
    )


def test_schema_prints_the_schema_language_alone(tmp_path: Path) -> None:
    result = loregraph("schema", data_dir=tmp_path / "data", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == print_sdl()
    assert not (tmp_path / "data").exists()


def test_tools_prints_a_list_of_tools(tmp_path: Path) -> None:
    result = loregraph("tools", data_dir=tmp_path / "data", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    printed = json.loads(result.stdout)
    tools = printed["tools"] if isinstance(printed, dict) else printed
    assert {"lookup_spell", "get_spell", "list_sources"} <= {tool["name"] for tool in tools}


@pytest.mark.parametrize("command", [prints.schema, prints.tools], ids=["schema", "tools"])
def test_a_print_is_written_and_checked(
    command: Callable[[Path | None, Path | None], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "print"
    assert command(None, file) == 1
    name = command.__name__
    assert capsys.readouterr() == ("", f"{file} is out of date. Run `loregraph {name} --output {file}`.\n")

    assert command(file, None) == 0
    assert command(None, file) == 0
    assert capsys.readouterr() == ("", "")

    file.write_text(file.read_text() + "# changed\n")
    assert command(None, file) == 1


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "absent" / "schema.graphql"
    with pytest.raises(
        LoregraphError, match=rf"The file {file} cannot be written: No such file or directory\."
    ):
        prints.schema(file, None)
    with pytest.raises(LoregraphError, match=rf"The file {tmp_path} cannot be read: Is a directory\."):
        prints.schema(None, tmp_path)


def test_seed_fills_the_folder_once(tmp_path: Path) -> None:
    data_dir = tmp_path / "new" / "data"
    first = loregraph("seed", data_dir=data_dir, cwd=tmp_path)
    assert (first.returncode, first.stdout) == (0, ALL_SEEDED)
    assert "seeding dnd rows: 0 of " in first.stderr
    second = loregraph("seed", "--data-dir", str(data_dir), data_dir=tmp_path / "other", cwd=tmp_path)
    up_to_date = "".join(f"{name}: up to date\n" for name in ROOM_NAMES)
    assert (second.returncode, second.stdout, second.stderr) == (0, up_to_date, "")
    assert not (tmp_path / "other").exists()


def test_an_unknown_variable_is_warned_of(tmp_path: Path) -> None:
    result = loregraph("seed", data_dir=tmp_path, cwd=tmp_path, variables={"LOREGRAPH_DATADIR": "x"})
    assert result.returncode == 0
    assert (
        "`LOREGRAPH_DATADIR` is set, but loregraph has no such setting. Did you mean `LOREGRAPH_DATA_DIR`?"
        in result.stderr
    )


@pytest.mark.usefixtures("own_log")
def test_doctor_of_a_new_folder_says_to_seed_and_makes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data_dir = tmp_path / "data"
    assert doctor({"port": "0", "data_dir": data_dir}, as_json=False) == 1
    assert f"{data_dir} is not there yet. Run `loregraph seed`" in capsys.readouterr().out
    assert not data_dir.exists()


def test_doctor_tells_what_is_there(seeded_settings: Settings, tmp_path: Path) -> None:
    data_dir = seeded_settings.data_dir
    result = loregraph("doctor", "--port", "0", data_dir=data_dir, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{data_dir}/loregraph.db" in result.stdout
    assert "319 spell, 334 creature, " in result.stdout
    assert f"  LOREGRAPH_DATA_DIR={data_dir}\n" in result.stdout
    assert result.stdout.endswith("All is well.\n")


@pytest.mark.usefixtures("own_log")
def test_doctor_as_json(seeded_settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor({"port": "0", "data_dir": seeded_settings.data_dir}, as_json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "fine"
    assert {finding["verdict"] for finding in found["findings"]} == {"fine"}
    (counts,) = (source["counts"] for source in found["sources"] if source["name"] == "dnd")
    assert (counts["spell"], counts["creature"], counts["magic-item"], counts["class"]) == (319, 334, 362, 12)
    assert set(found["settings"]) == {variable.name for variable in all_variables()}


@pytest.mark.usefixtures("own_log")
def test_doctor_tries_the_upstreams_when_asked_to(
    seeded_settings: Settings,
    srd_open5e: FakeOpen5e,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in {**ENVIRONMENT, "LOREGRAPH_OPEN5E_URL": srd_open5e.url}.items():
        monkeypatch.setenv(name, value)
    options = {"port": "0", "data_dir": seeded_settings.data_dir}
    assert doctor(options, as_json=False) == 0
    assert srd_open5e.calls == []
    srd_open5e.ignored.add("school__key")
    assert doctor(options, as_json=False, probe=True) == 1
    printed = capsys.readouterr().out
    assert "/spells/ level: as declared (level=" in printed
    assert "/spells/ school__key: not as declared" in printed
    assert "319 of 319" in printed
    srd_open5e.faults.always(Down())
    assert doctor(options, as_json=False, probe=True) == 1
    assert "probe dnd" in capsys.readouterr().out


@pytest.mark.usefixtures("own_log")
def test_doctor_says_whether_the_port_is_taken(
    seeded_settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        taken.settimeout(0)
        port = taken.getsockname()[1]
        taken.listen(0)
        assert doctor({"port": str(port), "data_dir": seeded_settings.data_dir}, as_json=False) == 1
    assert f"Port {port} on 127.0.0.1 is in use." in capsys.readouterr().out


@pytest.mark.usefixtures("own_log")
def test_doctor_knows_a_server_of_ours(seeded_settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(create_app(seeded_settings)) as base:
        port = base.rpartition(":")[2]
        assert doctor({"port": port, "data_dir": seeded_settings.data_dir}, as_json=False) == 0
    assert f"A loregraph server answers at 127.0.0.1, port {port}." in capsys.readouterr().out


@pytest.mark.usefixtures("own_log")
@pytest.mark.parametrize("as_json", [True, False])
def test_doctor_hides_secrets(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOREGRAPH_DATABASE_URL", "postgresql://ada:hunter2@127.0.0.1:1/lore")
    assert doctor({"port": "0", "data_dir": tmp_path}, as_json=as_json) == 2
    printed = capsys.readouterr().out
    assert "(hidden)" in printed
    assert "hunter2" not in printed
