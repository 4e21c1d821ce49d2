"""Alembic's environment. `sources.migrations` opens the connection and its transaction."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes.get("metadata"),
    # SQLite rolls DDL back as well, since our engine begins real transactions: all revisions or none.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
