"""`gridwise games`: a person's own games, and what can be done with one.

Showing, replaying and reviewing are the commands of those names, which take an id as well.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from gridwise.cli import arguments
from gridwise.cli.console import Console, columns, print_json
from gridwise.cli.main import LazyCommands
from gridwise.core.narration import Names
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, printable, quoted
from gridwise.play.library import SUFFIX, Library, SavedGame, SavedStatus, export
from gridwise.play.records import read_record
from gridwise.play.session import player_names
from gridwise.show.pictures import DELAY, FORMS
from gridwise.show.progress import notify_if_slow

LIMIT = 20
LONGEST_NAME = 40  # characters of a player's name, which may come from anywhere
RESULTS = {
    SavedStatus.PLAYER_1_WON: "Player 1 won",
    SavedStatus.PLAYER_2_WON: "Player 2 won",
}
NONE_YET = "You have no games yet. Every game you play is kept here from its first move on."
HEADS = ("id", "date", "game", "players", "result", "moves")
TO = f"--to takes a name that ends in {SUFFIX} (the record), " + ", ".join(
    f"{form} ({what})" for form, what in FORMS.items()
)


class GameActions(LazyCommands):
    """Actions of our own, and commands that take one of our games."""

    lazy: ClassVar = ("replay", "review")
    old: ClassVar = ("show",)


def _complete_id(incomplete: str) -> list[tuple[str, str]]:
    games, wanted = Library().games(limit=100), incomplete.casefold()
    return [(saved.id, _sentence(saved)) for saved in games if saved.id.startswith(wanted)]


ID = "The id of a game, from the list; last is the one you played last."
IDS = "The ids of games, from the list; last is the one you played last."
IdArgument = Annotated[str, typer.Argument(metavar="ID", help=ID, autocompletion=_complete_id)]
IdsArgument = Annotated[
    list[str], typer.Argument(metavar="ID...", help=IDS, autocompletion=_complete_id)
]
GAME = typer.Option(
    metavar="GAME", help="Only games of this kind.", autocompletion=arguments.complete_game
)
OPPONENT = typer.Option(
    metavar="WHO",
    help="Only games against a level such as casual, human, ugi:COMMAND, …",
    autocompletion=arguments.complete_player,
)
RESULT = typer.Option(
    metavar="RESULT",
    help=f"Only games that are {', '.join(SavedStatus)}.",
    autocompletion=lambda incomplete: [word for word in SavedStatus if word.startswith(incomplete)],
)
COUNT = arguments.whole_option("How many to list, the newest first.", 1)
PACE = arguments.finite_option("Seconds between two moves of a GIF.", 0.01, 60)

games = typer.Typer(
    cls=GameActions,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@games.callback()
def list_games(
    context: typer.Context,
    game: Annotated[str, GAME] = "",
    opponent: Annotated[str, OPPONENT] = "",
    result: Annotated[str, RESULT] = "",
    text: Annotated[str, typer.Option(metavar="TEXT", help="Only games that mention this.")] = "",
    limit: Annotated[int, COUNT] = LIMIT,
    deleted: Annotated[bool, typer.Option("--deleted", help="List deleted games instead.")] = False,
    every: Annotated[bool, typer.Option("--all", help="List them all.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
    linear: arguments.LinearOption = False,
) -> None:
    """List the games that the options ask for, the newest first."""
    if context.invoked_subcommand:
        return
    if result and result not in tuple(SavedStatus):
        known = ", ".join(SavedStatus)
        raise BadRequest(f"--result takes one of {known}, not {quoted(result)}.")
    library = Library().deleted if deleted else Library()
    listed = list(
        library.games(
            game=game_named(game).key if game else "",
            opponent=opponent,
            result=result,
            text=text,
            limit=None if every else limit,
        )
    )
    if json:
        print_json([_fields(saved) for saved in listed], indent=1)
        return
    filtered = game or opponent or result or text or deleted
    none = "There are no such games." if filtered else NONE_YET
    if not print_games(Console(linear=linear), listed, none):
        return
    more = " --all lists them all." if not every and len(listed) == limit else ""
    total = library.count()
    some = f"{len(listed)} of " if len(listed) < total else ""
    print(f"\n{some}{_count(total, 'game')}.{more}")


def _fields(saved: SavedGame) -> dict[str, Any]:
    return {
        "id": saved.id,
        "file": str(saved.path),
        "game": saved.game or None,
        "players": list(saved.players) if saved.game else None,
        "person": saved.person or None,
        "result": saved.result,
        "verdict": saved.status,
        "help": saved.help or None,
        "ending": saved.ending,
        "started": saved.started.isoformat() if saved.started else None,
        "moves": saved.moves,
        "problem": saved.problem or None,
    }


def print_games(console: Console, listed: list[SavedGame], none: str = NONE_YET) -> bool:
    """Print a list of games, if there are any: whether there are.

    It is a table; sentences where there is no room for one, or somebody wants to have them read.
    """
    if not listed:
        console.say(none)
        return False
    lines = columns([HEADS, *(_row(saved) for saved in listed)])
    narrow = sys.stdout.isatty() and shutil.get_terminal_size().columns < max(map(len, lines))
    if console.linear or narrow:
        console.say_wrapped(*(f"{saved.id}: {_sentence(saved)}." for saved in listed))
    else:
        console.say(*lines)
    return True


def _row(saved: SavedGame) -> tuple[str, ...]:
    if not saved.game:
        return printable(saved.id), _date(saved), "", "", _result(saved), ""
    one, two = _names(saved)
    players = f"{one.subject} against {two.object}"
    return printable(saved.id), _date(saved), saved.title, players, _result(saved), str(saved.moves)


def _sentence(saved: SavedGame) -> str:
    """A game in half a sentence."""
    if not saved.game:
        return _result(saved)
    one, two = _names(saved)
    players = f"{one.object} against {two.object}"
    moves = _count(saved.moves, "move")
    return f"{saved.title}, {players}, {_result(saved)}, {moves}, {_date(saved)}"


def _date(saved: SavedGame) -> str:
    return saved.started.strftime("%Y-%m-%d %H:%M") if saved.started else printable(saved.date, 16)


def _names(saved: SavedGame) -> Names:
    first, second = (printable(name, LONGEST_NAME) for name in saved.players)
    return player_names((first, second), saved.person)


def _result(saved: SavedGame) -> str:
    helped = f", with {saved.help}" if saved.help else ""
    return f"{RESULTS.get(saved.status, saved.status.value)}{helped}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number:,} {what}s"


@games.command("continue")
def continue_game(
    name: Annotated[str, typer.Argument(metavar="[ID]", help=ID)] = "last",
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Continue an unfinished game; without an id the one you left last."""
    from gridwise.cli.commands.play import play  # noqa: PLC0415 - 0.2 s, only for this

    play(resume=arguments.unfinished_game_file(name), plain=plain, linear=linear)


