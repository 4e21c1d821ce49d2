"""Alembic revisions of the branch `dnd`, each in a file of its own name."""
