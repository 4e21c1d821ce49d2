"""How well and how fast recall finds among many memory entries, beside comparing with every vector.

    python -m bench memory                      100,000 entries; minutes
    python -m bench memory --entries 10000

The vectors are clustered, as those of texts are, and made here, so that the embedder is no part of it. Entries are
imported, indexed, and recalled through the resolver with `queryVector`: what is measured is the database, the index and
what lies between. `recall@10` is the share of the truly nearest ten that are among the ten that were answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread
import numpy as np

from api.opening import House, open_house, prepare
from api.settings import load_settings
from resolvers.memory.recall import RecallQuestion, recall
from sources.criteria import EVERYTHING, Criteria, Op, Predicate
from sources.embedder import Embedder, Vectors, unit_length
from sources.embedders import MINILM
from sources.importing import ImportOptions
from sources.memory import SOURCE
from sources.memory.store import MemoryShelf

NAME = "bench"
FIRST = 10


class Clustered(Embedder):
    """A vector for each number of an entry: one of some hundred centres, with noise around it."""

    model = MINILM.model
    dimension = MINILM.dimension
    most_characters = 100

    def __init__(self, entries: int) -> None:
        random = np.random.default_rng(1)
        centres = random.normal(size=(max(entries // 250, 10), self.dimension))
        chosen = centres[random.integers(0, len(centres), size=entries)]
        noisy = chosen + 0.7 * random.normal(size=chosen.shape)
        self.vectors = unit_length(noisy.astype(np.float32))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        rows: Vectors = self.vectors[[int(text.split()[-1]) for text in texts]]
        return rows


def write_entries(file: Path, entries: int) -> None:
    """One entry a line; every third is of the kind that the filter asks for."""
    with file.open("w", encoding="utf-8") as out:
        for number in range(entries):
            kind = "rare" if number % 200 == 0 else "third" if number % 3 == 0 else "rest"
            line = {"id": str(number), "content": f"note {number}", "metadata": {"kind": kind}}
            out.write(json.dumps(line) + "\n")


async def measure(entries: int, questions: int) -> None:
    """Prints what was found, and how long it took."""
    with tempfile.TemporaryDirectory(prefix="loregraph-bench-") as folder:
        settings = load_settings({"data_dir": Path(folder)}, env_file=None)
        await prepare(settings)
        async with open_house(settings) as house:
            embedder = Clustered(entries)
            shelf = house.scope.shelf("memory", MemoryShelf)
            shelf.semantic.embedders._made[MINILM] = embedder
            await SOURCE.registry.drop(house.database, "guide")
            await SOURCE.registry.create(house.database, NAME, "Measured.", MINILM, public=False)
            file = Path(folder) / "entries.jsonl"
            await anyio.to_thread.run_sync(write_entries, file, entries)
            began = time.perf_counter()
            await anyio.to_thread.run_sync(
                lambda: SOURCE.importer.run(
                    house.database, None, [Path(NAME), file], ImportOptions(), lambda *_: None
                )
            )
            imported = time.perf_counter() - began
            began = time.perf_counter()
            await house.index()
            indexed = time.perf_counter() - began
            print(f"entries {entries:,}: imported in {imported:.1f} s, indexed in {indexed:.1f} s")
            random = np.random.default_rng(2)
            noise = random.normal(size=(questions, embedder.dimension))
            near = embedder.vectors[random.integers(0, entries, size=questions)]
            asked = unit_length((near + 0.02 * noise).astype(np.float32))
            numbers = np.arange(entries)
            for title, criteria, allowed in (
                ("no filter", EVERYTHING, numbers),
                (
                    "a filter that leaves 1 of 3",
                    _kind("third"),
                    numbers[(numbers % 3 == 0) & (numbers % 200 != 0)],
                ),
                ("a filter that leaves 1 of 200", _kind("rare"), numbers[numbers % 200 == 0]),
            ):
                await _ask(house, title, embedder.vectors, asked, criteria, allowed)


def _kind(kind: str) -> Criteria:
    return Predicate("metadata_pairs", Op.HAS_ANY, (f"kind={kind}",))


async def _ask(
    house: House,
    title: str,
    vectors: Vectors,
    asked: Vectors,
    criteria: Criteria,
    allowed: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    found_of_nearest, times, exact_times = [], [], []
    candidates = vectors[allowed]
    for vector in asked:
        began = time.perf_counter()
        nearest = allowed[np.argsort(-(candidates @ vector))[:FIRST]]
        exact_times.append(time.perf_counter() - began)
        question = RecallQuestion(NAME, "?", FIRST, vector.tolist(), None, criteria)
        began = time.perf_counter()
        answer = await recall(house.scope, question)
        times.append(time.perf_counter() - began)
        if not answer.provenance.complete:
            raise SystemExit(f"not whole: {answer.provenance.warnings}")
        found = {int(hit.entry_id) for hit in answer.nodes}
        found_of_nearest.append(len(found & set(nearest.tolist())) / len(nearest))
    print(
        f"{title}: recall@{FIRST} {statistics.mean(found_of_nearest):.4f},"
        f" p50 {1000 * statistics.median(times):.1f} ms, p95 {1000 * statistics.quantiles(times, n=20)[-1]:.1f} ms;"
        f" comparing with every vector p50 {1000 * statistics.median(exact_times):.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    asyncio.run(measure(options.entries, options.questions))


if __name__ == "__main__":
    main()
