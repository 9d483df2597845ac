"""`gridwise rules`: a game's rules, in brief first at a terminal, then the page in a pager."""

from __future__ import annotations

import io
import json as json_text
import os
import sys
from typing import Annotated

import typer

from gridwise.cli.arguments import GameArgument, JsonOption, LinearOption, PlainOption
from gridwise.cli.console import may_colour, wrapped
from gridwise.cli.keys import read_key
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import short_names
from gridwise.show.text import rules_brief, rules_page

FULL = "Show the whole page at once, in a pager; through a pipe it always comes whole."
MORE = "(Enter: all the rules, any other key: done) "


def rules(
    game: GameArgument,
    full: Annotated[bool, typer.Option("--full", help=FULL)] = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Print the rules: in brief at a terminal, where Enter brings the rest; otherwise the page."""
    played = game_named(game)
    if json:
        print(json_text.dumps(_as_data(played)))
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(_page(played, plain=plain, linear=linear))
    elif full or _wants_more(played):
        _show_in_pager(_page(played, plain=plain, linear=linear))


def _wants_more(game: Game) -> bool:
    """Print the rules in brief, and ask whether to show the rest."""
    print(
        "\n".join(
            wrapped(line, "  " if line.startswith("- ") else "") for line in rules_brief(game)
        )
    )
    print(f"\n{MORE}", end="", flush=True)
    try:
        key = read_key()
    finally:
        print()
    return key in ("\r", "\n")


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
