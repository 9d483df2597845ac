"""The tables of the database, for SQLAlchemy Core. `migrations/` creates them."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

games = sa.Table(
    "games",
    METADATA,
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
    # waiting, playing, over, or cancelled: over before anybody took the free seat
    sa.Column("status", sa.String(10), nullable=False),
    sa.Index("games_by_age", "finished", "created"),
    sa.Index("games_by_status", "status", "created"),
    sa.Index("games_listed", "listed", "status", "created", "id"),
    sa.Index("games_recent", "listed", "status", "finished", "id"),
)

seats = sa.Table(
    "seats",
    METADATA,
    sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("level", sa.String(32), nullable=False),
    sa.Column("token", sa.String(64), nullable=False),
    # Copies of the game's, so that somebody's newest games are found by an index.
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("finished", sa.Double),
    sa.Index("seats_by_token", "token", "finished", "created"),
)

events = sa.Table(
    "events",
    METADATA,
    sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("player", sa.Integer, nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("ref", sa.String(64)),
    sa.Column("at", sa.Double, nullable=False),
    sa.UniqueConstraint("game_id", "player", "ref", name="one_event_a_ref"),
)

# What all servers of a database share: when one last wrote, and whether they are to stop.
server_state = sa.Table(
    "server_state",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Double, nullable=False),
)
