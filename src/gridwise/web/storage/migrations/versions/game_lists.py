"""What the lists of games need to be read from an index, however many games there are."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

INDEXES = {
    "games_by_status": ["status", "created"],
    "games_listed": ["listed", "status", "created", "id"],
    "games_recent": ["listed", "status", "finished", "id"],
}


def upgrade() -> None:
    """Give games a status, and seats the dates of their game."""
    op.add_column("games", _required("status", sa.String(10), "over"))
    op.add_column("seats", _required("created", sa.Double(), "0"))
    op.add_column("seats", sa.Column("finished", sa.Double))
    # A subquery for each row: UPDATE … FROM is not the same everywhere.
    op.execute("""
        UPDATE games SET status = CASE
            WHEN EXISTS (SELECT 1 FROM seats WHERE game_id = games.id AND kind = 'open') THEN
                CASE WHEN finished IS NULL THEN 'waiting'
                     WHEN result = '' THEN 'cancelled' ELSE 'over' END
            WHEN finished IS NULL THEN 'playing' ELSE 'over' END
    """)
    op.execute("""
        UPDATE seats SET
            created = (SELECT created FROM games WHERE id = seats.game_id),
            finished = (SELECT finished FROM games WHERE id = seats.game_id)
    """)
    for name, columns in INDEXES.items():
        op.create_index(name, "games", columns)
    op.drop_index("seats_by_token", "seats")
    op.create_index("seats_by_token", "seats", ["token", "finished", "created"])


def downgrade() -> None:
    """Without them; they follow from the rest."""
    op.drop_index("seats_by_token", "seats")
    op.create_index("seats_by_token", "seats", ["token"])
    for name in INDEXES:
        op.drop_index(name, "games")
    for table, column in (("seats", "finished"), ("seats", "created"), ("games", "status")):
        op.drop_column(table, column)


def _required(name: str, kind: sa.types.TypeEngine[Any], default: str) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, server_default=default)
