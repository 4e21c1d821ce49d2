"""Fixtures for every test."""

import os

pytest_plugins = [
    "tests.support.databases",
    "tests.support.seeded",
    "tests.support.live",
    "tests.support.mirrored",
    "tests.support.live_dnd5e",
    "tests.support.library",
    "tests.support.events",
    "tests.support.ckan_world",
]

# No test asks a real API; those of a live provider turn it on, with a fake behind it.
os.environ["LOREGRAPH_OPEN5E_LIVE"] = "false"
os.environ["LOREGRAPH_DND5E_LIVE"] = "false"
# No test builds an index beside its own work; those of the index do, and wait for it.
os.environ["LOREGRAPH_INDEXING"] = "false"
