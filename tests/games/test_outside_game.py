"""A game of another package is a game: everything that plays the five plays it.

The game is what `gridwise new-game` writes, in a folder of its own, not installed. Nim is one that
somebody has written without saying how an agent sees it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gridwise import Match, Position, bot
from gridwise.core import registry
from gridwise.core.contracts import Planes, Rules
from gridwise.core.defaults import Text
from gridwise.core.game import Game
from gridwise.engine_pool import EnginePool
from gridwise.errors import BadRequest
from gridwise.play.records import parse_record, record_text
from gridwise.play.setup import Setup
from gridwise.testing import check_game, check_observation, each_check
from gridwise.testing.new_game import write_game
from gridwise.tui.app import GridwiseApp
from gridwise.worker_process import WorkerProcess
from tests.games.nim import FILES
from tests.lab.dask_processes import DaskProcesses
from tests.mcp.mcp_servers import call, client_of
from tests.tui.pilots import running as running_app
from tests.tui.pilots import text_of, until, until_text
from tests.web.servers import Browser, eventually, sqlite_with_tables
from tests.web.servers import running as running_server

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
KEY = "moon-claim"
BOARD = "1234/5123/4512/3451"
LINE = ("1,1", "1,2", "1,3", "2,1", "2,4", "3,2", "3,3", "4,1")


def added(folder: Path) -> Iterator[Game]:
    """The game of a folder, while a test runs."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(registry.VARIABLE, os.environ.get(registry.VARIABLE, ""))
        patched.setattr(sys, "path", [*sys.path])
        (game,) = registry.add_module(str(folder))
        yield game
        registry.unregister(game.key)


