"""Terminals: narrow ones, ones without colour, and people who listen instead of looking."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sizes import sample

from .program import EXAMPLES, GAMES, PLAY_RUN, PROMPTS, WITHOUT_CODES, Terminal, gridwise

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def played(
    home: Path,
    game: str,
    *options: str,
    term: str = "xterm-256color",
    columns: int = 80,
    env: dict[str, str] | None = None,
) -> str:
    """The screen after two moves of the worked example, seen at a terminal."""
    setting, moves = EXAMPLES[game]
    args = ("play", game, *setting, *options)
    with Terminal(*args, home=home, term=term, columns=columns, env=env) as terminal:
        for move in moves[:2]:
            terminal.expect(PROMPTS[game])
            terminal.type(move)
        terminal.expect(PROMPTS[game])
        terminal.type("quit")
        assert terminal.finish() == 0
        return terminal.text


@pytest.mark.parametrize("game", GAMES)
def test_a_narrow_colour_terminal_gets_the_same_game(home: Path, game: str) -> None:
    """On forty columns every line of the grid, and the lines under it, fit.

    The fixed lines are left as they are written; wrapping them is the terminal's affair. Players
    are told apart by colour, and every colour is switched off again.
    """
    screens = [played(home, game, columns=columns) for columns in sample([40], long=[40, 80])]
    for coloured in screens:
        assert len(set(COLOUR.findall(coloured))) > 3
        for line in coloured.splitlines():
            painted = COLOUR.findall(line)
            assert not painted or painted[-1] == "\x1b[0m"
    narrow = COLOUR.sub("", screens[0])
    grid = [
        line
        for line in narrow.splitlines()
        if re.search(r"\+---|\|.*\||\]\[|: visited|^ +0 |^ +A ", line)
    ]
    assert len(grid) > 12
    assert max(map(len, grid)) <= 40
    wide = [line for line in played(home, game, "--plain", columns=200).splitlines() if line]
    fixed = (
        r"Player \d(?! can always)|You |Moved|Enter|- |Cell value"  # not who wins from the start
    )
    printed = [line for line in wide if re.match(fixed, line)]
    assert len(printed) > 2
    for line in printed:
        assert line in narrow


def test_a_command_to_copy_is_never_broken(home: Path) -> None:
    """On a narrow terminal the command to continue, and a name in a message, stay in one piece."""
    name = "the long and winding name of a game.gwr"
    with Terminal(*PLAY_RUN, home=home, columns=40) as terminal:
        terminal.expect(PROMPTS["number-run"])
        terminal.type("0,1")
        terminal.expect(PROMPTS["number-run"])
        terminal.type(f"save {name}")
        terminal.expect("Saved.")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("quit")
        assert terminal.finish() == 0
        assert f"gridwise play --resume '{name}'\n" in terminal.text
        assert re.search(r"gridwise play --resume \S+\.gwr\n$", terminal.text)


@pytest.mark.parametrize(
    ("options", "term", "env"), [*WITHOUT_CODES, (("--linear",), "xterm-256color", {})]
)
def test_no_escape_codes_where_they_are_not_wanted(
    home: Path, options: tuple[str, ...], term: str, env: dict[str, str]
) -> None:
    """--plain, TERM=dumb, NO_COLOR and --linear keep the screen free of them."""
    assert "\x1b" not in played(home, "number-run", *options, term=term, env=env)


def test_an_empty_no_color_means_nothing(home: Path) -> None:
    """As its convention has it."""
    assert COLOUR.search(played(home, "number-run", env={"NO_COLOR": ""}))


@pytest.mark.parametrize("game", sample(["number-run"], long=GAMES))
def test_pipes_get_no_escape_codes(home: Path, game: str) -> None:
    """Whatever TERM says, and without any option."""
    play = ("play", game, *EXAMPLES[game][0])
    run = gridwise(*play, home=home, env={"TERM": "xterm-256color"})
    assert "\x1b" not in run.out


CELLS = {
    "number-run": [f"{row},{column}" for row in range(5) for column in range(5)],
    "number-maze": [f"{row},{column}" for row in range(1, 5) for column in range(1, 5)],
    "grid-runner": [f"{letter}{row}" for row in range(1, 6) for letter in "ABCDE"],
    "grid-conquest": [f"{letter}{column}" for letter in "ABCDE" for column in range(1, 6)],
    "number-connect": [f"{row},{column}" for row in range(4) for column in range(4)],
}


@pytest.mark.parametrize("game", GAMES)
def test_a_linear_board_names_every_cell(home: Path, game: str) -> None:
    """Read aloud row by row: every cell by name, in order, and nothing drawn."""
    options, moves = EXAMPLES[game]
    run = gridwise("play", game, *options, "--linear", home=home, typed=[moves[0], "quit"])
    assert not re.search(r"\+--|\|.*\||\[.*\]\[", run.out)
    first = run.out.partition(PROMPTS[game])[0]
    rows = [line for line in first.splitlines() if line.startswith("Row ")]
    named = [name for row in rows for name in re.findall(r"(\w,\w|\b[A-E]\d) is\b", row)]
    assert named == CELLS[game]
    assert "Player 1" in run.out


def test_a_linear_board_tells_what_the_drawn_one_shows(home: Path) -> None:
    """Tokens, values, owners, obstacles and hidden cells, in words."""
    runner = gridwise("play", "grid-runner", "--linear", home=home).out
    assert re.search(r"A1 is [^;]*Player 1", runner)
    assert re.search(r"E5 is [^.]*Player 2", runner)
    assert all(
        re.search(rf"{cell} is an obstacle", runner) for cell in ("A3", "C1", "C3", "C5", "E3")
    )
    options, _ = EXAMPLES["grid-conquest"]
    conquest = gridwise(
        "play", "grid-conquest", *options, "--linear", home=home, typed=["C3"]
    ).out.rpartition("Your new score")[2]
    assert re.search(r"C3 is [^;]*Player 1", conquest)
    assert re.search(r"B4 is 5\b", conquest)
    assert re.search(r"A1 is face down", conquest)


def test_output_that_cannot_show_a_character_is_no_crash(home: Path) -> None:
    """An ASCII terminal gets stand-ins."""
    odd = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    run = gridwise(*PLAY_RUN, home=home, typed=["\N{SNOWMAN}", "quit"], env=odd, fresh=True)
    assert run.status == 0
    assert not run.err
