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
from gridwise.engine.bots import ABOUT, LEVELS
from gridwise.errors import GridwiseError, quoted
from gridwise.play.library import Library, SavedGame
from gridwise.play.match import HUMAN
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.series import SINGLE_GAME, Series
from gridwise.play.session import player_names
from gridwise.play.setup import EVEN_START, Choice, Setup, deals, lengths, starts

MAX_LISTED = 20  # of a person's own games
QUIT = {"q": "Quit"}
BACK = {"b": "Back"}

# Key -> what it does, and who plays against the person.
OPPONENTS = {
    str(number): (f"You against the {level} bot: it {ABOUT[level]}", f"bot:{level}")
    for number, level in enumerate(LEVELS[1:], 1)
} | {"5": ("Two people at this terminal", HUMAN)}
DEFAULT_OPPONENT = "2"
WATCHED = "bot:strong"
SIDES = (Choice("1", "Player 1"), Choice("2", "Player 2"))


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


# What can be changed: its key, and the words before what it is now.
CHANGES = {
    "s": "Change sides (you are",
    "d": "Change the deal (it is",
    "e": "Change the start (it is the",
    "n": "Change the number of games (now",
}


def _ask_players(console: Console, game: Game) -> Setup | None:
    """Who plays, on which side and on what board; None to go back."""
    opponents = {key: text for key, (text, _) in OPPONENTS.items()}
    # Each with what is chosen first; the start of the rules is the usual one here.
    rows = {"s": SIDES, "d": deals(game), "e": starts(game)[::-1], "n": lengths(game)}
    board = ""
    while True:
        now = {key: each[0].label for key, each in rows.items() if each[1:]}
        now |= {key: now[key].lower() for key in now if key != "s"}
        choices = opponents | {
            "w": "Watch two strong bots",
            **{key: f"{CHANGES[key]} {label})" for key, label in now.items()},
            "t": f"Type in another board ({board})" if board else "Type in a board",
            "r": "Read the rules",
            **BACK,
            **QUIT,
        }
        setup = Setup(
            game=game.key,
            board=board or None,
            deal="" if board else rows["d"][0].value,
            handicap=not board and rows["e"][0].value == EVEN_START,
            series=Series(int(rows["n"][0].value)),
        )
        console.say_wrapped("", setup.outlook())
        key = _choose(console, f"{game.title}. Who plays?", choices, DEFAULT_OPPONENT)
        if key == "b":
            return None
        if key == "w":
            return replace(setup, p1=WATCHED, p2=WATCHED, series=SINGLE_GAME)
        if key in OPPONENTS:
            players = (HUMAN, OPPONENTS[key][1])
            p1, p2 = players if rows["s"][0].value == "1" else players[::-1]
            return replace(setup, p1=p1, p2=p2)
        if key in rows:
            rows[key] = (*rows[key][1:], rows[key][0])
            board = "" if key == "d" else board
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
