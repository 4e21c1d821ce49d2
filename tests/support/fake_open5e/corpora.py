"""The corpora that tests ask for."""

from __future__ import annotations

from functools import cache

from sources.dnd.embedded import read_embedded
from tests.support.fake_open5e.corpus import Corpus
from tests.support.fake_open5e.extra_documents import add_extra_documents
from tests.support.fake_open5e.rows_creatures import add_creatures
from tests.support.fake_open5e.rows_items import add_items
from tests.support.fake_open5e.rows_options import (
    add_backgrounds_and_feats,
    add_classes,
    add_rules,
    add_species,
)
from tests.support.fake_open5e.rows_reference import add_conditions, add_documents, add_word_lists
from tests.support.fake_open5e.rows_spells import add_spells
from tests.support.fake_open5e.upstream_differences import make_different


def srd_corpus(*, as_upstream: bool = False) -> Corpus:
    """The embedded SRD 5.1 in the upstream's shape, with `core`; a copy of its own for each caller.

    By default the facts are those of the embedded data, so that answers of both can be compared.
    `as_upstream` puts in what the upstream has differently: wrong class lists of spells and the like.
    """
    corpus = _srd().copy()
    if as_upstream:
        make_different(corpus)
    return corpus


def mixed_corpus(*, as_upstream: bool = False) -> Corpus:
    """`srd_corpus` and documents that were made up for tests: see `extra_documents`."""
    corpus = srd_corpus(as_upstream=as_upstream)
    add_extra_documents(corpus)
    return corpus


@cache
def _srd() -> Corpus:
    corpus = Corpus()
    embedded = read_embedded()
    add_documents(corpus)
    add_word_lists(corpus)
    add_conditions(corpus)
    add_classes(corpus)
    add_spells(corpus, embedded.spells)
    add_creatures(corpus, embedded.creatures)
    add_items(corpus)
    add_species(corpus)
    add_backgrounds_and_feats(corpus)
    add_rules(corpus)
    return corpus
