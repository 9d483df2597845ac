"""The menu: a game in three key presses, and a way out of every question."""

from __future__ import annotations

from dataclasses import replace

import typer

from gridwise.cli.autosave import last_saved
from gridwise.cli.commands.play import play_rounds
from gridwise.cli.commands.rules import rules
from gridwise.cli.console import Console, wrapped
from gridwise.cli.keys import read_key
from gridwise.cli.setup import MatchSetup
from gridwise.cli.signals import INTERRUPTED
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.errors import GridwiseError, quoted
from gridwise.play.match import HUMAN

Choice = tuple[str, str]  # a key, and what it does

QUIT = ("q", "Quit")
BACK = ("b", "Back")
_SAME_KEY = {"\r": "1", "\n": "1", "\x1b": "b", " ": "1"}

# Key -> what it does, and who plays against the person.
OPPONENTS = {
    "1": ("Two people at this terminal", HUMAN),
    "2": ("You against a novice bot (easy)", "bot:novice"),
    "3": ("You against a casual bot (medium)", "bot:casual"),
    "4": ("You against a strong bot (hard)", "bot:strong"),
    "5": ("You against a perfect bot (hardest)", "bot:perfect"),
    "6": ("You against a bot that moves at random", "bot:random"),
}


class _Leave(Exception):
    """The person wants out."""


def menu() -> None:
    """Ask for a game, who plays and which board; play; ask again, until the person leaves."""
    try:
        while True:
            setup = _ask_setup()
            if setup and play_rounds(setup, Console()) == INTERRUPTED:
                raise typer.Exit(INTERRUPTED)
    except (_Leave, EOFError):
        print("Goodbye.")


def _ask_setup() -> MatchSetup | None:
    """What to play; None when the person went back to the beginning."""
    by_key = {str(number): game for number, game in enumerate(games(), 1)}
    choices = [(key, f"{game.title}: {game.text.SUMMARY}") for key, game in by_key.items()]
    saved = last_saved()
    if saved:
        choices.append(("c", f"Continue your last game ({saved.stem})"))
    key = _choose("Gridwise. Which game?", [*choices, QUIT])
    if key == "c" and saved:
        return MatchSetup(resume=saved)
    setup = _ask_players(by_key[key])
    return setup and _ask_board(by_key[key], setup)


def _ask_players(game: Game) -> MatchSetup | None:
    opponents = [(key, text) for key, (text, _) in OPPONENTS.items()]
    you = 1
    while True:
        sides = f"Change sides (you are Player {you})"
        extra = [("s", sides), ("w", "Watch two strong bots"), ("r", "Read the rules first")]
        choices = [*opponents, *extra, BACK, QUIT]
        key = _choose(f"{game.title}. Who plays?", choices)
        if key == "b":
            return None
        if key == "r":
            rules(game.key)
        elif key == "s":
            you = 3 - you
        elif key == "w":
            return MatchSetup(game=game.key, p1="bot:strong", p2="bot:strong")
        else:
            opponent = OPPONENTS[key][1]
            p1, p2 = (HUMAN, opponent) if you == 1 else (opponent, HUMAN)
            return MatchSetup(game=game.key, p1=p1, p2=p2)


def _ask_board(game: Game, setup: MatchSetup) -> MatchSetup | None:
    if game.fixed:
        choices = [("1", "The standard board")]
    elif game.has_hidden_cells:
        choices = [("1", "A random board, face down")]
    else:
        choices = [
            ("1", "A fair board: both sides have a chance"),
            ("2", "A random board: anything can happen"),
        ]
    choices += [("t", "Type in a board"), BACK, QUIT]
    key = _choose(f"{game.title}. Which board?", choices)
    if key == "b":
        return None
    if key == "t":
        board = _ask_own_board(game)
        return replace(setup, board=board) if board else None
    return replace(setup, deal="uniform" if key == "2" else "fair")


def _ask_own_board(game: Game) -> str:
    while True:
        text = input(f"Rows joined by /, like {game.example_board} (Enter: back): ").strip()
        if not text:
            return ""
        try:
            game.parse_board(text)
        except GridwiseError as error:
            print(wrapped(str(error)))
        else:
            return text


def _choose(question: str, choices: list[Choice]) -> str:
    """One of the keys. Enter takes the first, Escape goes back or leaves."""
    keys = [key for key, _ in choices]
    print(f"\n{question}")
    for key, text in choices:
        print(wrapped(f"  {key}  {text}", hanging="     "))
    while True:
        first = f"; Enter: {keys[0]}" if keys[0] == "1" else ""
        print(f"Press a key ({' '.join(keys)}{first}): ", end="", flush=True)
        pressed = read_key()
        key = _SAME_KEY.get(pressed, pressed.casefold())
        if key == "b" and key not in keys:
            key = "q"
        print(key if key.isprintable() else "")
        if key in ("q", "\x04"):
            raise _Leave
        if key in keys:
            return key
        print(f"{quoted(key, 8)} does nothing here.")
