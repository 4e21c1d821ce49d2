"""Alembic revisions of the branch `memory`, each in a file of its own name."""
