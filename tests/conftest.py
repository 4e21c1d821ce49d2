"""Fixtures for every test."""

pytest_plugins = ["tests.support.databases", "tests.support.seeded"]