@games.command("export")
def export_game(
    name: IdArgument,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"The new file. {TO}. Without it, the record, here."),
    ] = None,
    delay: Annotated[float, PACE] = DELAY,
) -> None:
    """Write a game to a file: a record, a picture of its end, or an animation."""
    if to and to.suffix.casefold() not in (SUFFIX, *FORMS):
        raise BadRequest(f"{TO}, not {quoted(to.suffix)}.")
    saved = Library().find(name)
    record, to = read_record(saved.path), to or Path(saved.path.name)
    console = Console()
    with notify_if_slow("(Drawing the game.)"):
        note = export(record, to, delay)
    if note:
        console.say_wrapped(note)
    console.say_wrapped(f"Written to {to}.")


@games.command("delete")
def delete_games(
    names: IdsArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete games; they can be restored."""
    library, console = Library(), Console()
    # All of them are found before the first is gone; one may be named twice.
    games = list(dict.fromkeys(library.find(name) for name in names))
    console.say_wrapped(*(f"{saved.id}: {_sentence(saved)}" for saved in games))
    if not yes and not _agreed(console, f"Delete {_count(len(games), 'game')}? (yes/no): "):
        console.say("Nothing was deleted.")
        return
    for saved in games:
        library.delete(saved.path.name)
    ids = shlex.join(saved.id for saved in games)
    console.say_wrapped(f"Deleted. To undo this: gridwise games restore {ids}")
    console.say_wrapped(f"Their files are now in {library.deleted.folder}.")


@games.command("restore")
def restore_games(names: IdsArgument) -> None:
    """Bring deleted games back."""
    library, console = Library(), Console()
    for name in names:
        console.say(f"Restored: {library.restore(name)}")


def _agreed(console: Console, question: str) -> bool:
    try:
        return console.ask(question).strip().casefold() in ("y", "yes")
    except EOFError:
        return False
