"""What Alembic needs in a folder: its environment, and the template of a new revision."""
