"""The tables of the database, for SQLAlchemy Core.

`database.py` makes them. The version is stored under the name that Alembic looks for: what changes
tables after a release can be a migration.
"""

from __future__ import annotations

import sqlalchemy as sa

VERSION = "0005"
# What brings tables of an older version up to the next one.
UPGRADES: dict[str, tuple[str, tuple[str, ...]]] = {
    "0004": (
        "0005",
        (
            "ALTER TABLE games ADD COLUMN won_in_one INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE games ADD COLUMN won_in_two INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE games ADD COLUMN terms VARCHAR(16) NOT NULL DEFAULT ''",
            "ALTER TABLE games ADD COLUMN help VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE games ADD COLUMN ladder VARCHAR(8) NOT NULL DEFAULT ''",
        ),
    ),
}
METADATA = sa.MetaData()

version = sa.Table(
    "alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True)
)

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
    sa.Column("termination", sa.String(16)),
    # waiting, playing, over, or cancelled: over before anybody took the free seat, or dismissed
    sa.Column("status", sa.String(10), nullable=False),
    # The match it is part of, and the clock.
    sa.Column("best_of", sa.Integer, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("halves_one", sa.Integer, nullable=False),
    sa.Column("halves_two", sa.Integer, nullable=False),
    sa.Column("won_in_one", sa.Integer, nullable=False),
    sa.Column("won_in_two", sa.Integer, nullable=False),
    sa.Column("terms", sa.String(16), nullable=False),
    sa.Column("help", sa.String(64), nullable=False, server_default=""),
    sa.Column("ladder", sa.String(8), nullable=False, server_default=""),
    sa.Column("seconds", sa.Double),
    sa.Column("increment", sa.Double, nullable=False),
    # Who is to move, 0 for nobody, and when that player loses on time: they follow from the events.
    sa.Column("turn", sa.Integer),
    sa.Column("flag_falls", sa.Double),
    sa.Index("games_by_age", "finished", "created"),
    sa.Index("games_by_status", "status", "created"),
    sa.Index("games_listed", "listed", "status", "created", "id"),
    sa.Index("games_by_flag", "flag_falls"),
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
    # Copies of the game's, so that somebody's newest games are found by an index; `finished` is 0
    # in a game that was cancelled: however many of those somebody has, no list goes through them.
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("finished", sa.Double),
    sa.Index("seats_by_token", "token", "finished", "game_id"),
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

# Links that take somebody's seats to another device. Neither the link nor the token is in here:
# what is sealed can be read only with the link.
device_links = sa.Table(
    "device_links",
    METADATA,
    sa.Column("code", sa.String(64), primary_key=True),  # the SHA-256 of the code in the link
    sa.Column("token", sa.String(64), nullable=False),  # the SHA-256 of the token
    sa.Column("sealed", sa.String(64), nullable=False),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Index("device_links_by_token", "token"),
    sa.Index("device_links_by_age", "expires"),
)

# What operators' tools tell all servers of a database; the value is when.
server_state = sa.Table(
    "server_state",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Double, nullable=False),
)
