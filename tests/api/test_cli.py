"""The command line: what it says of itself, its prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.opening import all_variables
from schema.query import print_sdl
from tests.support.commands import loregraph

COMMANDS = ("serve", "mcp", "seed", "schema", "tools", "doctor")


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
    for command in ("serve", "mcp", "seed", "doctor"):
        assert "--data-dir" in loregraph(command, "--help", data_dir=tmp_path, cwd=tmp_path).stdout


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


@pytest.mark.parametrize("command", ["serve", "mcp", "seed", "doctor"])
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


@pytest.mark.parametrize("command", ["schema", "tools"])
def test_a_print_is_written_and_checked(command: str, tmp_path: Path) -> None:
    file = tmp_path / "print"
    absent = loregraph(command, "--check", str(file), data_dir=tmp_path, cwd=tmp_path)
    assert absent.returncode == 1
    assert absent.stderr == f"{file} is out of date. Run `loregraph {command} --output {file}`.\n"

    written = loregraph(command, "--output", str(file), data_dir=tmp_path, cwd=tmp_path)
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    current = loregraph(command, "--check", str(file), data_dir=tmp_path, cwd=tmp_path)
    assert (current.returncode, current.stdout, current.stderr) == (0, "", "")

    file.write_text(file.read_text() + "# changed\n")
    assert loregraph(command, "--check", str(file), data_dir=tmp_path, cwd=tmp_path).returncode == 1


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "absent" / "schema.graphql"
    result = loregraph("schema", "--output", str(file), data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == f"loregraph: The file {file} cannot be written: No such file or directory.\n"


def test_seed_fills_the_folder_once(tmp_path: Path) -> None:
    data_dir = tmp_path / "new" / "data"
    first = loregraph("seed", data_dir=data_dir, cwd=tmp_path)
    assert (first.returncode, first.stdout) == (0, "dnd: seeded\n")
    assert "seeding dnd rows: 0 of " in first.stderr
    second = loregraph("seed", "--data-dir", str(data_dir), data_dir=tmp_path / "other", cwd=tmp_path)
    assert (second.returncode, second.stdout, second.stderr) == (0, "dnd: up to date\n", "")
    assert not (tmp_path / "other").exists()


def test_an_unknown_variable_is_warned_of(tmp_path: Path) -> None:
    result = loregraph("seed", data_dir=tmp_path, cwd=tmp_path, variables={"LOREGRAPH_DATADIR": "x"})
    assert result.returncode == 0
    assert (
        "`LOREGRAPH_DATADIR` is set, but loregraph has no such setting. Did you mean `LOREGRAPH_DATA_DIR`?"
        in result.stderr
    )


def test_doctor_of_a_new_folder_says_to_seed_and_makes_nothing(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    result = loregraph("doctor", "--port", "0", data_dir=data_dir, cwd=tmp_path)
    assert result.returncode == 1
    assert f"{data_dir} is not there yet. Run `loregraph seed`" in result.stdout
    assert not data_dir.exists()


def test_doctor_tells_what_is_there(tmp_path: Path) -> None:
    loregraph("seed", data_dir=tmp_path, cwd=tmp_path)
    result = loregraph("doctor", "--port", "0", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{tmp_path}/loregraph.db" in result.stdout
    assert "319 spell, 334 creature." in result.stdout
    assert f"  LOREGRAPH_DATA_DIR={tmp_path}\n" in result.stdout
    assert result.stdout.endswith("All is well.\n")

    as_json = loregraph("doctor", "--port", "0", "--json", data_dir=tmp_path, cwd=tmp_path)
    found = json.loads(as_json.stdout)
    assert found["verdict"] == "fine"
    assert {finding["verdict"] for finding in found["findings"]} == {"fine"}
    assert found["sources"][0]["counts"] == {"spell": 319, "creature": 334}
    assert set(found["settings"]) == {variable.name for variable in all_variables()}


def test_doctor_hides_secrets(tmp_path: Path) -> None:
    url = "postgresql://ada:hunter2@127.0.0.1:1/lore"
    for arguments in (["doctor"], ["doctor", "--json"]):
        result = loregraph(
            *arguments, data_dir=tmp_path, cwd=tmp_path, variables={"LOREGRAPH_DATABASE_URL": url}
        )
        assert result.returncode == 2
        assert "(hidden)" in result.stdout
        assert "hunter2" not in result.stdout + result.stderr
        assert "127.0.0.1" in result.stdout
