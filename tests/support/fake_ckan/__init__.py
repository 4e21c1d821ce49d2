"""A fake CKAN portal with a small search engine: `FakeCkan` is the application."""

from __future__ import annotations

from tests.support.fake_ckan.app import Asked, FakeCkan, Profile
from tests.support.fake_ckan.datastore import Table

__all__ = ["Asked", "FakeCkan", "Profile", "Table"]
