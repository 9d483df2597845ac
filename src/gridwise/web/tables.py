"""The tables of the database, for SQLAlchemy Core. `migrations/` makes them."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

games = Table(
    "games",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("board", Text, nullable=False),
    Column("target", Integer, nullable=False),
    Column("handicap", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("deal", String(16), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("cap", Integer),
    Column("listed", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("rematch_of", String(12)),
    Column("finished", Double),
    Column("result", String(8)),
    Column("reason", Text),
    Index("games_by_age", "finished", "created"),
)

seats = Table(
    "seats",
    METADATA,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(64), nullable=False),
    Column("level", String(32), nullable=False),
    Column("token", String(64), nullable=False),
    Index("seats_by_token", "token"),
)

events = Table(
    "events",
    METADATA,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player", Integer, nullable=False),
    Column("data", JSON, nullable=False),
    Column("ref", String(64)),
    Column("at", Double, nullable=False),
    UniqueConstraint("game_id", "ref", name="one_event_a_ref"),
)
