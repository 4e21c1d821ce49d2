"""What exists is documented, and what the documents point at exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.opening import all_variables
from schema.directives import tool_of
from schema.errors import ErrorCode
from schema.house_prompts import HOUSE_PROMPTS
from schema.query import ROOMS, build_schema
from sources.dnd.embedded import SRD_2014
from tests.contracts.house import ROOT, relative, tree_files

DOCS = ROOT / "docs"
PAGES = [file for file in tree_files() if file.suffix == ".md" and "node_modules" not in file.parts]


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def root_fields() -> dict[str, str]:
    """The tool of each root field."""
    query = build_schema().query_type
    assert query is not None
    tools = {name: tool_of(field) for name, field in query.fields.items()}
    return {name: tool.name for name, tool in tools.items() if tool is not None}


def test_every_setting_stands_in_the_docs() -> None:
    text = page("settings.md")
    assert [variable.name for variable in all_variables() if f"`{variable.name}`" not in text] == []


def test_every_error_code_stands_in_the_docs_once() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", page("errors.md"), re.MULTILINE)
    assert sorted(rows) == sorted(code.value for code in ErrorCode)


def test_every_root_field_and_its_tool_stand_in_the_docs() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page("mcp.md"), re.MULTILINE)
    assert dict(rows) == root_fields()
    assert len(rows) == len(root_fields())


def test_every_source_stands_in_the_index() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", page("index.md"), re.MULTILINE)
    assert rows == [room.source.name for room in ROOMS]


def test_every_page_is_reached_from_the_index() -> None:
    reached = {DOCS / "index.md"}
    pending = [DOCS / "index.md"]
    while pending:
        for target in linked_files(pending.pop()):
            if target.suffix == ".md" and target not in reached:
                reached.add(target)
                pending.append(target)
    assert [relative(file) for file in PAGES if file.is_relative_to(DOCS) and file not in reached] == []


@pytest.mark.parametrize("file", PAGES, ids=relative)
def test_relative_links_lead_somewhere(file: Path) -> None:
    assert [str(target) for target in linked_files(file) if not target.exists()] == []


def linked_files(file: Path) -> list[Path]:
    """The files of this tree that a page links to."""
    text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    return [(file.parent / target).resolve() for target in targets if target and "://" not in target]


def test_decisions_are_numbered_without_a_gap_and_listed() -> None:
    numbered = sorted(file.name for file in (DOCS / "decisions").glob("[0-9]*.md"))
    assert [int(name[:4]) for name in numbered] == list(range(1, len(numbered) + 1))
    listed = re.findall(r"^\d+\. \[.+\]\((.+)\)$", page("decisions/index.md"), re.MULTILINE)
    assert listed == numbered


def test_the_notice_holds_the_attribution_of_the_embedded_documents() -> None:
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    assert SRD_2014.attribution.replace("“", '"').replace("”", '"') in notice


def test_commands_named_in_the_docs_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {
        target
        for file in PAGES
        for line in re.findall(r"`make ([a-z ]+)`|^make ([a-z ]+)$", file.read_text("utf-8"), re.MULTILINE)
        for target in " ".join(line).split()
    }
    assert named <= targets, "a page names a make target that is not there"
    assert {"serve", "test"} <= named


def test_every_prompt_and_resource_stands_in_the_docs() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| [^`]", page("mcp.md"), re.MULTILINE)
    prompts = {prompt.name for prompt in HOUSE_PROMPTS} | {
        prompt.name for room in ROOMS for prompt in room.prompts
    }
    assert prompts <= set(rows)
    assert set(re.findall(r"^\| `(loregraph://[^`]+)` \|", page("mcp.md"), re.MULTILINE)) == {
        "loregraph://schema",
        "loregraph://guide",
        *(f"loregraph://guide/{room.name}" for room in ROOMS),
        "loregraph://node/{id}",
    }
