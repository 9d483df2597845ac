"""After a game: play again, review, save, menu, quit; and words that work at every prompt."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from tests.sizes import sample

from .program import (
    AFTER_GAME,
    EXAMPLES,
    GAMES,
    MAZE_BOARD,
    MEETING,
    MEETING_BOARD,
    PLAY_RUN,
    PROMPTS,
    Run,
    Terminal,
    gridwise,
    tag_in,
)

LOST = ("play", "number-maze", "--board", MAZE_BOARD)
LOST_MOVES = ["right", "left", "down", "up"]


def after(home: Path, *typed: str) -> Run:
    """Number Maze to its end, won by Player 2, and then what is typed."""
    return gridwise(*LOST, home=home, typed=[*LOST_MOVES, *typed])


def answer_to(run: Run, typed: str) -> str:
    """What was printed between an answer after the game and the next time it is asked."""
    return run.out.partition(f"{AFTER_GAME}{typed}\n")[2].partition(AFTER_GAME)[0]


@pytest.mark.parametrize(
    "word", sample(["P", "play again", "y"], long=["p", "P", "play again", "again", "yes", "y"])
)
def test_another_game_can_be_played(home: Path, word: str) -> None:
    """Sides are swapped, and the first move is asked for."""
    run = after(home, word, "q")
    assert run.status == 0
    assert "Sides are swapped" in run.out
    assert run.out.count("Number Maze: ") == 2


def test_the_review_is_the_one_of_the_command(home: Path) -> None:
    """Shown right there, and the same as `gridwise review` of the kept game."""
    run = after(home, "r", "review", "q")
    (file,) = home.glob("games/*.gwr")
    shown = gridwise("review", file, home=home).out
    assert "accuracy" in shown
    assert answer_to(run, "r") == answer_to(run, "review") == shown


@pytest.mark.parametrize("word", ["s", "save", "s copy.gwr", "save copy.gwr", "save -x.gwr"])
def test_saving_names_a_command_that_reviews_the_game(home: Path, word: str) -> None:
    """The command that is printed works as it stands; no file is taken for an option."""
    run = after(home, word, "q")
    named = re.search(r"gridwise (review .+)", answer_to(run, word))
    assert named, run.out
    review = gridwise(*shlex.split(named[1]), home=home)
    assert review.status == 0
    assert "Player 2 won" in review.out
    assert [file.name for file in home.glob("*.gwr")] == word.split()[1:]


@pytest.mark.parametrize("word", ["q", "quit", "exit", "no", "n"])
def test_quitting_ends_it(home: Path, word: str) -> None:
    """Status 0, nothing is asked again, and nothing is to be continued; the game is kept."""
    run = after(home, word, "p")
    assert run.status == 0
    assert run.out.count(AFTER_GAME) == 1
    assert "--resume" not in run.out
    (file,) = home.glob("games/*")
    assert tag_in(file, "Result") == "0-1"


def test_help_after_the_game_is_about_what_comes_next(home: Path) -> None:
    """It lists the choices, and not how to write a move."""
    shown = answer_to(after(home, "help", "q"), "help")
    assert all(word in shown for word in ("play again", "review", "save FILE", "menu", "quit"))
    assert "resign" not in shown
    assert "direction" not in shown


def test_help_at_the_challenge_tells_the_stakes(home: Path) -> None:
    """What yes and no mean here, before what else can be typed."""
    run = gridwise(
        *("play", "number-run", "--board", MEETING_BOARD), home=home, typed=[*MEETING, "help"]
    )
    shown = run.out.partition("(yes/no): help\n")[2]
    assert "yes: Challenge (14 : 12, you win)." in shown
    assert "no: Move without challenging." in shown
    assert "row,column" not in shown.partition("You can also type")[0]


def test_the_log_says_who_did_what(home: Path) -> None:
    """One line for each move, from the side of the person."""
    run = gridwise(
        *("play", "grid-runner", "--p2", "bot:random", "--seed", "1"),
        home=home,
        typed=["right", "log", "q"],
    )
    lines = run.out.partition(": log\n")[2].splitlines()
    assert lines[0] == "1. You go right to B1."
    assert re.fullmatch(r"2\. Player 2 goes \w+ to \w\d\.", lines[1])


def test_a_target_is_told_at_the_beginning(home: Path) -> None:
    """Where it is not the usual one."""
    run = gridwise("play", "grid-conquest", "--target", "10", home=home)
    assert "This game is played to 10, not to 15." in run.lines
    assert "played to" not in gridwise("play", "grid-conquest", home=home).out


def test_a_series_is_counted(home: Path) -> None:
    """Best of three: the score after each game, sides swapped."""
    run = gridwise(
        *(*LOST, "--p2", "bot:random", "--best-of", "3"),
        home=home,
        typed=["resign", "p", "resign", "q"],
    )
    assert run.status == 0
    assert "Best of 3: Player 2 leads 1 : 0." in run.out
    assert "Game 2 of 3: sides swap, you are Player 2 now and begin second." in run.out
    assert "Player 1 wins the match 2 : 0." in run.out


# At a terminal


def test_resigning_is_confirmed_at_a_terminal(home: Path) -> None:
    """`no` goes on with the game; `yes` ends it. Through a pipe nobody is asked."""
    with Terminal(*PLAY_RUN, home=home) as terminal:
        terminal.expect(PROMPTS["number-run"])
        terminal.type("0,1")
        for answer in ("no", "yes"):
            terminal.expect(PROMPTS["number-run"])
            terminal.type("resign")
            terminal.expect("give up this game? (yes/no): ")
            terminal.type(answer)
        terminal.expect("Player 2 resigned.")
        terminal.expect(AFTER_GAME)
        terminal.type("q")
        assert terminal.finish() == 0
    (file,) = home.glob("games/*.gwr")
    assert tag_in(file, "Result") == "1-0"


@pytest.mark.parametrize(("delay", "least"), [((), 0.8), (("--delay", "0.3"), 0.3)])
def test_bots_have_a_pace_at_a_terminal(home: Path, delay: tuple[str, ...], least: float) -> None:
    """The move of a bot can be read before the board comes."""
    play = ("play", "grid-runner", "--p2", "bot:random", "--seed", "1", "--plain", *delay)
    with Terminal(*play, home=home) as terminal:
        terminal.expect(PROMPTS["grid-runner"])
        before = time.monotonic()  # not when the move is read: that may be late
        terminal.type("right")
        terminal.expect("Player 2 (random bot):")
        terminal.expect("A   B   C")
        assert time.monotonic() - before >= least


SLOW = """
import time
class Slow:
    def __init__(self, game, seed):
        pass
    def choose(self, position):
        time.sleep(1)
        return position.legal[0]
