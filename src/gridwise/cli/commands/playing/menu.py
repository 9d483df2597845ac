"""The menu: a game in two key presses, and a way out of every question."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gridwise.arena.setup import MatchSetup
from gridwise.cli.commands.playing.rules import rules
from gridwise.cli.console import Console, wrapped
from gridwise.cli.keys import read_key
from gridwise.cli.rounds import play_rounds
from gridwise.cli.signals import INTERRUPTED
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.engine.deals import KINDS
from gridwise.errors import GridwiseError, quoted
from gridwise.play.kept_game import KeptGame
from gridwise.play.library import Library
from gridwise.play.match import HUMAN
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.session import player_names

LISTED = 20  # of a person's own games


class Choice(NamedTuple):
    """A key, and what it does."""

    key: str
    text: str


QUIT = Choice("q", "Quit")
BACK = Choice("b", "Back")
# Enter and space take the default, Escape goes back, Ctrl-D leaves.
_MEANINGS = {"\r": "", "\n": "", " ": "", "\x1b": "b", "\x04": "q"}

# Key -> what it does, and who plays against the person.
OPPONENTS = {
    "1": ("You against a novice bot (easy)", "bot:novice"),
    "2": ("You against a casual bot (medium)", "bot:casual"),
    "3": ("You against a strong bot (hard)", "bot:strong"),
    "4": ("You against a perfect bot (hardest)", "bot:perfect"),
    "5": ("Two people at this terminal", HUMAN),
}
DEFAULT_OPPONENT = "2"
WATCHED = "bot:strong"


class _Leave(Exception):
    """The person wants out."""


def menu(console: Console, delay: float | None = None) -> int:
    """Ask what to play and play it, again and again; the exit status once the person leaves."""
    try:
        while True:
            setup = _ask_setup(console)
            left = play_rounds(setup, console, delay) if setup else None
            if left and not left.for_menu:
                return left.status
    except (_Leave, EOFError):
        console.say("Goodbye.")
        return 0
    except KeyboardInterrupt:
        console.say("")
        return INTERRUPTED


def _ask_setup(console: Console) -> MatchSetup | None:
    """What to play; None when the person did something else, or went back."""
    by_key = {str(number): game for number, game in enumerate(games(), 1)}
    choices = [Choice(key, f"{game.title}: {game.text.SUMMARY}") for key, game in by_key.items()]
    unfinished = Library().last_unfinished()
    if unfinished:
        choices.insert(0, Choice("c", f"Continue {_about(unfinished)}"))
    extra = [Choice("p", "Puzzles"), Choice("t", "Today's puzzle"), Choice("g", "Your games")]
    key = _choose(console, "Gridwise. Which game?", [*choices, *extra, QUIT], choices[0].key)
    if key == "c" and unfinished:
        return MatchSetup(resume=unfinished.path)
    if key == "g":
        return _ask_own_game(console)
    if key in ("p", "t"):
        _solve_puzzles(console, daily=key == "t")
        return None
    return _ask_players(console, by_key[key])


def _about(kept: KeptGame) -> str:
    """`Number Run against the casual bot, move 5`."""
    _, other = player_names(kept.players)[:: 1 if kept.person != 2 else -1]
    against = f" against {other.object}" if kept.person else ""
    where = f"move {kept.moves + 1}"
    if kept.next_round:
        where = f"game {kept.next_round} of the series"
    return f"{kept.title}{against}, {where}"


def _ask_players(console: Console, game: Game) -> MatchSetup | None:
    """Who plays, on which side and on what board; None to go back."""
    opponents = [Choice(key, text) for key, (text, _) in OPPONENTS.items()]
    dealt = not game.fixed and not game.has_hidden_cells
    you, kind, board = 1, KINDS[0], ""
    while True:
        extra = [
            Choice("w", "Watch two strong bots"),
            Choice("s", f"Change sides (you are Player {you})"),
            *([Choice("d", f"Change the deal (it is {kind})")] if dealt else []),
            Choice("t", f"Type in another board ({board})" if board else "Type in a board"),
            Choice("r", "Read the rules"),
        ]
        choices = [*opponents, *extra, BACK, QUIT]
        key = _choose(console, f"{game.title}. Who plays?", choices, DEFAULT_OPPONENT)
        setup = MatchSetup(
            game=game.key, board=board or None, deal=kind if dealt and not board else ""
        )
        if key == "b":
            return None
        if key == "w":
            return replace(setup, p1=WATCHED, p2=WATCHED)
        if key in OPPONENTS:
            opponent = OPPONENTS[key][1]
            p1, p2 = (HUMAN, opponent) if you == 1 else (opponent, HUMAN)
            return replace(setup, p1=p1, p2=p2)
        if key == "s":
            you = 3 - you
        elif key == "d":
            kind, board = KINDS[(KINDS.index(kind) + 1) % len(KINDS)], ""
        elif key == "t":
            board = _ask_own_board(console, game)
        else:
            rules(game.key, plain=not console.colour)


def _ask_own_board(console: Console, game: Game) -> str:
    while True:
        prompt = f"Rows joined by /, like {game.example_board} (Enter: back): "
        text = console.ask(prompt).strip()
        try:
            if text:
                game.parse_board(text)
        except GridwiseError as error:
            console.say_wrapped(str(error))
        else:
            return text


# What else there is


def _ask_own_game(console: Console) -> MatchSetup | None:
    """List the person's games; one that is unfinished is continued, another one is shown."""
    from gridwise.cli.commands.playing.games import print_games  # noqa: PLC0415 - only when asked for

    library = Library()
    listed = list(library.games(limit=LISTED))
    if not print_games(console, listed):
        return None
    while name := console.ask("Which one? Its id (Enter: back): ").strip():
        try:
            kept = library.find(name)
            if not kept.finished:
                return MatchSetup(resume=kept.path)
            _show_finished(console, read_record(kept.path))
        except GridwiseError as error:
            console.say_wrapped(str(error))
    return None


def _show_finished(console: Console, record: Record) -> None:
    from gridwise.cli.commands.playing.review import print_review  # noqa: PLC0415 - as above

    console.say("")
    console.show(recorded_positions(record)[-1].view)
    console.say("")
    if record.moves:
        print_review(console, record)


def _solve_puzzles(console: Console, *, daily: bool) -> None:
    from gridwise.cli.commands.playing.puzzle import puzzle  # noqa: PLC0415 - as above

    puzzle(daily=daily, plain=not console.colour, linear=console.linear)


# Asking


def _choose(console: Console, question: str, choices: list[Choice], default: str) -> str:
    """One of the keys. Enter takes the default, Escape goes back or leaves."""
    keys = [choice.key for choice in choices]
    console.say("", question)
    for choice in choices:
        console.say(wrapped(f"  {choice.key}  {choice.text}", hanging="     "))
    while True:
        key = _read_choice(console, f"Press a key (Enter: {default}): ") or default
        if key == "b" and key not in keys:
            key = "q"
        if key == "q":
            raise _Leave
        if key in keys:
            return key
        console.say(f"{quoted(key, 8)} does nothing here. You can press {' '.join(keys)}.")


def _read_choice(console: Console, prompt: str) -> str:
    """A key, or a line where there are no keys to press; empty for Enter."""
    if not console.interactive:
        return console.ask(prompt).strip().casefold()
    print(prompt, end="", flush=True)
    pressed = read_key()
    key = _MEANINGS.get(pressed, pressed.casefold())
    print(key if key.isprintable() else "")
    return key
