"""`loregraph memory`, `import memory` and `index`, as people type them, beside a running server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from api.commands import memory
from api.commands.serve import TooManyOwners, check_owner
from api.settings import load_settings
from sources.embedder_settings import EmbedderKind
from sources.embedders import MINILM
from sources.errors import BadInput
from sources.registry import Changes
from sources.vector_settings import VectorSettings
from tests.support.commands import loregraph, serving

pytestmark = pytest.mark.timeout(180)
INDEXING = {"LOREGRAPH_INDEXING": "true", "LOREGRAPH_INDEX_POLL_SECONDS": "0.1"}
QUERY = """
query ($name: String!) {
  recall(dbName: $name, query: "how long does beetroot take?", first: 1) {
    nodes { entryId matchedBy }
    provenance { complete warnings }
  }
}
"""


class Commands:
    """The commands in this process, each with what it printed."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._options = {"data_dir": data_dir, "log_level": "error"}
        self._capsys = capsys

    def run(self, command: Callable[..., int], *arguments: Any, code: int = 0, **options: Any) -> str:
        assert command(self._options, *arguments, **options) == code
        return self._capsys.readouterr().out


@pytest.fixture
def commands(data_dir: Path, capsys: pytest.CaptureFixture[str], own_log: None) -> Commands:
    made = Commands(data_dir, capsys)
    # Its documents take some seconds to be embedded; these tests are about the rest.
    assert made.run(memory.drop, "guide", sure=True).startswith("guide: dropped, ")
    return made


def test_beside_a_server(commands: Commands, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    lines = [
        {"id": "borscht", "content": "Boil red beets for an hour, then add cabbage."},
        {"id": "meringue", "content": "Whisk egg whites with sugar until stiff."},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with serving(data_dir=data_dir, cwd=tmp_path, variables=INDEXING) as (server, base):

        def ask() -> Any:
            answer = httpx.post(
                f"{base}/graphql", json={"query": QUERY, "variables": {"name": "notes"}}, trust_env=False
            ).json()
            return answer.get("data", {}).get("recall") or answer["errors"][0]

        assert ask()["extensions"]["code"] == "BAD_USER_INPUT"
        commands.run(memory.create, "notes", "Cooking", MINILM, public=False)
        imported = loregraph("import", "memory", "notes", str(file), data_dir=data_dir, cwd=tmp_path)
        assert imported.stdout == "2 added, 0 changed, 0 unchanged, 0 rejected.\n", imported.stderr
        retrying = Retrying(
            stop=stop_after_delay(60),
            wait=wait_fixed(0.1),
            retry=retry_if_result(lambda found: not found["provenance"]["complete"]),
        )
        assert retrying(ask) == {
            "nodes": [{"entryId": "borscht", "matchedBy": ["SEMANTIC"]}],
            "provenance": {"complete": True, "warnings": []},
        }
        refused = loregraph("index", data_dir=data_dir, cwd=tmp_path)
        assert refused.returncode == 2
        assert "in use by another loregraph process" in refused.stderr
        assert "Traceback" not in refused.stderr
        commands.run(memory.change, "notes", Changes(active=False))
        assert ask()["extensions"]["code"] == "BAD_USER_INPUT"
        commands.run(memory.change, "notes", Changes(active=True))
        assert ask()["nodes"][0]["entryId"] == "borscht"
        assert server.stop() == 0
    # The server gave the folder free, and left nothing to do.
    assert commands.run(memory.index) == "0 texts indexed, 0 removed.\n"


def test_a_database_is_listed_described_and_dropped(commands: Commands) -> None:
    commands.run(memory.create, "notes", "Cooking", MINILM, public=False)
    assert re.search(r"notes +0 +yes +minilm", commands.run(memory.list_all))
    described = commands.run(memory.change, "notes", Changes(description="Borscht", public=True))
    assert "description: Borscht\n" in described
    assert "public:      yes\n" in described
    assert commands.run(memory.drop, "notes", code=1, sure=False) == ""
    assert commands.run(memory.drop, "notes", sure=True) == "notes: dropped, 0 entries removed.\n"
    with pytest.raises(BadInput, match="does not know `notes`"):
        commands.run(memory.drop, "notes", sure=True)


def test_embedders_and_places_are_those_that_are_named() -> None:
    assert memory.embedder_of(None, None, None) == MINILM
    spec = memory.embedder_of("openai", "nomic", 768)
    assert (spec.kind, spec.model, spec.dimension) == (EmbedderKind.OPENAI, "nomic", 768)
    for arguments, problem in (
        (("onnx", None, None), "`--embedder` does not know `onnx`"),
        (("minilm", "other", None), "`--model` can only be"),
        (("minilm", None, 8), "`--dimension` can only be `384`"),
        (("openai", None, 0), "`--dimension` must be between"),
    ):
        with pytest.raises(BadInput, match=problem):
            memory.embedder_of(*arguments)
    for url, path in ((None, None), ("http://127.0.0.1:1", "here")):
        with pytest.raises(BadInput, match="one of the two"):
            memory.location_of(url, path, "theirs")
    assert memory.location_of(None, "here", "theirs").path == str(Path("here").absolute())


def test_several_workers_need_a_chroma_server() -> None:
    several, one = load_settings({"workers": 2}, None), load_settings({"workers": 1}, None)
    with pytest.raises(TooManyOwners, match="LOREGRAPH_CHROMA_URL"):
        check_owner(several, VectorSettings(indexing=True))
    check_owner(one, VectorSettings(indexing=True))
    check_owner(several, VectorSettings(indexing=True, chroma_url="http://127.0.0.1:8001"))
    check_owner(several, VectorSettings(indexing=False))


def test_a_server_of_several_workers_refuses_to_start_and_says_why(tmp_path: Path) -> None:
    ended = loregraph(
        "serve",
        "--workers",
        "2",
        data_dir=tmp_path / "data",
        cwd=tmp_path,
        variables={"LOREGRAPH_INDEXING": "true"},
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("loregraph: 2 server processes cannot share the vectors")
    assert not (tmp_path / "data").exists()
