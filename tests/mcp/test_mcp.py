"""`gridwise mcp` with the SDK's own client, in one process."""

from __future__ import annotations

import base64
import io
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bot_endpoint.prompt_reader import read_prompt
from PIL import Image

from gridwise import Match, games
from gridwise.engine.bots import LEVELS
from gridwise.play.library import Library
from gridwise.play.records import read_record
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
TOOLS = "list_games rules new_game look legal_moves play try_line resign review"


async def test_the_tools_are_those_of_the_interface(client: Client) -> None:
    """There are the nine tools, and each says what it takes and what it answers."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS.split()
    for tool in tools:
        assert tool.description
        assert tool.output_schema
        assert tool.input_schema["additionalProperties"] is False


async def test_the_document_names_every_tool_and_its_arguments(client: Client) -> None:
    """The table of docs/mcp.md has all of them, in their order, and nothing else."""
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([a-z_]+)` \| ([^|]*)\|", page)
    described = {name: re.findall(r"`([a-z_]+)`", arguments) for name, arguments in rows}
    tools = (await client.list_tools()).tools
    assert described == {tool.name: list(tool.input_schema["properties"]) for tool in tools}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_worked_example_comes_out(tmp_path: Path, engine: EnginePool, mode: str) -> None:
    """The example of Number Maze's text ends as it says, in both forms of the protocol."""
    async with client_of(engine, tmp_path, mode) as client:
        game = await new_maze(client)
        for version, move in enumerate(["right", "left", "down", "up"]):
            answer = await call(client, "play", game_id=game, move=move, version=version)
            assert answer["played"]
        assert answer["result"] == "p2"
        assert answer["moves"] == ["right", "left", "down", "up"]
        assert answer["legal_moves"] == []
        assert (await call(client, "legal_moves", game_id=game))["to_move"] is None
        (kept,) = Library(tmp_path).games()
        assert (kept.id, kept.result) == (game, "0-1")


async def test_a_move_that_is_not_legal_changes_nothing(client: Client, tmp_path: Path) -> None:
    """It is a normal answer, with the reason and what is possible; the file stays as it is."""
    game = await new_maze(client)
    file = only_file(tmp_path)
    before = file.read_bytes(), file.stat().st_mtime_ns
    for move, kind in (("up", "illegal-move"), ("sideways", "unreadable-move"), ("", "")):
        answer = await call(client, "play", game_id=game, move=move)
        assert not answer["played"]
        assert answer["problem"]["kind"] == kind or not kind
        assert answer["legal_moves"] == ["down", "right"]
    stale = await call(client, "play", game_id=game, move="right", version=3)
    assert stale["problem"]["kind"] == "stale-version"
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert only_file(tmp_path) == file  # and no lock is left


async def test_a_bot_of_any_level_answers_within_the_call(client: Client) -> None:
    """After `play` it is the client's turn again; a bot that is Player 1 has begun."""
    for level in LEVELS:
        game = await new_maze(client, level=level, side=2)
        begun = await call(client, "look", game_id=game, picture=False)
        assert len(begun["moves"]) == 1
        assert begun["your_turn"]
        move = (await call(client, "legal_moves", game_id=game))["legal_moves"][0]
        answer = await call(client, "play", game_id=game, move=move)
        assert len(answer["bot_moves"]) == 1 or answer["result"]
        match = Match("number-maze", MAZE)
        for each in answer["moves"]:
            match.move(each)  # every move is legal


async def test_a_bot_that_was_interrupted_moves_later(client: Client, tmp_path: Path) -> None:
    """If a server ended after a move and before its bot had answered, the next call asks it."""
    game = await new_maze(client, level="casual")
    file = only_file(tmp_path)
    file.write_text(file.read_text().replace("\n*", "\n1. right *"))
    answer = await call(client, "look", game_id=game)
    assert answer["moves"][0] == "right"
    assert answer["version"] == 2
    assert answer["your_turn"]


