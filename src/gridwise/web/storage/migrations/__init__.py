"""The migrations of the database; Alembic runs those that are missing."""
