"""Upgrades, downgrades and checks of the schema, on both databases."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

import sources
import sources.dnd.source
import sources.events.source
from sources import migrations
from sources.database import Database, Statement, make_engine
from sources.errors import DataFolderError, UpstreamUnavailable
from sources.integrity import check_tables, check_unclaimed
from sources.migrations import (
    configuration,
    current,
    downgrade,
    house_lock,
    pending,
    upgrade,
    versions_folder,
)
from sources.text_index_tables import text_index_tables

ROOMS_WITH_TABLES = ["dnd", "events"]


def _revisions(room: str) -> tuple[str, ...]:
    """The revisions of a room, the first to run first."""
    script = ScriptDirectory.from_config(configuration([room]))
    return tuple(reversed([revision.revision for revision in script.walk_revisions()]))


DND = _revisions("dnd")

TEXT_KINDS = ("spell", "creature", "equipment", "rule", "character_option")
"""The kinds of records that have a full-text index."""


def _tables(target: str) -> set[str]:
    engine = make_engine(target)
    with engine.connect() as connection:
        names = set(sa.inspect(connection).get_table_names())
    engine.dispose()
    return names


@pytest.fixture
def toy_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A room `toy` with two revisions; yields the folder that they lie in."""
    folder = tmp_path / "more_rooms"
    versions = folder / "toy" / "migrations" / "versions"
    versions.mkdir(parents=True)
    (folder / "toy" / "__init__.py").write_text("")
    _write_revision(versions, 1, "op.create_table('toy', sa.Column('key', sa.Text, primary_key=True))")
    _write_revision(versions, 2, "op.add_column('toy', sa.Column('colour', sa.Text))")
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(folder)])
    yield versions
    for name in [name for name in sys.modules if name.startswith("sources.toy")]:
        del sys.modules[name]


def _write_revision(versions: Path, number: int, action: str) -> None:
    before = f"toy_{number - 1}" if number > 1 else None
    text = f"""
        import sqlalchemy as sa
        from alembic import op

        revision = "toy_{number}"
        down_revision = {before!r}
        branch_labels = {("toy",) if before is None else None!r}
        depends_on = None


        def upgrade() -> None:
            {action}


        def downgrade() -> None:
            {"op.drop_table('toy')" if before is None else "op.drop_column('toy', 'colour')"}
    """
    (versions / f"toy_{number}.py").write_text(dedent(text))


def test_an_empty_database_gets_every_room(database_target: str, toy_room: Path) -> None:
    assert current(database_target) == ()
    assert set(pending(database_target, ["dnd", "toy"])) == {*DND, "toy_1", "toy_2"}
    done = upgrade(database_target, ["dnd", "toy"])
    assert set(done) == {*DND, "toy_1", "toy_2"}
    assert done.index("toy_1") < done.index("toy_2")
    assert current(database_target) == (DND[-1], "toy_2")
    assert pending(database_target, ["dnd", "toy"]) == ()
    assert {"toy", "dnd_spell", "dnd_spell_text", "alembic_version"} <= _tables(database_target)
    assert upgrade(database_target, ["dnd", "toy"]) == ()


def test_a_room_steps_back_alone(database_target: str, toy_room: Path) -> None:
    upgrade(database_target, ["dnd", "toy"])
    downgrade(database_target, ["dnd", "toy"], "toy", "toy_1")
    assert current(database_target) == (DND[-1], "toy_1")
    downgrade(database_target, ["dnd", "toy"], "toy")
    assert current(database_target) == (DND[-1],)
    assert pending(database_target, ["dnd", "toy"]) == ("toy_1", "toy_2")
    assert "toy" not in _tables(database_target)
    assert upgrade(database_target, ["dnd", "toy"]) == ("toy_1", "toy_2")


@pytest.mark.parametrize("room", ROOMS_WITH_TABLES)
def test_going_back_leaves_nothing_and_forward_works_again(database_target: str, room: str) -> None:
    upgrade(database_target, [room])
    before = _tables(database_target)
    downgrade(database_target, [room], room)
    assert _tables(database_target) == {"alembic_version"}
    upgrade(database_target, [room])
    assert _tables(database_target) == before


