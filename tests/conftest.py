"""Fixtures for every test."""

import os

pytest_plugins = [
    "tests.support.databases",
    "tests.support.seeded",
    "tests.support.live",
    "tests.support.ckan_world",
]

# No test asks the real Open5e; those of the live provider turn it on, with a fake behind it.
os.environ["LOREGRAPH_OPEN5E_LIVE"] = "false"
