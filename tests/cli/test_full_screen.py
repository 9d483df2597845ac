"""When the full screen comes, and when the dialogue does instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sizes import sample

from .program import EXAMPLES, GAMES, PROMPTS, Terminal, gridwise, is_one_complaint, recorded

ALTERNATE_SCREEN = "\x1b[?1049h"  # what a full-screen program begins with
WANTED = {"GRIDWISE_DIALOGUE": ""}


@pytest.mark.parametrize(
    "args", sample([(), ("play", "number-run")], long=[(), ("play",), ("play", "number-run")])
)
def test_a_capable_terminal_gets_the_full_screen(home: Path, args: tuple[str, ...]) -> None:
    """Home without a game, a game with one; Ctrl-C leaves with status 130."""
    with Terminal(*args, home=home, env=WANTED) as terminal:
        terminal.expect(ALTERNATE_SCREEN)
        terminal.expect("Casual bot" if "number-run" in args else "Number Run")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.text


@pytest.mark.parametrize(
    ("command", "seen"),
    [("replay", "Paused"), ("review", "Review: Number Run"), ("puzzle", "to move and win")],
)
def test_looking_at_a_game_and_puzzles_take_the_full_screen(
    home: Path, command: str, seen: str
) -> None:
    """The screens of the app, opened at once; printed with --plain, as through a pipe."""
    args = (command, "connect" if command == "puzzle" else recorded(home))
    with Terminal(*args, home=home, env=WANTED) as terminal:
        terminal.expect(ALTERNATE_SCREEN)
        terminal.expect(seen)
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.text
    with Terminal(*args, "--plain", home=home, env=WANTED) as terminal:
        terminal.expect("Find the winning move" if command == "puzzle" else "Player 1")
        assert ALTERNATE_SCREEN not in terminal.text


@pytest.mark.parametrize(
    ("options", "term", "env"),
    [
        (("--plain",), "xterm-256color", {}),
        (("--linear",), "xterm-256color", {}),
        ((), "dumb", {}),
        ((), "", {}),
        ((), "xterm-256color", {"GRIDWISE_DIALOGUE": "1"}),
    ],
)
@pytest.mark.parametrize("command", sample([()], long=[(), ("play",), ("play", "number-run")]))
def test_the_dialogue_stays_for_those_who_need_it(
    home: Path, command: tuple[str, ...], options: tuple[str, ...], term: str, env: dict[str, str]
) -> None:
    """--plain, --linear, a terminal that cannot, or a wish in the environment."""
    with Terminal(*command, *options, home=home, term=term, env=WANTED | env) as terminal:
        terminal.expect(PROMPTS["number-run"] if len(command) > 1 else "Which game?")
        assert ALTERNATE_SCREEN not in terminal.text


def test_a_small_terminal_gets_the_dialogue_and_is_told_why(home: Path) -> None:
    """Below 40 columns or 20 rows there is no room for the full screen."""
    with Terminal("play", "number-run", home=home, columns=30, env=WANTED) as terminal:
        said = " ".join(terminal.expect(PROMPTS["number-run"]).split())
        assert "needs 40 columns and 20 rows; this terminal has 30 and 24." in said


def test_a_mistake_on_the_command_line_is_told_in_one_line(home: Path) -> None:
    """The full screen is left again, or never entered: status 2."""
    with Terminal("play", "chess", home=home, env=WANTED) as terminal:
        assert terminal.finish() == 2
        assert "gridwise: There is no game" in terminal.text
        assert "Traceback" not in terminal.text


def test_without_a_terminal_a_game_must_be_named(home: Path) -> None:
    """There is nobody to ask which one."""
    run = gridwise("play", home=home)
    assert is_one_complaint(run)
    assert "Which game?" in run.err


@pytest.mark.parametrize("game", sample(["number-run"], long=GAMES))
def test_the_dialogue_loads_no_part_of_the_full_screen(home: Path, game: str) -> None:
    """Textual takes a while to load, and is not needed here."""
    play = ("play", game, *EXAMPLES[game][0], "--p2", "bot:random")
    verbose = {"PYTHONVERBOSE": "1"}
    run = gridwise(*play, home=home, env=verbose, fresh=True, typed=["q"])
    assert run.status == 0
    assert "import 'gridwise.cli.game_dialogue'" in run.err
    assert "import 'textual" not in run.err
    assert "import 'gridwise.tui" not in run.err
