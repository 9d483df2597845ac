"""`replay` at a terminal: single keys, drawn in place, or by itself; and what it leaves behind."""

from __future__ import annotations

import re
import termios
import time
from pathlib import Path

import pytest

from .program import (
    EXAMPLES,
    GAMES,
    WITHOUT_CODES,
    Terminal,
    gridwise,
    is_one_complaint,
    recorded,
)

RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"
HOME, END = "\x1b[H", "\x1b[F"
START = "Start of the game."
MOVES = {
    0: START,
    1: "Move 1, Player 1: 0,1",
    2: "Move 2, Player 2: 3,4",
    3: "Move 3, Player 1: 1,1",
}


def leave(terminal: Terminal) -> None:
    """Press q at the next question."""
    terminal.expect("quit) ")
    terminal.key("q")
    assert terminal.finish() == 0


def walk(terminal: Terminal, *steps: tuple[str, str]) -> None:
    """Press each key, without Enter, and see what it leads to."""
    for key, seen in steps:
        terminal.expect("quit) ")
        terminal.key(key)
        terminal.expect(seen)


@pytest.mark.parametrize("options", [(), ("--plain",), ("--linear",)])
def test_single_keys_go_forward_and_back(home: Path, options: tuple[str, ...]) -> None:
    """Each of the keys that people try, in every way of printing."""
    with Terminal("replay", recorded(home), *options, home=home) as terminal:
        terminal.expect(START)
        walk(
            terminal,
            ("\r", MOVES[1]),
            (" ", MOVES[2]),
            (LEFT, MOVES[1]),
            (RIGHT, MOVES[2]),
            ("b", MOVES[1]),
            ("n", MOVES[2]),
            ("p", MOVES[1]),
            (DOWN, MOVES[2]),
            (UP, MOVES[1]),
            (END, MOVES[3]),
            (HOME, START),
            ("\x1bOC", MOVES[1]),
            ("\x1b[4~", MOVES[3]),
            ("\x1b[1~", START),
            ("3", MOVES[3]),
            ("2", MOVES[2]),
            ("0", START),
            (LEFT, START),
            ("G", MOVES[3]),
            (RIGHT, MOVES[3]),
            ("\x7f", MOVES[2]),
            ("g", START),
        )
        leave(terminal)


def test_a_number_has_as_many_digits_as_it_needs(home: Path) -> None:
    """`1`, then `2`, is 12 where there are so many moves; otherwise 1, then 2."""
    file = home / "long.gwr"
    walked = "right up left down " * 4
    gridwise("play", "runner", "--record", file, home=home, typed=walked.split())
    with Terminal("replay", file, home=home) as terminal:
        terminal.expect(START)
        walk(
            terminal,
            ("1", "Move 1,"),
            ("2", "Move 12,"),
            ("3", "Move 3,"),
            ("b", "Move 2,"),
            ("0", START),
        )
        terminal.key("q")
        assert terminal.finish() == 0


def test_a_key_that_is_held_down_is_many_keys(home: Path) -> None:
    """Arrows that arrive together are still as many arrows, of either kind."""
    with Terminal("replay", recorded(home), home=home) as terminal:
        walk(terminal, (RIGHT * 3 + "\x1bOD" + LEFT, MOVES[1]))
        terminal.expect(MOVES[2])
        terminal.expect(MOVES[3])
        terminal.expect(MOVES[2])
        terminal.expect(MOVES[1])
        leave(terminal)
        assert "does nothing" not in terminal.text


def test_other_keys_are_answered(home: Path) -> None:
    """A number that there is not, a key that means nothing, and the list of keys."""
    with Terminal("replay", recorded(home), home=home) as terminal:
        terminal.expect(START)
        walk(
            terminal,
            ("9", "There is no move 9: the last one is 3."),
            ("x", '"x" does nothing here'),
            ("\x1b[15~", "does nothing here"),
            ("?", "Home or g: the start"),
        )
        terminal.expect("quit) ")
        terminal.key("\x1b")
        assert terminal.finish() == 0
        assert "\x1b[15~" not in terminal.text


