"""The menu: a game in two answers, and a way out of every question."""

from __future__ import annotations

from dataclasses import replace

from gridwise.cli.command_prompt import Left
from gridwise.cli.commands.rules import rules
from gridwise.cli.console import Console, wrapped
from gridwise.cli.game_dialogue import play_rounds
from gridwise.cli.signals import INTERRUPTED
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.errors import GridwiseError, quoted
from gridwise.play.library import Library, SavedGame
from gridwise.play.match import HUMAN
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.session import player_names
from gridwise.play.setup import Setup, deals

MAX_LISTED = 20  # of a person's own games
QUIT = {"q": "Quit"}
BACK = {"b": "Back"}

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


def menu(console: Console, delay: float | None = None) -> int:
    """Ask what to play and play it, again and again; the exit status once the person leaves."""
    try:
        while True:
            setup = _ask_setup(console)
            status = play_rounds(setup, console, delay) if setup else None
            if status is not None:
                return status
    except (Left, EOFError):
        console.say("Goodbye.")
        return 0
    except KeyboardInterrupt:
        console.say("")
        return INTERRUPTED


def _ask_setup(console: Console) -> Setup | None:
    """What to play; None when the person did something else, or went back."""
    by_key = {str(number): game for number, game in enumerate(games(), 1)}
    choices = {key: f"{game.title}: {game.text.SUMMARY}" for key, game in by_key.items()}
    unfinished = Library().last_unfinished()
    if unfinished:
        choices = {"c": f"Continue {_about(unfinished)}"} | choices
    choices |= {"p": "Puzzles", "t": "Today's puzzle", "g": "Your games"} | QUIT
    key = _choose(console, "Gridwise. Which game?", choices, next(iter(choices)))
    if key == "c" and unfinished:
        return Setup(resume=unfinished.path)
    if key == "g":
        return _ask_own_game(console)
    if key in ("p", "t"):
        _solve_puzzles(console, daily=key == "t")
        return None
    return _ask_players(console, by_key[key])


def _about(kept: SavedGame) -> str:
    """`Number Run against the casual bot, move 5`."""
    _, other = player_names(kept.players)[:: 1 if kept.person != 2 else -1]
    against = f" against {other.object}" if kept.person else ""
    where = f"move {kept.moves + 1}"
    if kept.next_round:
        where = f"game {kept.next_round} of the series"
    return f"{kept.title}{against}, {where}"


def _ask_players(console: Console, game: Game) -> Setup | None:
    """Who plays, on which side and on what board; None to go back."""
    opponents = {key: text for key, (text, _) in OPPONENTS.items()}
    kinds = deals(game)
    you, kind, board = 1, kinds[0], ""
    while True:
        choices = opponents | {
            "w": "Watch two strong bots",
            "s": f"Change sides (you are Player {you})",
            "d": f"Change the deal (it is {kind.label.lower()})",
            "t": f"Type in another board ({board})" if board else "Type in a board",
            "r": "Read the rules",
            **BACK,
            **QUIT,
        }
        if not kinds[1:]:
            del choices["d"]
        key = _choose(console, f"{game.title}. Who plays?", choices, DEFAULT_OPPONENT)
        setup = Setup(game=game.key, board=board or None, deal="" if board else kind.value)
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
            kind, board = kinds[(kinds.index(kind) + 1) % len(kinds)], ""
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


def _ask_own_game(console: Console) -> Setup | None:
    """List the person's games; one that is unfinished is continued, another one is shown."""
    from gridwise.cli.commands.games import print_games  # noqa: PLC0415 - only when asked for

    library = Library()
    listed = list(library.games(limit=MAX_LISTED))
    if not print_games(console, listed):
        return None
    while name := console.ask("Which one? Its id (Enter: back): ").strip():
        try:
            kept = library.find(name)
            if not kept.finished:
                return Setup(resume=kept.path)
            _show_finished(console, read_record(kept.path))
        except GridwiseError as error:
            console.say_wrapped(str(error))
    return None


def _show_finished(console: Console, record: Record) -> None:
    from gridwise.cli.commands.review import print_review  # noqa: PLC0415 - as above

    console.say("")
    console.show(recorded_positions(record)[-1].view)
    console.say("")
    if record.moves:
        print_review(console, record)


def _solve_puzzles(console: Console, *, daily: bool) -> None:
    from gridwise.cli.commands.puzzle import puzzle  # noqa: PLC0415 - as above

    puzzle(daily=daily, plain=not console.colour, linear=console.linear)


# Asking


def _choose(console: Console, question: str, choices: dict[str, str], default: str) -> str:
    """One of the keys; Enter takes the default. Raises Left."""
    console.say("", question)
    for key, text in choices.items():
        console.say(wrapped(f"  {key}  {text}", hanging="     "))
    while True:
        key = console.ask(f"Your choice (Enter: {default}): ").strip().casefold() or default
        if key == "q":
            raise Left
        if key in choices:
            return key
        console.say(f"There is no {quoted(key, 8)} here. You can type {' '.join(choices)}.")
