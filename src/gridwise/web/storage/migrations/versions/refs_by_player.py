"""A ref is unique to a player of a game; what all servers of a database share."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Count a ref once a player: one player's must not stand for the other's move."""
    with op.batch_alter_table("events") as events:
        events.drop_constraint("one_event_a_ref", type_="unique")
        events.create_unique_constraint("one_event_a_ref", ["game_id", "player", "ref"])
    made = op.create_table(
        "server_state",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
    )
    op.bulk_insert(made, [{"name": "heartbeat", "value": 0.0}])


def downgrade() -> None:
    """Count a ref once a game; where both players used one, the later event loses it."""
    op.drop_table("server_state")
    events = sa.table("events", *(sa.column(name) for name in ("game_id", "number", "ref")))
    earlier = events.alias("earlier")
    taken = sa.exists().where(
        earlier.c.game_id == events.c.game_id,
        earlier.c.ref == events.c.ref,
        earlier.c.number < events.c.number,
    )
    op.execute(sa.update(events).where(taken).values(ref=None))
    with op.batch_alter_table("events") as changed:
        changed.drop_constraint("one_event_a_ref", type_="unique")
        changed.create_unique_constraint("one_event_a_ref", ["game_id", "ref"])
