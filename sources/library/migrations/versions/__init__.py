"""Alembic revisions of the branch `library`, each in a file of its own name."""