def test_positions_are_drawn_in_place(home: Path) -> None:
    """The cursor goes up exactly as far as the last drawing reached down."""
    with Terminal("replay", recorded(home), home=home) as terminal:
        walk(terminal, (RIGHT, MOVES[1]), (RIGHT, MOVES[2]), (LEFT, MOVES[1]))
        leave(terminal)
        heading, *frames = re.split(r"\r\x1b\[(\d+)A\x1b\[J", terminal.text)
        drawn, ups = [heading, *frames[1::2]], [int(up) for up in frames[0::2]]
        assert len(ups) == 3
        first = drawn[0][drawn[0].index("\n\nStart of the game.") + 1 :]
        for frame, up in zip([first, *drawn[1:]], ups, strict=False):
            assert frame.count("\n") == up


@pytest.mark.parametrize(("options", "term", "env"), WITHOUT_CODES)
def test_no_codes_where_they_are_not_wanted(
    home: Path, options: tuple[str, ...], term: str, env: dict[str, str]
) -> None:
    """Then each position is printed below the one before."""
    file = recorded(home)
    with Terminal("replay", file, *options, home=home, term=term, env=env) as terminal:
        walk(terminal, (RIGHT, MOVES[1]), ("q", ""))
        assert terminal.finish() == 0
        assert "\x1b" not in terminal.text


def test_what_is_higher_than_the_window_is_not_drawn_over(home: Path) -> None:
    """Otherwise half of it would stay behind."""
    file = home / "tall.gwr"
    gridwise("play", "run", "--size", "12x5", "--record", file, home=home, typed=["0,1"])
    with Terminal("replay", file, home=home) as terminal:
        walk(terminal, (RIGHT, "Move 1,"), ("q", ""))
        assert terminal.finish() == 0
        assert "\x1b[J" not in terminal.text


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_by_itself(home: Path, game: str) -> None:
    """With --delay: every position in its order, without a key, to the end."""
    _, moves = EXAMPLES[game]
    with Terminal("replay", recorded(home, game), "--delay", "0.01", home=home) as terminal:
        terminal.expect(START)
        for number, move in enumerate(moves, 1):
            terminal.expect(f"Move {number}, Player ")
            terminal.expect(f": {move}")
        assert terminal.finish() == 0


def test_a_key_takes_over_from_the_clock(home: Path) -> None:
    """A step stops it, `a` starts it again, and it ends at the end."""
    with Terminal("replay", recorded(home), "--delay", "3000", home=home) as terminal:
        terminal.expect(START)
        terminal.key(RIGHT)
        terminal.expect(MOVES[1])
        walk(terminal, ("b", START))
        terminal.expect("quit) ")
        terminal.key("a")
        terminal.expect(START)
        terminal.key("q")
        assert terminal.finish() == 0


def test_the_delay_is_kept_through_a_pipe(home: Path) -> None:
    """Three moves, three pauses; and the text is what it is without them."""
    file = recorded(home)
    began = time.monotonic()
    slow = gridwise("replay", file, "--delay", "0.2", home=home)
    assert time.monotonic() - began >= 0.6
    assert slow.out == gridwise("replay", file, home=home).out


def test_a_delay_that_is_none_is_refused(home: Path) -> None:
    """One line that says what it takes."""
    for delay in ("0", "-1", "x", "nan", "inf", "100000", ""):
        run = gridwise("replay", recorded(home), "--delay", delay, home=home)
        assert is_one_complaint(run)
        assert "--delay takes" in run.err


def test_every_move_is_told_in_a_sentence(home: Path) -> None:
    """Who did what, under the number of the move; and at the end how the game stands."""
    run = gridwise("replay", recorded(home), home=home)
    for number, who in ((1, "Player 1"), (2, "Player 2"), (3, "Player 1")):
        at = run.lines.index(MOVES[number])
        assert re.fullmatch(rf"{who} goes to .*\.", run.lines[at + 1])
    assert run.lines[-1] == "Unfinished: Player 2 to move."


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_it_can_be_left_by_key(home: Path, key: str) -> None:
    """Ctrl-C and Ctrl-D leave without a traceback, and the terminal is as it was before."""
    with Terminal("replay", recorded(home), home=home) as terminal:
        terminal.expect("quit) ")
        if key == "\x03":
            assert terminal.interrupt() == 130
        else:
            terminal.key(key)
            assert terminal.finish() == 0
        assert "Traceback" not in terminal.text
        assert terminal.text.endswith("quit) \n")
        assert terminal.modes & termios.ECHO
        assert terminal.modes & termios.ICANON