async def test_the_same_seed_plays_the_same_game(client: Client) -> None:
    """A seed deals the board of `Match(seed=…)`, and the bot plays the same moves."""
    played = []
    for _ in range(2):
        started = await call(
            client, "new_game", game="connect", level="novice", seed=7, deal="uniform"
        )
        assert started["board"] == Match("number-connect", seed=7).game.board_text(
            Match("number-connect", seed=7).board
        )
        answer = await call(client, "play", game_id=started["id"], move="0,0")
        played.append(answer["moves"])
    assert played[0] == played[1]


async def test_a_player_who_passes_is_named(client: Client) -> None:
    """In Number Connect a player who is shut in is passed over, and the answer says so."""
    started = await call(
        client, "new_game", game="connect", board="1111/1111/1111/1111", level="none"
    )
    for move in ("0,1", "0,0", "1,1", "1,0", "2,1", "2,0", "3,1", "3,0", "0,2"):
        answer = await client.call_tool("play", {"game_id": started["id"], "move": move})
    assert "Player 2 could not move and passed." in answer.content[0].text  # type: ignore[union-attr]
    assert answer.structured_content
    assert answer.structured_content["to_move"] == 1


async def test_try_line_thinks_without_playing(client: Client) -> None:
    """It says where moves lead, stops at one that is not legal, and plays nothing."""
    game = await new_maze(client)
    line = await call(client, "try_line", game_id=game, moves=["right", "left", "down", "up"])
    assert line["result"] == "p2"
    assert line["problem"] is None
    stopped = await call(client, "try_line", game_id=game, moves=["right", "right", "up"])
    assert stopped["tried"] == ["right"]
    assert stopped["problem"]["kind"] == "illegal-move"
    assert (await call(client, "look", game_id=game))["version"] == 0
    assert "value" not in str(line)


