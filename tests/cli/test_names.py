"""Two people with names: in sentences and in the record, but not in the fixed lines."""

from __future__ import annotations

from pathlib import Path

from .program import MAZE_BOARD, assert_prints, gridwise, resume_args, tag_in

TWO = ("play", "number-maze", "--board", MAZE_BOARD, "--p1", "human:Ann", "--p2", "Human: Ben  B ")


def test_the_dialogue_says_who_is_who_and_who_has_won(home: Path) -> None:
    """The lines of the game's text stay as they are; Ann has no move left on 4,2."""
    file = home / "game.gwr"
    moves = ["right", "left", "down", "log", "up", "r", "q"]
    run = gridwise(*TWO, "--record", file, home=home, typed=moves)
    assert_prints(
        run,
        "Player 1 is Ann. Player 2 is Ben B.",
        "Player 1's Turn:\n- Current Position: (1,1)",
        "1. Ann goes 1 step right to 1,2.",
        "Player 1 cannot move and loses the game.",
        "Ben B won: Ann had no move left.",
        "Number Maze: Ann against Ben B.",
    )
    assert (tag_in(file, "Player1"), tag_in(file, "Player2")) == ("human:Ann", "human:Ben B")
    assert "Player 2: Ben B" in gridwise("replay", file, home=home).out
    listed = gridwise("games", home=home, typed="").out
    assert "human:" not in listed


def test_names_swap_sides_with_the_people(home: Path) -> None:
    """In the next game Ben is Player 1."""
    run = gridwise(*TWO, home=home, typed=["right", "left", "down", "up", "p", "q"])
    assert "Player 1 is Ben B. Player 2 is Ann." in run.out


def test_a_continued_game_keeps_the_names(home: Path) -> None:
    """A file starts no programs, but people are who they were."""
    run = gridwise(*TWO, home=home, typed=["right", "q"])
    again = gridwise(*resume_args(run.out), "--plain", home=home, typed=["q"])
    assert "Player 1 is Ann. Player 2 is Ben B." in again.out


def test_people_with_names_do_not_play_where_programs_do(home: Path) -> None:
    """As people without."""
    run = gridwise("arena", "human:Ann", "casual", "--game", "connect", "--pairs", "1", home=home)
    assert run.status == 2
    assert "People do not play in an arena" in run.err
