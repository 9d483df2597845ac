"""`gridwise server`: looking after the games of a web server, if the web app is installed.

All of it works on the database, also while servers run; `gridwise.web.admin` does the work.
"""

from __future__ import annotations

import datetime as dt
import json as json_text
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli.arguments import complete_game, number_option
from gridwise.cli.commands.programs.serve import DATABASE, PARTS
from gridwise.cli.main import COMMANDS
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, GridwiseError, printable
from gridwise.folders import data_folder
from gridwise.show.progress import Progress, notify_if_slow

STATUSES = ("waiting", "playing", "over", "cancelled")
LIMIT = 20
MOST_LISTED = 2**31  # more than there can be; a database takes no number without end
MOST_MINUTES = 366 * 24 * 60

DatabaseOption = Annotated[
    str, typer.Option("--database", metavar="URL", help=DATABASE, envvar="GRIDWISE_DATABASE")
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a game, from its link.")]
IdsArgument = Annotated[list[str], typer.Argument(metavar="ID...", help="The ids of games.")]

server = typer.Typer(
    name="server",
    help=COMMANDS["server"].help,
    epilog=f"Example: {COMMANDS['server'].example}",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@contextmanager
def _opened(database: str, *, new: bool = False) -> Iterator[tuple[Any, Any]]:
    """The tools, and the store of a database."""
    try:
        # By name: the ways in do not know each other, and this one is an extra.
        admin = import_module("gridwise.web.admin")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in PARTS:
            raise BadRequest(
                "`gridwise server` needs a few more packages: pip install 'gridwise[web]'"
            ) from None
        raise
    with admin.opened(database, data_folder(), new=new) as store:
        yield admin, store


def _games(count: int) -> str:
    return f"{count:,} game{'' if count == 1 else 's'}"


@server.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new SQLite file.")],
    database: DatabaseOption = "",
) -> None:
    """Write an SQLite database to a file, as it is at this moment; servers go on meanwhile."""
    with _opened(database) as (admin, store), notify_if_slow(f"(Backing up to {file}.)"):
        done = admin.back_up(store, file)
    print(f"{_games(done)} backed up: {file}")


@server.command()
def copy(
    to: Annotated[str, typer.Argument(metavar="URL", help="The other database, without games.")],
    database: DatabaseOption = "",
) -> None:
    """Copy all games to an empty database, of the same kind or another: all of them, or none."""
    with (
        _opened(database) as (admin, store),
        _opened(to, new=True) as (_, other),
        notify_if_slow("(Copying: all of it, or nothing.)"),
    ):
        done = admin.copy_games(store, other)
    print(f"{_games(done)} copied.")


@server.command()
def check(database: DatabaseOption = "") -> None:
    """Play every stored game through, and list those that are not as they should be."""
    with _opened(database) as (admin, store):
        found = 0
        total = admin.count_games(store)
        with closing(Progress("Checking", total)) as progress:
            for game_id, problem in admin.check(store, progress):
                found += 1
                print(f"{game_id}: {printable(problem)}" if game_id else printable(problem))
    if found:
        raise GridwiseError(f"{found:,} problem{'' if found == 1 else 's'} in {_games(total)}.")
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
    older: Annotated[
        float,
        number_option(
            "--older", "Only games made this many days ago.", "a number of days", float, above=-1e-9
        ),
    ] = 0.0,
    limit: Annotated[
        int,
        number_option(
            "--limit", "How many to list.", "a whole number from 1 up", above=0, below=MOST_LISTED
        ),
    ] = LIMIT,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
    database: DatabaseOption = "",
) -> None:
    """List games, the newest first."""
    if status and status not in STATUSES:
        raise BadRequest(f"--status takes {', '.join(STATUSES)}, not {printable(status)}.")
    with _opened(database) as (admin, store):
        chosen = admin.such_games(status, game_named(game).key if game else "", name, older)
        found = admin.list_games(store, chosen, limit)
        total = admin.count_games(store, chosen)
    if json:
        print(json_text.dumps(found, indent=1, ensure_ascii=False))
        return
    for each in found:
        made = dt.datetime.fromtimestamp(each["created"], dt.UTC).astimezone()
        players = " - ".join(_player(seat) for seat in each["players"])
        print(
            f"{each['id']}  {made:%Y-%m-%d %H:%M}  {each['game']:<14}  {each['status']:<9}  "
            f"{each['events']:>4} events  {printable(players)}"
        )
    if total > len(found):
        print(f"({len(found):,} of {_games(total)}; --limit N lists more.)", file=sys.stderr)
    elif not found:
        print("There are no such games.", file=sys.stderr)


def _player(seat: dict[str, str]) -> str:
    return seat["name"] or (f"{seat['level']} bot" if seat["level"] else seat["kind"])


@server.command()
def stop(game_id: IdArgument, database: DatabaseOption = "") -> None:
    """End a game without a result. Its players are told."""
    with _opened(database) as (admin, store):
        admin.stop_game(store, game_id)
    print(f"Stopped {game_id}.")


@server.command()
def delete(ids: IdsArgument, database: DatabaseOption = "") -> None:
    """Remove games for good, with all that happened in them."""
    with _opened(database) as (admin, store):
        done = admin.delete_games(store, ids)
    print(f"{_games(done)} deleted.")


@server.command()
def erase(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A player's name.")] = "",
    token: Annotated[
        str,
        typer.Option(metavar="TOKEN", help="Instead of a name: the cookie, or its SHA-256."),
    ] = "",
    database: DatabaseOption = "",
) -> None:
    """Erase a player's name from all games; the games stay."""
    if bool(name) == bool(token):
        raise BadRequest("Say whose name: NAME, or --token TOKEN for all names of one browser.")
    with _opened(database) as (admin, store):
        done = admin.erase_name(store, name, token)
    print(f"Erased from {_games(done)}.")


@server.command()
def retention(
    days: Annotated[
        float,
        number_option(
            "--days",
            "Remove games that ended longer ago.",
            "a number from 0 up",
            float,
            above=-1e-9,
        ),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    database: DatabaseOption = "",
) -> None:
    """Remove games that ended many days ago, a few at a time."""
    with _opened(database) as (admin, store):
        total = admin.count_games(store, admin.ended_before(days))
        if dry_run:
            print(f"{_games(total)} would be removed.")
            return
        with closing(Progress("Removing", total)) as progress:
            done = admin.remove_old(store, days, progress)
    print(f"{_games(done)} removed.")


@server.command()
def drain(
    minutes: Annotated[
        float,
        number_option(
            "--minutes",
            "Stop after this time at the latest.",
            f"a number from 0 to {MOST_MINUTES}",
            float,
            above=-1e-9,
            below=MOST_MINUTES + 1e-9,
        ),
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