@pytest.fixture(scope="module")
def star(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """The game that `gridwise new-game moon-claim` writes."""
    folder = tmp_path_factory.mktemp("outside")
    write_game("moon claim", folder)
    yield from added(folder)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Nim, whose state has numbers that do not fit into planes of three cells."""
    folder = tmp_path_factory.mktemp("nim") / "nim_heaps"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    yield from added(folder)


def run(module: str, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """A module run in a process that has to find the game by itself."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def gridwise(*arguments: str, typed: str = "") -> str:
    """What the program prints."""
    done = run("gridwise", *arguments, typed=typed)
    assert done.returncode == 0, done.stderr
    return done.stdout


# The conformance suite


def test_a_new_game_passes_as_it_stands(star: Game) -> None:
    """Every check, compiled rules and all."""
    check_game(star, games=2)


def test_positions_that_look_the_same_fail_with_both(nim: Game) -> None:
    """Nim passes until its observations are looked at; with planes of its own it passes."""
    checks = each_check(nim, games=2)
    assert next(checks) == "check_rules, standard size"
    assert next(checks) == "check_compiles, standard size"
    with pytest.raises(AssertionError, match="check_observation: State") as failed:
        check_observation(nim)
    said = str(failed.value)
    assert said.count("State(turn=") == 2
    assert "the default planes; the game needs a planes.py. On the board " in said
    heaps: Any = SimpleNamespace(
        VALUE="the heap at the start",
        PLANES={},
        COUNTS={"one": "a heap", "two": "a heap", "three": "a heap"},
        ACTIONS=(),
        planes=lambda board, state, player: (),
        counts=lambda board, state, player: (state.one, state.two, state.three),
    )
    check_observation(replace(nim, planes=heaps))


def test_environments_refuse_what_they_cannot_show(nim: Game) -> None:
    """With a sentence, before an agent learns from it; the games of ours are not looked at."""
    from gridwise.envs.gymnasium import GridwiseEnv  # noqa: PLC0415 - 1 s

    with pytest.raises(BadRequest, match="Nim needs planes of its own to be learnt"):
        GridwiseEnv(nim, opponent=None)
    assert bot(nim, "perfect").choose(Position(nim, "121")) >= 0


def test_the_checks_are_a_command(star: Game) -> None:
    """`python -m gridwise.testing` names what holds; what is no game is refused in a line."""
    checked = run("gridwise.testing", KEY, "--games", "1")
    assert checked.stdout.endswith("check_pages\nMoon Claim passes.\n")
    refused = run("gridwise.testing", "no_such_game")
    assert refused.returncode == 2
    assert "No module named 'no_such_game'" in refused.stderr


def test_the_guide_has_the_whole_contract() -> None:
    """Every name that a game's rules and text can have, and every field of Game, in its tables."""
    rows = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = set(re.findall(r"`(\w+)", " ".join(row.split(" | ")[0] for row in rows)))
    parts: list[type] = [base for part in (Rules, Text, Planes) for base in part.__mro__[:-2]]
    wanted = {name for part in parts for name in (*part.__annotations__, *vars(part))}
    wanted = {name for name in wanted if not name.startswith("_")}
    derived = {"checks_boards", "asks_questions", "VALUE", "PLANES", "COUNTS", "counts"}
    assert wanted - named == derived
    assert {field.name for field in fields(Game)} <= named


# The ways in


def test_it_is_played_through_a_pipe_recorded_and_reviewed(star: Game, tmp_path: Path) -> None:
    """With `--game-module`, or, as that does for others, with the variable."""
    record = tmp_path / "game.gwr"
    play = ("play", KEY, "--board", BOARD, "--record", str(record))
    source = registry.sources()[KEY]
    with pytest.MonkeyPatch.context() as without:
        without.delenv(registry.VARIABLE)
        played = gridwise("--game-module", source, *play, typed="\n".join([*LINE, "no\n"]))
    assert "Player 1, claim a cell (row,column): 1,1" in played
    assert "wins the game!" in played
    assert "Moon Claim" in gridwise("rules", "claim")
    assert "1,1" in gridwise("replay", str(record), "--plain")
    answer = json.loads(gridwise("analyze", KEY, "--board", "12/34", "--json"))
    assert answer["value"] in {"win", "loss"}
    text = record_text(Match(star, BOARD).record())
    assert parse_record(text).game is star


def test_a_process_that_thinks_knows_it(star: Game) -> None:
    """It is told of games that came after it was started."""
    process = WorkerProcess()
    try:
        assert process.call(_best, Position(star, BOARD)) == _best(Position(star, BOARD))
    finally:
        process.stop()


def _best(position: Position) -> int:
    return bot(position.game, "casual", 1).choose(position)


def test_it_is_played_in_the_app(
    star: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter claims the cell that the cursor is on, and the bot answers from another process."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    app = GridwiseApp(Setup(game=KEY, board=BOARD, p1="human", p2="bot:casual", seed=1), delay=0)

    async def play() -> None:
        async with running_app(app) as pilot:
            await until_text(pilot, "Moon Claim")
            await pilot.press("enter")
            await until(pilot, lambda: "Casual bot claims" in text_of(app))

    asyncio.run(play())


def test_it_is_played_on_the_pages_against_a_bot(star: Game, tmp_path: Path) -> None:
    """A card, a form, rules, a game; a lesson and puzzles it has none."""
    with running_server(sqlite_with_tables(tmp_path)) as address, Browser(address) as ann:
        assert f'href="/new/{KEY}"' in ann.page("/")
        assert "Moon Claim" in ann.page(f"/rules/{KEY}")
        game_id = ann.create(KEY, opponent="bot", level="novice", side=1)
        state = ann.state(game_id)
        assert ann.move(state, state["legal"][0]).status_code == 200
        eventually(lambda: len(ann.state(game_id)["moves"]) == 2)
        assert KEY in ann.http.get("/api/openapi.json").text


@pytest.mark.anyio
async def test_a_language_model_plays_it(star: Game, tmp_path: Path) -> None:
    """The tools of `gridwise mcp`."""
    with closing(EnginePool(1, seconds=50)) as engine:
        async with client_of(engine, tmp_path) as client:
            listed = await call(client, "list_games")
            assert KEY in [each["game"] for each in listed["games"]]
            started = await call(client, "new_game", game=KEY, level="novice", seed=1)
            move = (await call(client, "legal_moves", game_id=started["id"]))["legal_moves"][0]
            assert await call(client, "play", game_id=started["id"], move=move)


@pytest.fixture
def anyio_backend() -> str:
    """What asynchronous tests run on."""
    return "asyncio"


def test_agents_are_trained_on_it(star: Game) -> None:
    """It is registered with every kind of environment, though it came after they were loaded."""
    gymnasium, pyspiel, textarena = map(import_module, ("gymnasium", "pyspiel", "textarena"))
    for module in ("envs.gymnasium", "envs.pettingzoo", "envs.openspiel", "evals.textarena"):
        import_module(f"gridwise.{module}")
    env = gymnasium.make("gridwise/MoonClaim-v0", opponent="random")
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"].sum() > 0
    state = pyspiel.load_game("gridwise_moon_claim").new_initial_state()
    assert state.legal_actions()
    assert "Gridwise-MoonClaim-v0" in textarena.envs.registration.ENV_REGISTRY


ARENA = ("arena", "casual", "novice", "--game", KEY, "--pairs", "4", "--seed", "3", "--json")


@pytest.mark.long("two Dask workers and a scheduler take 10 s to start")
def test_an_arena_gives_the_same_with_processes_and_on_a_cluster(
    star: Game, tmp_path: Path
) -> None:
    """Two processes of this machine, and two Dask workers that have found the game themselves."""
    here = json.loads(gridwise(*ARENA, "--workers", "2", "--out", str(tmp_path / "here")))
    with closing(DaskProcesses(tmp_path)) as dask:
        for _ in range(2):
            dask.add_worker()
        there = json.loads(
            gridwise(*ARENA, "--cluster", dask.address, "--out", str(tmp_path / "there"))
        )
    assert here == there
    assert here["games"] == [KEY]
