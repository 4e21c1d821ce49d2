"""`loregraph import` and `loregraph sample remove`, over a room whose importer only counts lines."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa

import api.commands.importing as command
from api.commands import sample
from schema.query import ROOMS
from schema.room import Room
from sources.database import Database
from sources.errors import BadInput
from sources.importing import Importer, ImportOptions, ImportOutcome
from sources.source import Report

pytestmark = pytest.mark.timeout(120)


class LineImporter(Importer):
    """Takes text files, a record a line; lines that say `bad` are rejected. Migrated tables must be there."""

    takes: ClassVar[str] = "lines of text"

    def schema(self) -> Mapping[str, Any]:
        return {"type": "string"}

    def run(
        self,
        database: Database,
        settings: Any,
        paths: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> ImportOutcome:
        with database.writing() as session:
            assert "data_version" in sa.inspect(session.connection()).get_table_names()
        lines = [line for path in paths for line in path.read_text().splitlines()]
        for done in range(len(lines) + 1):
            report("lines", done, len(lines))
            if done == 1 and "interrupt" in lines:
                main = threading.main_thread().ident
                assert main is not None
                signal.pthread_kill(main, signal.SIGINT)
                while True:  # until the handler has run in the main thread
                    report("lines", done, len(lines))
        bad = [line for line in lines if line == "bad"]
        if options.rejects is not None:
            options.rejects.write_text("".join(f"{line}\n" for line in bad))
        notes = (type(settings).__name__,)
        return ImportOutcome({"added": len(lines) - len(bad), "unchanged": 0}, len(bad), notes)


class Sampled:
    """A source like that of the first room, with a sample of four records."""

    def __init__(self, room: Room) -> None:
        self.name = room.name
        self.importer = LineImporter()

    def remove_sample(self, database: Database) -> int | None:
        return 4 if database.dialect == "sqlite" else 0


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> str:
    one = ROOMS[0]
    rooms = (replace(one, source=Sampled(one)),)  # type: ignore[arg-type]
    monkeypatch.setattr(command, "ROOMS", rooms)
    monkeypatch.setattr(sample, "ROOMS", rooms)
    return one.name


def run(room: str, *paths: Path, tmp_path: Path, **more: Any) -> int:
    options = {"data_dir": tmp_path / "data"}
    given: dict[str, Any] = {"dry_run": False, "rejects": None, "as_json": False, **more}
    return command.import_files(room, paths, options, **given)


def test_an_import_migrates_first_and_says_what_became_of_it(
    room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("one\ntwo\n")
    assert run(room, file, tmp_path=tmp_path) == 0
    assert capsys.readouterr().out == "2 added, 0 unchanged, 0 rejected.\nDndSettings\n"
    assert run(room, file, tmp_path=tmp_path, as_json=True, dry_run=True) == 0
    assert json.loads(capsys.readouterr().out) == {
        "counts": {"added": 2, "unchanged": 0},
        "rejected": 0,
        "notes": ["DndSettings"],
        "dry_run": True,
    }


def test_what_was_rejected_makes_the_exit_code_one(
    room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, rejects = tmp_path / "lines.txt", tmp_path / "rejects.txt"
    file.write_text("bad\ntwo\n")
    assert run(room, file, tmp_path=tmp_path, dry_run=True) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "1 added, 0 unchanged, 1 rejected. Nothing was written: this was a dry run."
    assert said[1] == "`--rejects FILE` writes the reasons to a file."
    assert run(room, file, tmp_path=tmp_path, rejects=rejects) == 1
    assert f"The reasons stand in {rejects}." in capsys.readouterr().out
    assert rejects.read_text() == "bad\n"


def test_an_interrupt_ends_the_import_between_two_batches(
    room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("one\ninterrupt\nthree\n")
    before = signal.getsignal(signal.SIGINT)
    assert run(room, file, tmp_path=tmp_path) == 130
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "the same command completes the rest" in shown.err
    assert signal.getsignal(signal.SIGINT) is before


def test_the_schema_of_a_record_is_printed(
    room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.print_schema(room) == 0
    assert json.loads(capsys.readouterr().out) == {"type": "string"}
    with pytest.raises(BadInput, match=r"`PATH` names no file\. `dnd` takes lines of text\."):
        run(room, tmp_path=tmp_path)


def test_an_unknown_room_is_answered_with_the_nearest(room: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"Allowed: dnd\. Did you mean `dnd`"):
        run("dnnd", tmp_path / "x", tmp_path=tmp_path)
    with pytest.raises(BadInput, match="Did you mean `dnd`"):
        sample.remove("dnnd", {"data_dir": tmp_path / "data"})
    assert not (tmp_path / "data").exists()


def test_a_sample_is_removed(room: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sample.remove(room, {"data_dir": tmp_path / "data"}) == 0
    assert capsys.readouterr().out.startswith("dnd: 4 sample records removed")


def test_a_source_without_sample_or_importer_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be `dnd`, whose data is no sample"):
        sample.remove("dnd", {"data_dir": tmp_path / "data"})
    with pytest.raises(BadInput, match="cannot be `dnd`, which takes no files"):
        run("dnd", tmp_path / "x", tmp_path=tmp_path)
