"""`gridwise rules`: a game's rules, in brief first at a terminal, then the page in a pager.

With `--why`: what is proved about the game.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from gridwise.cli.arguments import GameArgument, JsonOption, LinearOption, PlainOption
from gridwise.cli.console import may_colour, print_json, wrapped
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games, short_names
from gridwise.errors import BadRequest
from gridwise.show.text import rules_brief, rules_page

FULL = "Show the whole page at once, in a pager; through a pipe it always comes whole."
WHY = "What is proved about the game, instead: why Player 1 can always win."
MORE = "(Enter: all the rules, q: done) "


def rules(
    game: GameArgument,
    full: Annotated[bool, typer.Option("--full", help=FULL)] = False,
    why: Annotated[bool, typer.Option("--why", help=WHY)] = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Print the rules: in brief at a terminal, where Enter brings the rest; otherwise the page."""
    played = game_named(game)
    if why:
        _print_why(played, json=json)
    elif json:
        print_json(_as_data(played))
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(_page(played, plain=plain, linear=linear))
    elif full or _wants_more(played):
        _show_in_pager(_page(played, plain=plain, linear=linear))


def _print_why(game: Game, *, json: bool) -> None:
    """Print what is proved about a game; raises BadRequest where that is nothing."""
    proof = game.file("why.txt")
    if not proof:
        proved = ", ".join(proven.key for proven in games() if proven.file("why.txt"))
        raise BadRequest(f"{game.title} has no proof. The games that have one: {proved}.")
    if json:
        print_json({"game": game.key, "lines": proof.splitlines()})
    else:
        print(proof, end="")


def _wants_more(game: Game) -> bool:
    """Print the rules in brief, and ask whether to show the rest."""
    print(
        "\n".join(
            wrapped(line, "  " if line.startswith("- ") else "") for line in rules_brief(game)
        )
    )
    try:
        return not input(f"\n{MORE}").strip()
    except (EOFError, KeyboardInterrupt) as left:
        print()
        if isinstance(left, KeyboardInterrupt):
            raise
        return False


def _page(game: Game, *, plain: bool, linear: bool) -> str:
    """The page: formatted for a terminal, or as its plain text."""
    page = rules_page(game, linear=linear)
    if plain or linear or not may_colour():
        return page
    from rich.console import Console  # noqa: PLC0415 - 60 ms, only for this
    from rich.markdown import Markdown  # noqa: PLC0415

    drawn = io.StringIO()
    width = Console().width
    Console(file=drawn, force_terminal=True, width=width).print(Markdown(page))
    return drawn.getvalue().rstrip("\n")


def _show_in_pager(page: str) -> None:
    """Show a page in the person's pager: $PAGER, less or more."""
    import pydoc  # noqa: PLC0415 - 30 ms, only for this

    # As git does: leave at once what fits the window, show colours, leave the text on the screen.
    os.environ.setdefault("LESS", "FRX")
    sys.stdout.flush()
    pydoc.pager(page)


def _as_data(game: Game) -> dict[str, object]:
    return {
        "game": game.key,
        "short_name": short_names()[game.key],
        "title": game.title,
        "summary": game.text.SUMMARY,
        "brief": rules_brief(game),
        "page": rules_page(game),
    }
