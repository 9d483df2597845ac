"""Who takes a seat: people, bots with and without `bot:`, engines and Python objects."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gridwise import Match, game, grade
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, EngineFailed, IllegalAnswer
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.players.seats import open_seat, player_name, resumed_player

MODULE = """
import asyncio
SEEDS = []
class Last:
    def __init__(self, game, seed):
        self.title = game.title
        SEEDS.append(seed)
    def choose(self, position):
        return position.legal[-1]

class Text:
    def choose(self, position):
        return position.legal_moves[0]

class Waiting:
    now = most = 0
    def __init__(self, game, seed):
        pass
    async def choose(self, position):
        Waiting.now += 1
        Waiting.most = max(Waiting.most, Waiting.now)
        await asyncio.sleep(0.001)
        Waiting.now -= 1
        return position.legal_moves[-1]

class Failing(Waiting):
    async def choose(self, position):
        raise RuntimeError("out of\\nideas")

class Cheating(Waiting):
    async def choose(self, position):
        return "x"

class Broken:
    def choose(self, position):
        raise RuntimeError("out of\\nideas")

class Wrong:
    def __init__(self, answer):
        self.answer = answer
    def choose(self, position):
        return self.answer

def maker(game, seed):
    return Last(game, seed)

def fussy(game, seed):
    raise ValueError("not today")

text, broken, nonsense, illegal, nothing = Text(), Broken(), Wrong("x"), Wrong(99), Wrong(None)
silent = object()
number = 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module with players of many kinds, in the working folder."""
    (tmp_path / "somebodys_bots.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "somebodys_bots", raising=False)
    return "somebodys_bots"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_bot_with_or_without_its_prefix(level: str) -> None:
    """In any case of letters, and its name in a record is the full one."""
    for who in (level, level.upper(), f"bot:{level}", f" Bot:{level.title()} "):
        assert player_name(who) == f"bot:{level}"
        player = open_seat(game("number-run"), who, "1")
        assert player
        assert player.name == f"bot:{level}"


def test_other_names_keep_what_they_say() -> None:
    """A command, a module and a name are not changed; a person is `human`."""
    assert player_name("Human") == "human"
    assert player_name(" Human:  Ann  B ") == "human:Ann B"
    assert player_name("human: ") == "human"
    assert player_name("ugi:./Engine --Fast") == "ugi:./Engine --Fast"
    assert player_name("python:My_Bots:Greedy") == "python:My_Bots:Greedy"
    assert open_seat(game("number-run"), "HUMAN") is None


@pytest.mark.parametrize("who", ["", "best", "bot:", "person:1", "pythons", "perfect:1", ":"])
def test_what_names_no_player_is_refused_with_what_would(who: str) -> None:
    """The levels and the other kinds are named."""
    with pytest.raises(BadRequest) as refused:
        open_seat(game("number-run"), who)
    assert all(level in str(refused.value) for level in (*LEVELS, "ugi:", "python:", "human"))


@pytest.mark.parametrize("who", ["human", "Human "])
def test_people_are_not_graded(who: str) -> None:
    """Nor are they opponents of an agent; `gridwise play` is named."""
    for players in ((who, "random"), ("random", who)):
        with pytest.raises(BadRequest, match="`gridwise play` is for people"):
            grade(players[0], "number-maze", games=2, opponent=players[1])


def test_a_round_has_the_full_names() -> None:
    """What the record of `play --p2 perfect` says."""
    assert set_up(Setup(game="run", p2="perfect")).players == ("human", "bot:perfect")


@pytest.mark.parametrize("name", ["Last", "maker", "text", "Waiting"])
def test_a_python_object_plays(module: str, name: str) -> None:
    """A class, a function that makes one, or the player itself, `async` or not; number or text."""
    player = open_seat(game("number-run"), f"python:{module}:{name}", "1")
    match = Match("number-run", seed=1)
    assert player
    while not match.outcome:
        match.move(player.choose(match.position))
    assert player.name == f"python:{module}:{name}"


def test_an_async_python_player_is_asked_about_many_games_at_once(module: str) -> None:
    """It plays what the same moves without `async` give, and what it does wrong is counted."""
    report = grade(f"python:{module}:Waiting", "number-run", games=8, seed=1)
    plain = grade(f"python:{module}:Last", "number-run", games=8, seed=1)
    assert plain.agent == f"python:{module}:Last"
    assert (report.rows, report.score) == (plain.rows, plain.score)
    assert sys.modules[module].Waiting.most > 2
    assert grade(f"python:{module}:Cheating", "number-run", games=2).illegal_rate == 1
    with pytest.raises(EngineFailed, match=r"Failing failed: .*out of ideas"):
        grade(f"python:{module}:Failing", "number-run", games=2)


def test_the_seed_of_a_python_player_is_a_number_of_its_own(module: str) -> None:
    """It is one for each seed, another for another seed, and not the seed itself."""
    made = [
        open_seat(game("number-run"), f"python:{module}:Last", seed) for seed in ("1", "1", "2")
    ]
    assert all(made)
    seeds = sys.modules[module].SEEDS
    assert seeds[0] == seeds[1] != seeds[2]
    assert seeds[0] != 1
    assert isinstance(seeds[0], int)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "needs a module"),
        ("somebodys_bots", "needs a module"),
        ("somebodys_bots:", "needs a module"),
        ("no_such_module:Bot", "no_such_module"),
        ("somebodys_bots:Nobody", "Nobody"),
        ("somebodys_bots:silent", "not callable"),
        ("somebodys_bots:number", "not callable"),
        ("somebodys_bots:Broken", "takes no arguments"),
        ("somebodys_bots:fussy", "not today"),
        ("somebodys_bots:dict", "dict"),
    ],
)
def test_what_cannot_be_loaded_is_refused_with_the_reason(
    module: str, source: str, why: str
) -> None:
    """One line that says what is wrong."""
    with pytest.raises(BadRequest, match=why) as refused:
        open_seat(game("number-run"), f"python:{source}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["nonsense", "illegal", "nothing", "Cheating"])
def test_a_python_player_cannot_break_the_rules(module: str, name: str) -> None:
    """What is no legal move is refused, with what it wanted to play."""
    player = open_seat(game("number-run"), f"python:{module}:{name}")
    assert player
    with pytest.raises(IllegalAnswer, match="wants to play"):
        player.choose(Match("number-run", seed=1).position)


def test_a_python_player_that_fails_is_named(module: str) -> None:
    """Its error comes as one line."""
    player = open_seat(game("number-run"), f"python:{module}:broken")
    assert player
    with pytest.raises(EngineFailed, match=r"python:somebodys_bots:broken failed: .*out of ideas"):
        player.choose(Match("number-run", seed=1).position)


@pytest.mark.parametrize(
    "who", ["python:os:system", "ugi:./engine", "model:gpt-5", "perfect", "somebody"]
)
def test_a_record_cannot_start_a_program(who: str) -> None:
    """Only a bot keeps its seat when a game is resumed; a model would cost somebody's money."""
    assert resumed_player(who) == "human"
    assert resumed_player("bot:casual") == "bot:casual"
