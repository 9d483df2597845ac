"""Games, seats and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("handicap", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("deal", sa.String(16), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("cap", sa.Integer),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("rematch_of", sa.String(12)),
        sa.Column("finished", sa.Double),
        sa.Column("result", sa.String(8)),
        sa.Column("reason", sa.Text),
    )
    op.create_index("games_by_age", "games", ["finished", "created"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
    )
    op.create_index("seats_by_token", "seats", ["token"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("ref", sa.String(64)),
        sa.Column("at", sa.Double, nullable=False),
        sa.UniqueConstraint("game_id", "ref", name="one_event_a_ref"),
    )


def downgrade() -> None:
    """Back to nothing."""
    for name in ("events", "seats", "games"):
        op.drop_table(name)