@pytest.mark.parametrize("room", ROOMS_WITH_TABLES)
def test_tables_and_migrations_agree(database_target: str, room: str) -> None:
    upgrade(database_target, [room])
    texts = text_index_tables(f"{room}_{kind}_text" for kind in TEXT_KINDS)

    def belongs(_object: Any, name: str | None, kind: str, _reflected: bool, _other: Any) -> bool:
        return kind != "table" or (
            str(name).startswith(f"{room}_") and name not in texts and "_fts" not in str(name)
        )

    engine = make_engine(database_target)
    with engine.connect() as connection:
        options = {"include_object": belongs, "compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, SQLModel.metadata) == []
        for table in SQLModel.metadata.tables.values():
            if belongs(table, table.name, "table", False, None):
                _assert_same_constraints(connection, table)
    engine.dispose()


def _assert_same_constraints(connection: sa.Connection, table: sa.Table) -> None:
    """What Alembic's comparison leaves out: primary keys, and how foreign keys and texts behave."""
    inspector = sa.inspect(connection)
    primary = inspector.get_pk_constraint(table.name)["constrained_columns"]
    assert primary == [column.name for column in table.primary_key]
    keys = {
        (*key["constrained_columns"], key["referred_table"], key.get("options", {}).get("ondelete"))
        for key in inspector.get_foreign_keys(table.name)
    }
    assert keys == {(key.parent.name, key.column.table.name, key.ondelete) for key in table.foreign_keys}
    if connection.dialect.name == "postgresql":
        collations = {
            column["name"]: getattr(column["type"], "collation", None)
            for column in inspector.get_columns(table.name)
        }
        for column in table.columns:
            expected = getattr(column.type.dialect_impl(connection.dialect), "collation", None)
            assert (column.name, collations[column.name]) == (column.name, expected)


def test_a_revision_that_fails_leaves_the_schema_as_it_was(database_target: str, toy_room: Path) -> None:
    _write_revision(toy_room, 2, "op.add_column('toy', sa.Column('colour', sa.Text)); op.drop_table('none')")
    with pytest.raises(DataFolderError, match="holds something else than this loregraph expects"):
        upgrade(database_target, ["dnd", "toy"])
    assert current(database_target) == ()
    assert _tables(database_target) == set()


def test_a_newer_schema_is_refused_and_kept(database_target: str, toy_room: Path) -> None:
    upgrade(database_target, ["dnd", "toy"])
    (toy_room / "toy_2.py").unlink()
    for refused in (pending, upgrade):
        with pytest.raises(DataFolderError, match="written by a newer loregraph") as caught:
            refused(database_target, ["dnd", "toy"])
        assert "Update loregraph" in caught.value.hint
    assert current(database_target) == (DND[-1], "toy_2")


UPGRADE = """
import sys
from sources.migrations import upgrade

print("ready", flush=True)
sys.stdin.readline()
print(",".join(upgrade(sys.argv[1], ["dnd"])))
"""


def test_processes_that_start_at_once_make_one_schema(database_target: str) -> None:
    root = Path(sources.__path__[0]).parent
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPGRADE, database_target],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=root,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], outcomes
    assert sorted(output for output, _ in outcomes) == ["\n", "\n", f"{','.join(DND)}\n"]
    assert current(database_target) == (DND[-1],)
    assert pending(database_target, ["dnd"]) == ()


def test_the_lock_keeps_others_out_until_it_is_let_go(database_target: str) -> None:
    entered = threading.Event()

    def enter() -> None:
        with house_lock(database_target):
            entered.set()

    other = threading.Thread(target=enter)
    with house_lock(database_target):
        other.start()
        assert not entered.wait(0.2)
    other.join(10)
    assert entered.is_set()


