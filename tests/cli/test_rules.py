"""`rules`: a dozen lines first at a terminal, the rest in a pager; through a pipe, the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gridwise import game as game_named

from .program import GAMES, WITHOUT_CODES, Terminal, gridwise

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
MORE = "(Enter: all the rules, q: done) "

# A few words of what one must know to play, from the games' texts.
ESSENTIAL = {
    "number-run": ("not visited", "challenge", "opponent's start", "nowhere to go"),
    "number-maze": ("number", "straight line", "opponent's start", "cannot move"),
    "grid-runner": ("obstacle", "corner", "up, down, left or right"),
    "grid-conquest": ("face down", "diagonal", "15", "draw"),
    "number-connect": ("first cell", "pass", "Exactly 15", "more than 15", "draw"),
}


def lines_of(screen: str) -> list[str]:
    """The lines that are seen, without colours and blanks at their ends."""
    return [line.rstrip() for line in COLOUR.sub("", screen).splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_a_dozen_lines_come_first(home: Path, game: str) -> None:
    """They name what one must know; any word leaves it at that."""
    with Terminal("rules", game, home=home) as terminal:
        brief = terminal.expect(MORE)
        terminal.type("q")
        assert terminal.finish() == 0
        assert len(lines_of(brief)) <= 14
        assert max(map(len, lines_of(brief))) <= 80
        words = " ".join(brief.split())
        assert all(part in words for part in ESSENTIAL[game])
        assert "Where the rules come from" not in terminal.text


@pytest.mark.parametrize("columns", [40, 80])
def test_enter_brings_the_rest(home: Path, columns: int) -> None:
    """In the person's pager, set for the width of the terminal."""
    env = {"PAGER": "cat"}
    with Terminal("rules", "run", home=home, columns=columns, env=env) as terminal:
        terminal.expect(MORE)
        terminal.type("")
        assert terminal.finish() == 0
        assert COLOUR.search(terminal.text)
        lines = lines_of(terminal.text)
        assert max(map(len, lines)) <= max(columns, len(MORE))
        assert any("Where the rules come from" in line for line in lines)


def test_the_pager_is_the_persons_own(home: Path) -> None:
    """$PAGER is run, and gets the page; with `--full` nothing is asked before."""
    seen = home / "seen"
    env = {"PAGER": f"tee {seen} | wc -l"}
    with Terminal("rules", "maze", "--full", "--plain", home=home, env=env) as terminal:
        assert terminal.finish() == 0
        assert MORE not in terminal.text
    page = seen.read_text(encoding="utf-8")
    assert page.startswith("# Number Maze")
    assert "Where the rules come from" in page
    assert page.rstrip() == gridwise("rules", "maze", home=home).out.rstrip()


def test_less_shows_the_page_and_leaves_it(home: Path) -> None:
    """Without $PAGER; `q` leaves it, and the program ends well."""
    with Terminal("rules", "run", "--full", home=home) as terminal:
        terminal.expect("Number Run")
        terminal.expect(":")
        terminal.press("q")
        assert terminal.finish() == 0


@pytest.mark.parametrize(
    ("options", "term", "env"), [*WITHOUT_CODES, (("--linear",), "xterm-256color", {})]
)
def test_no_codes_where_they_are_not_wanted(
    home: Path, options: tuple[str, ...], term: str, env: dict[str, str]
) -> None:
    """In brief or in full."""
    env = {"PAGER": "cat", **env}
    with Terminal("rules", "run", *options, home=home, term=term, env=env) as terminal:
        terminal.expect(MORE)
        terminal.type("")
        assert terminal.finish() == 0
        assert "\x1b" not in terminal.text
        assert "Where the rules come from" in terminal.text


@pytest.mark.parametrize("key", ["\x03", "\x04", "x\r"])
def test_it_can_be_left_by_key(home: Path, key: str) -> None:
    """Ctrl-C, Ctrl-D and others: no traceback, and the line is ended."""
    with Terminal("rules", "run", home=home) as terminal:
        terminal.expect(MORE)
        assert terminal.leave(key) == (130 if key == "\x03" else 0)
        assert "Traceback" not in terminal.text
        assert terminal.text.endswith("\n")


@pytest.mark.parametrize("game", GAMES)
def test_a_pipe_gets_the_whole_page(home: Path, game: str) -> None:
    """As plain text, with or without --full; with the game's name and a drawn board.

    With --linear the board is described, not drawn. As JSON there are the name, the short version
    and the page.
    """
    run = gridwise("rules", game, home=home)
    assert (run.status, run.err) == (0, "")
    page = run.out
    assert page.startswith(f"# {game.replace('-', ' ').title()}")
    assert "## Where the rules come from" in page
    assert re.search(r"\+---|\]\[", page)
    assert re.search(r"\bwins?\b", page)
    assert "{" not in page
    assert page == gridwise("rules", game, "--full", home=home).out
    linear = gridwise("rules", game, "--linear", home=home).out
    assert not re.search(r"\+---|\]\[", linear.partition("## In short")[0])
    assert linear.count("\nRow ") == game_named(game).rows
    data = json.loads(gridwise("rules", game, "--json", home=home).out)
    assert data["game"] == game
    assert data["short_name"] == game.rpartition("-")[2]
    assert data["page"] + "\n" == page
    assert all(part in " ".join(data["brief"]) for part in ESSENTIAL[game])
    assert not any(re.search("[`#]|\\n", line) for line in data["brief"])
