"""`loregraph sync`: its report, its exit codes, and what it shows while it runs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import orjson
import pytest

from api.commands.doctor import doctor
from api.commands.starting import showing_stages
from api.commands.sync import sync
from api.settings import Settings
from sources.errors import BadInput, UpstreamUnavailable
from tests.support.commands import loregraph
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down
from tests.support.live import ENVIRONMENT
from tests.support.mirrored import copied

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def folder(
    seeded_settings: Settings, small_open5e: FakeOpen5e, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A seeded data folder, with the fake at the address that the settings name."""
    for name, value in {**ENVIRONMENT, "LOREGRAPH_OPEN5E_URL": small_open5e.url}.items():
        monkeypatch.setenv(name, value)
    return copied(seeded_settings, tmp_path / "data").data_dir


def run(folder: Path, *, documents: str | None = None, remove: bool = False, as_json: bool = True) -> int:
    return sync({"data_dir": str(folder)}, "open5e", documents=documents, remove=remove, as_json=as_json)


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    body: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    return body


def test_the_report_tells_what_changed_by_kind(
    folder: Path, small_open5e: FakeOpen5e, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder) == 0
    report = printed(capsys)
    assert report["mirror"] == "open5e"
    assert report["upstream"] == small_open5e.url
    assert report["changed"] is True
    assert report["documents"] == sorted(small_open5e.corpus.keys("documents"))
    assert report["kinds"]["spell"] == {
        "added": 17,
        "changed": 0,
        "removed": 0,
        "unchanged": 319,
        "quarantined": 0,
    }
    assert report["quarantined"] == []
    assert report["requests"] == len(small_open5e.calls)
    assert report["resumedPages"] == 0
    assert report["seconds"] > 0
    assert run(folder) == 0
    assert printed(capsys)["changed"] is False
    assert run(folder, remove=True) == 0
    assert printed(capsys)["kinds"]["spell"]["removed"] == 17


def test_people_read_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, documents="tide, ember", as_json=False) == 0
    text = capsys.readouterr().out
    first, head, *lines = text.splitlines()
    assert "2 documents mirrored" in first
    assert head.split() == ["added", "changed", "removed", "unchanged", "quarantined"]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert rows["spell"] == ["12", "0", "0", "319", "0"]
    assert rows["document"] == ["2", "0", "0", "1", "0"]


def test_records_that_are_turned_away_end_with_code_1_and_doctor_tells_them(
    folder: Path, small_open5e: FakeOpen5e, capsys: pytest.CaptureFixture[str]
) -> None:
    record = small_open5e.corpus.get("spells", "tide_undertow")
    assert record is not None
    record.row["school"] = None
    assert run(folder) == 1
    assert printed(capsys)["quarantined"] == [
        {"list": "spells", "key": "tide_undertow", "reason": "field `school` is not a word of a vocabulary"}
    ]
    assert run(folder, as_json=False) == 1
    assert "spells `tide_undertow`: field `school`" in capsys.readouterr().out
    assert doctor({"data_dir": str(folder), "port": "0"}, as_json=True) == 1
    findings = printed(capsys)["findings"]
    (told,) = [one["text"] for one in findings if one["verdict"] == "care"]
    assert "without 1 record that could not be used" in told
    assert "tide_undertow" in told


def test_what_cannot_be_done_is_said_in_a_sentence(folder: Path, small_open5e: FakeOpen5e) -> None:
    with pytest.raises(BadInput, match="does not know `tied`") as unknown:
        run(folder, documents="tied")
    assert unknown.value.suggestions[0] == "tide"
    with pytest.raises(BadInput, match="together with `--remove`"):
        run(folder, documents="tide", remove=True)
    with pytest.raises(BadInput, match="does not know `open6e`") as mirror:
        sync({"data_dir": str(folder)}, "open6e", documents=None, remove=False, as_json=False)
    assert mirror.value.suggestions == ("open5e",)
    small_open5e.faults.always(Down())
    with pytest.raises(UpstreamUnavailable, match="Open5e"):
        run(folder)


def test_the_command_itself(folder: Path, small_open5e: FakeOpen5e, tmp_path: Path) -> None:
    variables = {**ENVIRONMENT, "LOREGRAPH_OPEN5E_URL": small_open5e.url}
    done = loregraph(
        "sync", "open5e", "--documents", "tide", "--json", data_dir=folder, cwd=tmp_path, variables=variables
    )
    assert done.returncode == 0
    assert orjson.loads(done.stdout)["documents"] == ["tide"]
    assert "reading spells: 5 of 5" in done.stderr
    assert "writing rows" in done.stderr
    small_open5e.faults.always(Down())
    failed = loregraph("sync", "open5e", data_dir=folder, cwd=tmp_path, variables=variables)
    assert failed.returncode == 2
    assert failed.stdout == ""
    assert failed.stderr.splitlines()[-1].startswith("loregraph: Open5e")
    assert "Traceback" not in failed.stderr


def test_without_a_terminal_each_name_is_told_when_it_begins_and_ends(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="loregraph"), showing_stages() as report:
        for done in (0, 1, 2, 2):
            report("reading spells", done, 2)
        report("reading feats", 3, 3)
    assert [record.getMessage() for record in caplog.records] == [
        "reading spells: 0 of 2",
        "reading spells: 2 of 2",
        "reading feats: 3 of 3",
    ]


def test_on_a_terminal_one_bar_shows_all_names_of_a_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with showing_stages() as report:
        report("reading spells", 10, 20)
        report("reading feats", 5, 10)
    shown = capsys.readouterr().err
    assert "reading" in shown
    assert "15/30" in shown
