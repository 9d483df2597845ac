"""What MCP clients must not do, or cannot: garbage, damaged files, other people's games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gridwise import Match
from gridwise.play.library import Library
from tests.mcp.mcp_servers import (
    MAZE,
    call,
    client_of,
    files_in,
    new_maze,
    only_file,
    refused,
)

if TYPE_CHECKING:
    from mcp.client import Client

    from gridwise.engine_pool import EnginePool

pytestmark = pytest.mark.anyio
GARBAGE: list[tuple[str, dict[str, Any]]] = [
    ("new_game", {"game": "chess"}),
    ("new_game", {"game": 7}),
    ("new_game", {}),
    ("new_game", {"game": "maze", "levl": "perfect"}),
    ("new_game", {"game": "maze", "level": "ugi:sh -c id"}),
    ("new_game", {"game": "maze", "level": "python:os:system"}),
    ("new_game", {"game": "maze", "level": "human"}),
    ("new_game", {"game": "maze", "side": 3}),
    ("new_game", {"game": "maze", "board": "9999"}),
    ("new_game", {"game": "maze", "board": MAZE, "size": "4x4"}),
    ("new_game", {"game": "maze", "size": "999x999"}),
    ("new_game", {"game": "maze", "target": 5}),
    ("new_game", {"game": "maze", "handicap": True}),
    ("new_game", {"game": "maze", "deal": "loaded"}),
    ("new_game", {"game": "maze", "seed": "seven"}),
    ("new_game", {"game": "maze", "first": 2}),
    ("rules", {"game": "\x1b[31m" * 1000}),
    ("look", {"game_id": "../../etc/passwd"}),
    ("look", {"game_id": "a" * 1_000_000}),
    ("look", {"game_id": ""}),
    ("look", {"game_id": None}),
    ("play", {"game_id": "none", "move": "up"}),
    ("play", {"game_id": "none"}),
    ("try_line", {"game_id": "none", "moves": "up"}),
    ("try_line", {"game_id": "none", "moves": ["up"] * 10_000}),
    ("review", {"game_id": "none"}),
    ("resign", {"game_id": ["none"]}),
    ("no_such_tool", {}),
]


async def test_garbage_is_refused_in_one_line(client: Client, tmp_path: Path) -> None:
    """Whatever a call asks for, the answer says what is wrong, and nothing is written."""
    for tool, arguments in GARBAGE:
        assert len(await refused(client, tool, **arguments)) < 600
    assert not files_in(tmp_path)
    game = await new_maze(client)
    long = await call(client, "play", game_id=game, move="x" * 1_000_000)
    assert len(long["problem"]["message"]) < 600


async def test_a_damaged_game_says_so(client: Client, tmp_path: Path) -> None:
    """A file that somebody has written into is refused, and left as it is."""
    game = await new_maze(client)
    file = only_file(tmp_path)
    file.write_text(file.read_text().replace(MAZE, "1324/9999"))
    assert "Board" in await refused(client, "play", game_id=game, move="right")
    assert "1324/9999" in file.read_text()


async def test_a_persons_own_games_are_only_looked_at(client: Client, tmp_path: Path) -> None:
    """A client sees the person's games by their ids, and cannot play in them."""
    path = Library(tmp_path).new(Match("number-maze", MAZE).record(("human", "bot:casual")))
    game = path.stem[-4:]
    assert (await call(client, "look", game_id=game))["opponent"] == "human and bot:casual"
    for tool, arguments in (("play", {"move": "right"}), ("resign", {})):
        assert "look at it" in await refused(client, tool, game_id=game, **arguments)
    assert (await call(client, "list_games"))["going_on"] == []


async def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path, engine: EnginePool) -> None:
    """Nothing is answered as played that is not on disk."""
    (tmp_path / "file").touch()
    async with client_of(engine, tmp_path / "file" / "games") as client:
        assert "Not a directory" in await refused(client, "new_game", game="maze", board=MAZE)
