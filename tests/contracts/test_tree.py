"""The shape of the tree: sizes, names, rooms, and the imports that import-linter cannot say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schema.query import ROOMS
from tests.contracts.house import LAYERS, ROOT, imported_modules, python_files, relative, rooms, text_files

LONGEST = 500
"""Lines of one module; about 300 is what we aim at."""

GRAB_BAGS = {"utils", "util", "common", "helpers", "helper", "misc", "core", "base", "shared_utils"}

FILES_OF_A_ROOM = {
    "schema": {"types.py", "filters.py", "ordering.py", "queries.py"},
    "resolvers": {"queries.py", "loaders.py"},
    "sources": {"settings.py", "records.py"},
}


def test_modules_are_short() -> None:
    files = python_files(*LAYERS, "tests", "bench")
    lengths = {relative(file): len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_module_is_a_grab_bag() -> None:
    names = {
        relative(file): set(Path(relative(file)).with_suffix("").parts) for file in python_files(*LAYERS)
    }
    assert [name for name, parts in names.items() if parts & GRAB_BAGS] == []


def test_no_package_shadows_the_mcp_sdk() -> None:
    assert not (ROOT / "mcp").exists()
    assert not (ROOT / "mcp.py").exists()


def test_every_source_has_its_room_in_each_layer() -> None:
    names = [room.source.name for room in ROOMS]
    for layer in ("schema", "resolvers", "sources"):
        assert [name for name in names if name not in rooms(layer)] == [], layer


@pytest.mark.parametrize("layer", FILES_OF_A_ROOM)
def test_rooms_have_the_same_files(layer: str) -> None:
    for room in (room.source.name for room in ROOMS):
        held = {file.name for file in (ROOT / layer / room).iterdir()}
        assert FILES_OF_A_ROOM[layer] - held == set(), f"{layer}/{room}"


def test_every_source_says_how_it_is_reached() -> None:
    for room in (room.source.name for room in ROOMS):
        held = {file.name for file in (ROOT / "sources" / room).iterdir()}
        assert held & {"store.py", "client.py"}, room


def test_the_rooms_are_known_to_the_list_of_rooms_alone() -> None:
    known = {f"{layer}.{room}" for layer in ("schema", "resolvers", "sources") for room in rooms(layer)}
    intruding = []
    for file in python_files(*LAYERS):
        parts = file.relative_to(ROOT).parts
        inside = parts[1] if len(parts) > 2 else None
        if relative(file) == "schema/query.py" or inside in ("search", *rooms(parts[0])):
            continue
        intruding += [
            f"{relative(file)} imports {name}"
            for name in sorted(imported_modules(file))
            if ".".join(name.split(".")[:2]) in known
        ]
    assert intruding == []


def test_nothing_is_left_for_later() -> None:
    marks = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")) + r")\b")
    left = [
        f"{relative(file)}:{number}"
        for file, text in text_files()
        if file.suffix in {".py", ".md", ".toml", ".yaml", ".graphql"}
        or file.name in ("Makefile", "Dockerfile")
        for number, line in enumerate(text.splitlines(), 1)
        if marks.search(line)
    ]
    assert left == []


def test_typed_packages_say_so() -> None:
    assert [layer for layer in LAYERS if not (ROOT / layer / "py.typed").is_file()] == []
