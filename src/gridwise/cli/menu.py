"""The menu: a game in three key presses, and a way out of every question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from gridwise.cli.console import wrapped
from gridwise.cli.keys import read_key as read_one_key
from gridwise.cli.leaving import INTERRUPTED
from gridwise.cli.options import Setup
from gridwise.cli.playing import run_play
from gridwise.cli.reading import print_rules
from gridwise.cli.saving import data_folder
from gridwise.cli.seats import HUMAN
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.errors import GridwiseError, quoted
from gridwise.play.records import read_record

Choice = tuple[str, str]  # a key, and what it does

LEAVE = ("q", "Leave")
BACK = ("b", "Back")
_SAME_KEY = {"\r": "1", "\n": "1", "\x1b": "b", " ": "1"}

# Key -> what it says, and the bot that plays against a person; none for two people.
WHO = {
    "1": ("Two people at this terminal", ""),
    "2": ("You against a bot that has just learned the rules", "bot:novice"),
    "3": ("You against a casual bot", "bot:casual"),
    "4": ("You against a strong bot", "bot:strong"),
    "5": ("You against a perfect bot", "bot:perfect"),
    "6": ("You against a bot that moves at random", "bot:random"),
}


class _Leave(Exception):
    """The person wants out."""


def run_menu(read_key: Callable[[], str] = read_one_key) -> None:
    """Ask for a game, who plays and which board; play; ask again, until the person leaves."""
    try:
        while True:
            setup = _ask_setup(read_key)
            if setup and run_play(setup) == INTERRUPTED:
                raise typer.Exit(INTERRUPTED)
    except (_Leave, EOFError):
        print("Goodbye.")


def _ask_setup(read_key: Callable[[], str]) -> Setup | None:
    """What to play; None when the person went back to the beginning."""
    listed = {str(number): game for number, game in enumerate(games(), 1)}
    choices = [(key, f"{game.title}: {game.words.SUMMARY}") for key, game in listed.items()]
    saved = last_saved()
    if saved:
        choices.append(("c", f"Go on with the last game left unfinished ({saved.stem})"))
    key = _choose("Gridwise. Which game?", [*choices, LEAVE], read_key)
    if key == "c" and saved:
        return Setup(resume=saved)
    game = listed[key]
    who = _ask_who(game, read_key)
    return who and _ask_board(game, who, read_key)


def _ask_who(game: Game, read_key: Callable[[], str]) -> Setup | None:
    opponents = [(key, words) for key, (words, _) in WHO.items()]
    second = False
    while True:
        sides = "You are Player 2; be Player 1" if second else "You are Player 1; be Player 2"
        extra = [("s", sides), ("w", "Watch two strong bots"), ("r", "Read the rules first")]
        choices = [*opponents, *extra, BACK, LEAVE]
        key = _choose(f"{game.title}. Who plays?", choices, read_key)
        if key == "b":
            return None
        if key == "r":
            print_rules(game.key, simple=False)
        elif key == "s":
            second = not second
        elif key == "w":
            return Setup(game=game.key, p1="bot:strong", p2="bot:strong")
        else:
            rival = WHO[key][1] or HUMAN
            seats = (rival, HUMAN) if second else (HUMAN, rival)
            return Setup(game=game.key, p1=seats[0], p2=seats[1])


def _ask_board(game: Game, setup: Setup, read_key: Callable[[], str]) -> Setup | None:
    if game.fixed:
        choices = [("1", "The standard board")]
    elif game.hides:
        choices = [("1", "Every cell at random, face down")]
    else:
        choices = [
            ("1", "A fair one: worth playing for both sides"),
            ("2", "Any: every cell at random"),
        ]
    choices += [("t", "Type a board of your own"), BACK, LEAVE]
    key = _choose(f"{game.title}. Which board?", choices, read_key)
    if key == "b":
        return None
    if key == "t":
        board = _ask_own_board(game)
        return Setup(game=game.key, p1=setup.p1, p2=setup.p2, board=board) if board else None
    deal = "uniform" if key == "2" else "fair"
    return Setup(game=game.key, p1=setup.p1, p2=setup.p2, deal=deal)


def _ask_own_board(game: Game) -> str:
    while True:
        text = input(f"Rows joined by /, like {game.example_board} (empty: back): ").strip()
        if not text:
            return ""
        try:
            game.parse_board(text)
        except GridwiseError as error:
            print(wrapped(str(error)))
        else:
            return text


def _choose(question: str, choices: list[Choice], read_key: Callable[[], str]) -> str:
    """One of the keys. Enter takes the first, Escape goes back or leaves."""
    keys = [key for key, _ in choices]
    print(f"\n{question}")
    for key, words in choices:
        print(wrapped(f"  {key}  {words}", hanging="     "))
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
        print(f"There is nothing on {quoted(key, 8)}.")


def last_saved() -> Path | None:
    """The newest game that was left unfinished and can be gone on with."""
    try:
        kept = sorted(
            (data_folder() / "saved").glob("*.gwr"),
            key=lambda path: path.stat().st_mtime,
            reverse=True,
        )
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None
    for path in kept[:10]:
        try:
            if not read_record(path).finished:
                return path
        except GridwiseError:
            continue
    return None
