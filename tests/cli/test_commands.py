"""What holds for every game at the command line: one seed, one game; an end; the options."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridwise as package

from .program import AFTER_GAME, GAMES, gridwise


def test_the_version_is_printed(home: Path) -> None:
    """One line with the name and the number."""
    run = gridwise("--version", home=home, fresh=True)
    assert (run.status, run.err) == (0, "")
    assert run.out == f"gridwise {package.__version__}\n"


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_game(home: Path, game: str) -> None:
    """Deal, toss and bots: equal seeds, equal transcripts; other seeds, other games."""
    bots = ("play", game, "--p1", "bot:random", "--p2", "bot:random", "--seed")
    one, other = (gridwise(*bots, seed, home=home).out for seed in ("7", "8"))
    assert one == gridwise(*bots, "7", home=home, fresh=True).out  # by an interpreter of its own
    assert one != other


def test_endless_games_of_bots_are_stopped(home: Path) -> None:
    """A Grid Runner game nobody can win ends after 200 plies, unfinished and without a winner.

    Nobody is asked anything. Nobody waits either, through a pipe: pauses as at a terminal, of 0.8
    seconds, would take longer than a run may.
    """
    file = home / "game.gwr"
    run = gridwise(
        *("play", "grid-runner", "--board", "..X../..X../..X..", "--record", file),
        *("--p1", "bot:random", "--p2", "bot:random", "--seed", "1"),
        home=home,
    )
    assert run.status == 0
    assert "unfinished after 200 plies" in run.out
    assert run.out.count("(random bot):") == 200
    assert AFTER_GAME not in run.out
    assert "wins" not in run.out
    assert "draw" not in run.out
    shown = gridwise("replay", file, "--at", "-1", home=home)
    assert shown.status == 0
