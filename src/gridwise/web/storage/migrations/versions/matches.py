"""Matches of several games, clocks, whose turn it is, and links to other devices."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add them: a game that was there is a single game without a clock.

    Whose turn it is follows from its events, and is written with the next one.
    """
    for name, usual in (("best_of", "1"), ("round", "1"), ("halves_one", "0"), ("halves_two", "0")):
        op.add_column("games", sa.Column(name, sa.Integer, nullable=False, server_default=usual))
    op.add_column("games", sa.Column("seconds", sa.Double))
    op.add_column("games", sa.Column("increment", sa.Double, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("termination", sa.String(16)))
    op.add_column("games", sa.Column("turn", sa.Integer))
    op.add_column("games", sa.Column("flag_falls", sa.Double))
    op.create_index("games_by_flag", "games", ["flag_falls"])
    # In the order of the pages of a list: finished games by date and id.
    op.drop_index("seats_by_token", "seats")
    op.create_index("seats_by_token", "seats", ["token", "finished", "game_id"])
    op.create_table(
        "device_links",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("sealed", sa.String(64), nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
    )
    op.create_index("device_links_by_token", "device_links", ["token"])
    op.create_index("device_links_by_age", "device_links", ["expires"])


def downgrade() -> None:
    """Without them: each game stands for itself, and the links are void.

    What only this version knows is turned into what the older one can read: who lost on time has
    resigned, and nobody has asked for a rematch or declined one.
    """
    op.drop_table("device_links")
    op.drop_index("seats_by_token", "seats")
    op.create_index("seats_by_token", "seats", ["token", "finished", "created"])
    op.drop_index("games_by_flag", "games")
    for name in ("flag_falls", "turn", "termination", "increment", "seconds"):
        op.drop_column("games", name)
    for name in ("halves_two", "halves_one", "round", "best_of"):
        op.drop_column("games", name)
    events = sa.table("events", sa.column("kind"), sa.column("data", sa.JSON))
    op.execute(events.update().where(events.c.kind == "time-out").values(kind="resign"))
    about = sa.cast(events.c.data, sa.Text).like("%rematch%")
    offers = (events.c.kind == "ask-rematch") | ((events.c.kind == "decline") & about)
    # Not removed, since events are numbered: declining what nobody asked for changes nothing.
    op.execute(events.update().where(offers).values(kind="decline", data={"what": "stop"}))