"""


def test_a_player_that_takes_long_is_said_to_think(home: Path) -> None:
    """At a terminal, before its move is shown."""
    (home / "slow.py").write_text(SLOW)
    play = ("play", "grid-conquest", "--p1", "python:slow:Slow", "--first", "1", "--plain")
    with Terminal(*play, home=home) as terminal:
        terminal.expect("(Player 1 (slow:Slow) is thinking.)")
        terminal.expect("You have claimed cell A1")


# Everything by ear


# A board of Grid Conquest of which every move is worked out in no time.
SMALL = (("--board", "1234/5123", "--first", "1"), ("A1", "B4", "B1"))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_can_be_heard(home: Path, game: str) -> None:
    """With --linear nothing is drawn, from the first board to the review."""
    options, moves = sample({**EXAMPLES, "grid-conquest": SMALL}, long=EXAMPLES)[game]
    ask = ["score", "log", "hint", "read", "help"]
    run = gridwise(
        *("play", game, *options, "--linear"),
        home=home,
        typed=[moves[0], *ask, *moves[1:], "resign", "score", "log", "r", "s", "q"],
    )
    assert run.status == 0
    assert not run.err
    assert not re.search(r"\+--|\|.*\||\[P\d\]|\]\[|^ +Player \d \|", run.out, re.MULTILINE)
    assert "Move 1, Player 1: " in run.out
    assert re.search(r"^1\. Player 1 ", run.out, re.MULTILINE)
    assert re.search(r"(more to win|goal: )", run.out)