def test_a_lock_that_is_never_let_go_is_named(database_target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "LOCK_SECONDS", 0.1)
    with house_lock(database_target):
        with pytest.raises(DataFolderError, match="is migrating or seeding"):
            upgrade(database_target, ["dnd"])
        assert current(database_target) == ()


def test_the_data_folder_is_made(tmp_path: Path) -> None:
    target = tmp_path / "home" / "data" / "loregraph.db"
    upgrade(target, ["dnd"])
    assert current(target) == (DND[-1],)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(DataFolderError, match=r"data folder .*file.* cannot be used"):
        upgrade(tmp_path / "file" / "loregraph.db", ["dnd"])
    assert (tmp_path / "file").read_text() == "kept"


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder with a migrated database that this process, root or not, may only read."""
    with TemporaryDirectory(prefix="loregraph-") as name:
        folder = Path(name)
        upgrade(folder / "loregraph.db", ["dnd"])
        folder.chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o700)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


async def test_a_folder_that_may_only_be_read_is_named(read_only_folder: Path) -> None:
    before = _files(read_only_folder)
    with pytest.raises(DataFolderError, match=r"data folder .* cannot be used.*write"):
        upgrade(read_only_folder / "new.db", ["dnd"])
    with pytest.raises(DataFolderError, match="write access to the file and its folder"):
        await Database.open(read_only_folder / "loregraph.db")
    assert _files(read_only_folder) == before


def test_a_damaged_file_is_named_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "loregraph.db"
    path.write_bytes(b"\x00damaged" * 1000)
    for refused in (pending, upgrade):
        with pytest.raises(DataFolderError, match="damaged or not a database"):
            refused(path, ["dnd"])
    assert path.read_bytes() == b"\x00damaged" * 1000


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "loregraph.db"
    path.touch()
    assert upgrade(path, ["dnd"]) == DND


def test_a_server_that_is_away_is_named(unused_tcp_port: int) -> None:
    with pytest.raises(
        UpstreamUnavailable, match=r"PostgreSQL at 127\.0\.0\.1/lore cannot be reached"
    ) as caught:
        upgrade(f"postgresql://user:secret@127.0.0.1:{unused_tcp_port}/lore", ["dnd"])
    assert "secret" not in str(caught.value)


def test_an_unknown_room_is_our_fault() -> None:
    with pytest.raises(LookupError, match=r"no package sources\.kitchen"):
        versions_folder("kitchen")


def test_a_room_without_tables_has_nothing_to_do(toy_room: Path, sqlite_target: str) -> None:
    for file in toy_room.glob("*.py"):
        file.unlink()
    toy_room.rmdir()
    assert versions_folder("toy") is None
    assert upgrade(sqlite_target, ["toy"]) == ()


async def test_readers_see_the_new_tables(database_target: str) -> None:
    upgrade(database_target, ["dnd"])
    database = await Database.open(database_target)
    assert await database.fetch(Statement("SELECT count(*) FROM dnd_spell")) == [(0,)]
    await database.close()


def _change(target: str, statement: str) -> None:
    engine = make_engine(target)
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_a_table_that_is_gone_is_named(database_target: str) -> None:
    upgrade(database_target, ROOMS_WITH_TABLES)
    check_tables(database_target, ROOMS_WITH_TABLES)
    _change(database_target, "DROP TABLE dnd_creature_alignment")
    with pytest.raises(
        DataFolderError, match=r" lacks dnd_creature_alignment, without which .* from a backup"
    ):
        check_tables(database_target, ROOMS_WITH_TABLES)


def test_tables_of_another_program_are_named_and_kept(database_target: str) -> None:
    _change(database_target, "CREATE TABLE dnd_spell (x INTEGER)")
    with pytest.raises(
        DataFolderError, match=r" holds dnd_spell, which loregraph did not make\. Nothing was"
    ):
        check_unclaimed(database_target, ROOMS_WITH_TABLES)
    with pytest.raises(
        DataFolderError, match=r"something else than this loregraph expects \(.*already exists\)"
    ):
        upgrade(database_target, ROOMS_WITH_TABLES)
    assert _tables(database_target) == {"dnd_spell"}