def revealed(claims: list[str]) -> set[int]:
    """The cells that claims have shown on a 5x5 grid: each with the eight around it."""
    cells = set()
    for claim in claims:
        row, col = ord(claim[0]) - ord("A"), int(claim[1]) - 1
        around = ((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        cells |= {5 * r + c for r, c in around if 0 <= r < 5 and 0 <= c < 5}
    return cells


async def test_hidden_cells_are_in_no_answer(client: Client, tmp_path: Path) -> None:
    """What nobody has seen is in no answer, no resource and no file; a line stops before it."""
    rng = random.Random(1)
    started = await call(client, "new_game", game="conquest", level="casual", first=1)
    game, state = started["id"], started
    while state["to_move"]:
        seen = revealed(state["moves"])
        file = only_file(tmp_path)
        kept = read_record(file).game.board_text(read_record(file).board)
        for board in (state["board"], kept):
            cells = board.replace("/", "")
            assert {cell for cell in range(25) if cells[cell] != "?"} == seen
        look = await client.call_tool("look", {"game_id": game, "picture": False})
        resource = await client.read_resource(f"gridwise://games/{game}", cache_mode="bypass")
        for text in (look.content[0], resource.contents[0]):
            said = read_prompt(text.text)  # type: ignore[union-attr]
            assert {cell for cell in range(25) if said.board.cells[cell]} == seen
            assert said.moves == state["moves"]
        legal = (await call(client, "legal_moves", game_id=game))["legal_moves"]
        for move in legal:
            line = await call(client, "try_line", game_id=game, moves=[move])
            stops = revealed([move]) - seen
            assert (line["problem"] or {"kind": ""})["kind"] == ("hidden-cells" if stops else "")
        state = await call(client, "play", game_id=game, move=rng.choice(legal))
    assert "?" not in state["board"]


async def test_the_engine_is_silent_while_a_game_goes_on(client: Client) -> None:
    """`review` waits for the end, unless it is a lesson."""
    game = await new_maze(client)
    await call(client, "play", game_id=game, move="right")
    assert "goes on" in await refused(client, "review", game_id=game)
    lesson = await new_maze(client, lesson=True)
    await call(client, "play", game_id=lesson, move="right")
    assert (await call(client, "review", game_id=lesson))["moves"]
    ended = await call(client, "resign", game_id=game)
    assert ended["reason"] == "Player 2 resigned"
    answer = await call(client, "review", game_id=game)
    # From the text: after `right` Player 1 is lost, by `left down up`.
    assert answer["moves"][0]["grade"] == "blunder"
    assert answer["now"] == []
    now = (await call(client, "review", game_id=lesson))["now"]
    assert {each["move"] for each in now} == {"up", "left"}
    assert all(each["worth"].startswith("win") for each in now)


async def test_a_game_that_is_over_stays_over(client: Client) -> None:
    """After a resignation no move is played, and nobody resigns twice."""
    game = await new_maze(client)
    await call(client, "resign", game_id=game)
    answer = await call(client, "play", game_id=game, move="right")
    assert not answer["played"]
    assert "over" in await refused(client, "resign", game_id=game)
    lost = await new_maze(client, board="4111/1111/1111/1111")
    assert (await call(client, "look", game_id=lost))["result"] == "p2"
    assert (await call(client, "review", game_id=lost))["moves"] == []


async def test_a_game_that_goes_round_in_circles_is_stopped(client: Client, tmp_path: Path) -> None:
    """After 200 plies it is unfinished, and nobody has won."""
    started = await call(client, "new_game", game="runner", level="none")
    file = only_file(tmp_path)
    rounds = " right left left right" * 50
    file.write_text(file.read_text().replace("\n*", f"\n{rounds.rsplit(' ', 1)[0]} *"))
    answer = await call(client, "play", game_id=started["id"], move="right")
    assert answer["version"] == 200
    assert (answer["to_move"], answer["result"]) == (None, None)
    assert "unfinished" in answer["reason"]
    assert not (await call(client, "play", game_id=started["id"], move="right"))["played"]
    assert (await call(client, "list_games"))["going_on"] == []


async def test_the_board_comes_as_a_picture(client: Client) -> None:
    """`look` sends a PNG that can be opened, unless it is asked not to."""
    game = await new_maze(client)
    answer = await client.call_tool("look", {"game_id": game})
    text, picture = answer.content
    assert text.type == "text"
    assert picture.type == "image"
    assert picture.mime_type == "image/png"
    with Image.open(io.BytesIO(base64.b64decode(picture.data))) as image:
        assert image.format == "PNG"
        assert min(image.size) > 100
    assert len((await client.call_tool("look", {"game_id": game, "picture": False})).content) == 1


async def test_rules_and_positions_are_resources(client: Client) -> None:
    """Every game has its rules as a resource, and every started game its position; one prompt."""
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - 1 s

    listed = {str(each.uri) for each in (await client.list_resources()).resources}
    assert listed == {f"gridwise://rules/{game.key}" for game in games()}
    for uri in [*listed, "gridwise://rules/maze"]:
        (page,) = (await client.read_resource(uri)).contents
        assert page.text.startswith("# ")  # type: ignore[union-attr]
        assert "{board}" not in page.text  # type: ignore[union-attr]
    game = await new_maze(client)
    (text,) = (await client.read_resource(f"gridwise://games/{game}")).contents
    assert "Player 1 is to move" in text.text  # type: ignore[union-attr]
    for wrong in ("gridwise://rules/chess", "gridwise://games/none"):
        with pytest.raises(MCPError, match="There is no game"):
            await client.read_resource(wrong)
    (prompt,) = (await client.list_prompts()).prompts
    message = (await client.get_prompt(prompt.name, {"game": "run"})).messages[0]
    assert "Number Run" in message.content.text  # type: ignore[union-attr]
    with pytest.raises(MCPError, match="There is no game"):
        await client.get_prompt(prompt.name, {"game": "chess"})


async def test_going_on_games_are_listed(client: Client) -> None:
    """`list_games` has what can be played, and the ids of what is being played."""
    game = await new_maze(client)
    await new_maze(client, board="4111/1111/1111/1111")  # over at once
    answer = await call(client, "list_games")
    assert [each["game"] for each in answer["games"]] == [each.key for each in games()]
    assert [each["id"] for each in answer["going_on"]] == [game]


# What clients must not do, or cannot: garbage, damaged files, other people's games

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
    ("new_game", {"game": "conquest", "board": "53152/24251/43453/?1523/?2214"}),  # is known then
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
