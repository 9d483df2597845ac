"""Alembic's entry point; `gridwise.web.storage.database` gives it an open connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
