"""All tables, as the schema has them.

With the first release they are written down here one by one: a step that has been released is never
changed. Revisions before this one were never released.
"""

from alembic import op

from gridwise.web.storage.schema import METADATA, server_state

revision = "0004"
down_revision = None


def upgrade() -> None:
    """Make the tables, and the row that a probe writes."""
    METADATA.create_all(op.get_bind(), checkfirst=False)
    op.bulk_insert(server_state, [{"name": "heartbeat", "value": 0.0}])
