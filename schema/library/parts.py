"""Objects that are made of several columns of a library record."""

from __future__ import annotations

from resolvers.library.queries import Statistics
from sources.library.records import SAMPLE_COLLECTION, Collection, Origin


def statistics(documents: int, chunks: int, concepts: int) -> Statistics:
    """The numbers of a category."""
    return Statistics(documents, chunks, concepts)


def collection(origin: str, path: str | None) -> Collection:
    """The work that a document is taken from: the sample, or what was imported."""
    if origin == Origin.SAMPLE:
        return SAMPLE_COLLECTION
    return Collection("Imported by the operator" if path is None else f"The imported file {path}")


def is_sample(origin: str) -> bool:
    """Whether a record came with loregraph."""
    return origin == Origin.SAMPLE


def document_url(doi: str | None, arxiv_id: str | None) -> str | None:
    """Where a document can be found by its identifiers."""
    if doi is not None:
        return doi if doi.startswith("http") else f"https://doi.org/{doi.removeprefix('doi:').strip()}"
    return None if arxiv_id is None else f"https://arxiv.org/abs/{arxiv_id.removeprefix('arXiv:').strip()}"
