"""`gridwise server`: looking after the games of a web server, if the web app is installed.

All of it works on the database, also while servers run; `gridwise.web.admin` does the work.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli.arguments import JsonOption, complete_game, finite_option, whole_option
from gridwise.cli.commands.serve import DATABASE
from gridwise.cli.console import columns, print_json
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, GridwiseError, printable
from gridwise.extras import require
from gridwise.folders import data_folder
from gridwise.show.progress import Progress, notify_if_slow

STATUSES = ("waiting", "playing", "over", "cancelled")
LIMIT = 20
MOST_LISTED = 2**31 - 1  # more than there can be; a database takes no number without end
MOST_MINUTES = 366 * 24 * 60

DatabaseOption = Annotated[
    str, typer.Option("--database", metavar="URL", help=DATABASE, envvar="GRIDWISE_DATABASE")
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a game, from its link.")]
IdsArgument = Annotated[list[str], typer.Argument(metavar="ID...", help="The ids of games.")]

server = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@contextmanager
def _opened(database: str, *, new: bool = False) -> Iterator[tuple[Any, Any]]:
    """The tools, and the store of a database."""
    require("web")
    from gridwise.web import admin  # noqa: PLC0415 - 0.3 s, and an extra

    with admin.opened(database, data_folder(), new=new) as store:
        yield admin, store


def _games(count: int) -> str:
    return f"{count:,} game{'' if count == 1 else 's'}"


def _report(count: int, sentence: str, *, json: bool) -> None:
    """Say what was done, and to how many games."""
    if json:
        print_json({"games": count})
    else:
        print(sentence.format(_games(count)))


@server.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new SQLite file.")],
    json: JsonOption = False,
    database: DatabaseOption = "",
) -> None:
    """Write an SQLite database to a file, as it is at this moment; servers go on meanwhile."""
    with _opened(database) as (admin, store), notify_if_slow(f"(Backing up to {file}.)"):
        done = admin.back_up(store, file)
    _report(done, f"{{}} backed up: {file}", json=json)


@server.command()
def copy(
    to: Annotated[str, typer.Argument(metavar="URL", help="The other database, without games.")],
    json: JsonOption = False,
    database: DatabaseOption = "",
) -> None:
    """Copy all games to an empty database, of the same kind or another: all of them, or none."""
    with (
        _opened(database) as (admin, store),
        _opened(to, new=True) as (_, other),
        notify_if_slow("(Copying: all of it, or nothing.)"),
    ):
        done = admin.copy_games(store, other)
    _report(done, "{} copied.", json=json)


@server.command()
def check(json: JsonOption = False, database: DatabaseOption = "") -> None:
    """Play every stored game through, and list those that are not as they should be."""
    with _opened(database) as (admin, store):
        problems = []
        total = admin.count_games(store)
        with closing(Progress("Checking", total)) as progress:
            for game_id, problem in admin.check(store, progress):
                problems.append({"id": game_id or None, "problem": problem})
                if not json:
                    print(f"{game_id}: {printable(problem)}" if game_id else printable(problem))
    if json:
        print_json({"games": total, "problems": problems})
    if count := len(problems):
        raise GridwiseError(f"{count:,} problem{'' if count == 1 else 's'} in {_games(total)}.")
    if not json:
        print(f"{_games(total)} checked, and all is well.")


@server.command("list")
def list_games(
    status: Annotated[
        str, typer.Option(metavar="STATUS", help=f"Only games that are {', '.join(STATUSES)}.")
    ] = "",
    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="Only games of this kind.", autocompletion=complete_game),
    ] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="Only games of this player.")] = "",
    older: Annotated[float, finite_option("Only games made at least this many days ago.", 0)] = 0.0,
    limit: Annotated[int, whole_option("How many to list.", 1, MOST_LISTED)] = LIMIT,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
    database: DatabaseOption = "",
) -> None:
    """List games, the newest first."""
    if status and status not in STATUSES:
        raise BadRequest(f"--status takes {', '.join(STATUSES)}, not {printable(status)}.")
    with _opened(database) as (admin, store):
        chosen = admin.such_games(status, game_named(game).key if game else "", name, older)
        listed = admin.list_games(store, chosen, limit)
        total = admin.count_games(store, chosen)
    if json:
        print_json(listed, indent=1)
        return
    if listed:
        print(*columns([_row(row) for row in listed]), sep="\n")
    if total > len(listed):
        print(f"({len(listed):,} of {_games(total)}; --limit N lists more.)", file=sys.stderr)
    elif not listed:
        print("There are no such games.", file=sys.stderr)


def _row(game: dict[str, Any]) -> list[str]:
    made = dt.datetime.fromtimestamp(game["created"], dt.UTC).astimezone()
    players = printable(" - ".join(_player(seat) for seat in game["players"]))
    events = f"{game['events']:>4} events"
    return [game["id"], f"{made:%Y-%m-%d %H:%M}", game["game"], game["status"], events, players]


def _player(seat: dict[str, str]) -> str:
    return seat["name"] or (f"{seat['level']} bot" if seat["level"] else seat["kind"])


@server.command()
def stop(game_id: IdArgument, database: DatabaseOption = "") -> None:
    """End a game without a result. Its players are told."""
    with _opened(database) as (admin, store):
        admin.stop_game(store, game_id)
    print(f"Stopped {game_id}.")


@server.command()
def delete(ids: IdsArgument, json: JsonOption = False, database: DatabaseOption = "") -> None:
    """Remove games for good, with all that happened in them."""
    with _opened(database) as (admin, store):
        done = admin.delete_games(store, ids)
    _report(done, "{} deleted.", json=json)


@server.command()
def erase(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A player's name.")] = "",
    token: Annotated[
        str,
        typer.Option(metavar="TOKEN", help="Instead of a name: the cookie, or its SHA-256."),
    ] = "",
    json: JsonOption = False,
    database: DatabaseOption = "",
) -> None:
    """Erase a player's name from all games; the games stay."""
    if bool(name) == bool(token):
        raise BadRequest("Say whose name: NAME, or --token TOKEN for all names of one browser.")
    with _opened(database) as (admin, store):
        done = admin.erase_name(store, name, token)
    _report(done, "Erased from {}.", json=json)


@server.command()
def retention(
    days: Annotated[float, finite_option("Remove games that ended longer ago.", 0)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    json: JsonOption = False,
    database: DatabaseOption = "",
) -> None:
    """Remove games that ended many days ago, a few at a time."""
    with _opened(database) as (admin, store):
        total = admin.count_games(store, admin.ended_before(days))
        if dry_run:
            _report(total, "{} would be removed.", json=json)
            return
        with closing(Progress("Removing", total)) as progress:
            done = admin.remove_old(store, days, progress)
    _report(done, "{} removed.", json=json)


@server.command()
def drain(
    minutes: Annotated[
        float, finite_option("Stop after this time at the latest.", 0, MOST_MINUTES)
    ] = 60.0,
    cancel: Annotated[bool, typer.Option("--cancel", help="Take new games again.")] = False,
    database: DatabaseOption = "",
) -> None:
    """Tell running servers to take no new games, and to stop when nobody is playing."""
    with _opened(database) as (admin, store):
        admin.drain(store, None if cancel else minutes)
    if cancel:
        print("Servers that still run take new games again.")
    else:
        print(
            "The servers of this database take no new games from now on, and stop when nobody "
            f"is playing, in {minutes:g} minute{'' if minutes == 1 else 's'} at the latest."
        )
