"""A fake of the D&D 5e API's REST side: `FakeDnd5e` is the application."""

from __future__ import annotations

from tests.support.fake_dnd5e.app import FakeDnd5e, RateLimit

__all__ = ["FakeDnd5e", "RateLimit"]
