"""Leaving a game: however it is left, it is saved, and the command to continue is named."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.sizes import sample

from .program import (
    CHALLENGE,
    MEETING,
    MEETING_BOARD,
    PATIENCE,
    PLAY_RUN,
    PROMPTS,
    Piped,
    Terminal,
    gridwise,
    moves_in,
    resume_args,
    said_in,
    start,
    stop,
    tag_in,
)

PLAY = (*PLAY_RUN, "--plain")
PROMPT = PROMPTS["number-run"]


def saved(home: Path) -> list[Path]:
    """The games that were saved without a name."""
    return sorted(home.glob("games/*.gwr"))


def play_two_moves(terminal: Terminal) -> None:
    """0,1 and 3,4, up to the next prompt."""
    for move in ("0,1", "3,4"):
        terminal.expect(PROMPT)
        terminal.type(move)
    terminal.expect("Current position: (0,1)")
    terminal.expect(PROMPT)


def assert_continues(home: Path, command: list[str]) -> None:
    """The named command continues after 0,1 and 3,4, and takes the next move."""
    run = gridwise(*command, home=home, typed=["1,1", "quit"])
    assert run.status == 0
    assert not run.err
    assert "Current position: (0,1)\nCurrent score: 1\n" in run.out
    assert "Moved to (1,1).\nCell value: 5\nNew score: 6\n" in run.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_the_game(home: Path, number: signal.Signals) -> None:
    """Ctrl-C, a shutdown and a hang-up, through pipes: saved, and the named command works."""
    with Piped(*PLAY, home=home) as game:
        game.send("0,1\n3,4\n")
        game.expect(PROMPT, 3)
        stop(game.process, number)
        run = game.finish()
    assert run.status == (130 if number == signal.SIGINT else run.status)
    assert run.status in (130, 128 + number)
    assert "Traceback" not in run.out + run.err
    assert_continues(home, run.resume_args)


@pytest.mark.parametrize(
    ("key", "status", "columns"), [("\x03", 130, 40), ("\x03", 130, 80), ("\x04", 0, 80)]
)
def test_a_key_that_leaves_saves_the_game(home: Path, key: str, status: int, columns: int) -> None:
    """Ctrl-C or Ctrl-D at a terminal: the command on the screen can be used as it stands."""
    with Terminal(*PLAY, home=home, columns=columns) as terminal:
        play_two_moves(terminal)
        assert terminal.leave(key) == status
        assert "Traceback" not in terminal.text
        assert_continues(home, resume_args(terminal.text))


def test_a_closed_terminal_saves_the_game(home: Path) -> None:
    """When the window is closed there is nobody to talk to, but the game is on disk."""
    with Terminal(*PLAY, home=home) as terminal:
        play_two_moves(terminal)
        terminal.hang_up()
        terminal.process.wait(timeout=PATIENCE)
    (file,) = saved(home)
    assert moves_in(file) == ["0,1", "3,4"]
    assert_continues(home, ["play", "--resume", str(file)])


@pytest.mark.parametrize("moves", sample([2], long=[1, 2]))
def test_a_killed_game_is_kept_and_offered(home: Path, moves: int) -> None:
    """Killed right after a move was shown: it is on disk, and the menu offers to continue it."""
    played = ["0,1", "3,4"][:moves]
    with Piped(*PLAY, home=home) as game:
        game.send("".join(f"{move}\n" for move in played))
        game.expect("Moved to", moves)
        game.kill()
    (file,) = saved(home)
    assert moves_in(file) == played
    with Terminal("play", "--plain", home=home) as terminal:
        terminal.expect("Continue")
        terminal.expect("Your choice")
        terminal.type("c")
        terminal.expect(f"Player {moves % 2 + 1}'s turn.")


def test_control_c_at_the_challenge_keeps_the_moves_before_it(home: Path) -> None:
    """A move whose question is open has not been made; all before it have."""
    with Piped("play", "number-run", "--board", MEETING_BOARD, home=home) as game:
        game.send("".join(f"{move}\n" for move in MEETING))
        game.expect(CHALLENGE)
        stop(game.process)
        run = game.finish()
    assert run.status == 130
    assert moves_in(Path(run.resume_args[-1])) == list(MEETING[:-1])
    again = gridwise(*run.resume_args, home=home, typed=["2,2!"])
    assert "You win the challenge!" in again.out


@pytest.mark.untraced
def test_control_c_while_bots_play_loses_no_move(home: Path) -> None:
    """Every claim that was printed is in the record that is said to be saved."""
    rng = random.Random("bots")
    long = ("--board", "/".join(["1" * 9] * 7), "--target", "99", "--first", "1")
    for seed in range(sample(5, long=10)):
        file = home / f"{seed}.gwr"
        bots = ("--p1", "bot:random", "--p2", "bot:random", "--seed", str(seed))
        with Piped("play", "grid-conquest", *long, *bots, "--record", file, home=home) as game:
            while not file.exists():
                time.sleep(0.001)
            time.sleep(rng.random() * 0.04)
            stop(game.process)
            run = game.finish()
        assert "Traceback" not in run.err
        assert run.status == (130 if tag_in(file, "Result") == "*" else run.status)
        printed = run.out.count("You have claimed cell")
        assert printed <= len(moves_in(file)) <= run.out.count(PROMPTS["grid-conquest"])


def test_control_c_at_any_moment_shows_no_traceback(home: Path) -> None:
    """Also while the program is still loading what it needs."""
    for delay in sample((0.06, 0.15, 0.3), long=(0.06, 0.1, 0.15, 0.2, 0.3)):
        with Piped(*PLAY, home=home, fresh=True) as game:
            time.sleep(delay)
            stop(game.process)
            run = game.finish()
        # While the package itself is imported, `main` does not run yet, and the interpreter has its
        # own way to say it.
        ours = re.search(r"gridwise/\w+", run.err) and "gridwise/__init__.py" not in run.err
        assert not ours, f"after {delay} seconds: {run.err}"
        assert "Traceback" in run.err or run.status in (130, -signal.SIGINT)


def test_a_reader_who_leaves_does_not_take_the_game_along(home: Path) -> None:
    """When nobody reads our output any more, the game is saved and nothing crashes."""
    with Piped(*PLAY, home=home, fresh=True) as game:
        game.send("0,1\n3,4\n")
        game.expect(PROMPT, 3)
        game.stop_listening()
        game.send("0,2\nhelp\n")
        run = game.finish()
    assert "Traceback" not in run.err
    assert "Exception ignored" not in run.err
    (file,) = saved(home)
    assert moves_in(file)[:2] == ["0,1", "3,4"]
    assert resume_args(run.err) == ["play", "--resume", str(file), "--plain"]


@pytest.mark.untraced
def test_an_output_that_fills_up_does_not_take_the_game_along(home: Path) -> None:
    """When the file that the dialogue goes into can grow no more, the moves so far are saved.

    How to go on with them is said where it can still be read.
    """
    long = ["0,1", "3,4", *["board"] * 200]
    run = gridwise(*PLAY, home=home, typed=long, largest_file=8 << 10)  # its output is a file
    assert len(run.out) == 8 << 10
    assert "Traceback" not in run.err
    (file,) = saved(home)
    assert moves_in(file) == ["0,1", "3,4"]
    assert (run.status, resume_args(run.err)) == (2, ["play", "--resume", str(file), "--plain"])


@pytest.mark.parametrize(
    "command", [("rules", "number-run"), ("--help",), ("games",), ("play", "grid-runner")]
)
def test_the_status_says_that_the_reader_of_the_output_has_gone(
    home: Path, command: tuple[str, ...]
) -> None:
    """It is 141, as the shell has it for a program that a closed pipe has ended."""
    unread, out = os.pipe()
    os.close(unread)
    with open(os.devnull, "rb") as nothing, TemporaryFile() as err:
        process = start(command, (nothing.fileno(), out, err.fileno()), home)
        os.close(out)
        assert process.wait(PATIENCE) == 141
        assert said_in(err) == ""


@pytest.mark.parametrize("kept", [False, True])
def test_a_game_that_was_only_watched_is_nobodys(home: Path, tmp_path: Path, kept: bool) -> None:
    """Broken off with Ctrl-C it is among nobody's games, unless it was asked to be kept."""
    file = tmp_path / "watched.gwr"
    bots = ("--p1", "bot:random", "--p2", "bot:random", "--delay", "1")
    record = ("--record", str(file)) if kept else ()
    with Piped("play", "number-run", *bots, *record, home=home) as game:
        game.expect("Moved to")
        stop(game.process)
        run = game.finish()
    assert run.status == 130
    assert saved(home) == []
    assert file.exists() == kept
    assert ("Continue with" in run.out) == kept
    assert ("--record FILE" in run.out) != kept
