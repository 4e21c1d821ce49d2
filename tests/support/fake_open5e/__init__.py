"""A fake of the Open5e API v2, which behaves as the real one was measured to.

`FakeOpen5e` is the application, `srd_corpus` and `mixed_corpus` what it can hold.
"""

from __future__ import annotations

from tests.support.fake_open5e.app import FakeOpen5e, SearchIndex
from tests.support.fake_open5e.corpora import mixed_corpus, srd_corpus
from tests.support.fake_open5e.corpus import Corpus, Record, Row

__all__ = ["Corpus", "FakeOpen5e", "Record", "Row", "SearchIndex", "mixed_corpus", "srd_corpus"]
