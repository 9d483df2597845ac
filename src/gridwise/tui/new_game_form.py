"""What can be chosen for a new game, and the MatchSetup that the choices make.

Nothing is drawn here: the screen asks which rows there are, and hands over what was chosen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from gridwise.arena.setup import MatchSetup, parse_size
from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.rng import Stream
from gridwise.core.view import View
from gridwise.engine.bots import ABOUT, LEVELS
from gridwise.engine.deals import KINDS, with_handicap
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import HUMAN
from gridwise.play.series import DRAWS_COUNT, LENGTHS, Series
from gridwise.tui.widgets.chooser import Choice

Values = Mapping[str, str]  # row -> what is chosen or typed there

OTHER = "other"  # what is typed in the row below
BOTS = tuple(Choice(f"bot:{level}", f"{level.capitalize()} bot", ABOUT[level]) for level in LEVELS)
PERSON = Choice(HUMAN, "Another person", "you take turns at this keyboard")
MODEL = "model"  # the one whose name is typed in the row below
LANGUAGE_MODEL = Choice(MODEL, "A language model", "through the endpoint in OPENAI_BASE_URL")
PROGRAM = Choice(OTHER, "A program", "any engine that speaks UGI, started by a command")
_KINDS = {
    "even": ("Even", "the result hangs on how you play"),
    "fair": ("Fair", "lively; Player 1 has the edge"),
    "uniform": ("Random", "numbers by chance: anything can happen"),
}
_SIZES = ("3x3", "4x4", "5x5", "6x6", "7x7")
_TARGETS = ("10", "15", "21", "30")

# The rows of the form, from the top, and what they are called.
ROWS = {
    "opponent": "Opponent",
    "program": "Command",
    "model": "Model",
    "p1": "Player 1",
    "p2": "Player 2",
    "side": "You are",
    "deal": "Board",
    "board": "Rows",
    "size": "Size",
    "other_size": "Size",
    "target": "Target",
    "other_target": "Target",
    "handicap": "Handicap",
    "best_of": "Series",
    "seed": "Seed",
}
# Those that are typed, with an example.
TYPED = {
    "program": "such as: gridwise ugi number-run",
    "model": "its name, such as gpt-5",
    "board": "",  # the game has one
    "other_size": "such as 4x6",
    "other_target": "such as 25",
    "seed": "empty: another board each time",
}
_FORGOTTEN = ("seed", "board")  # a person wants them once


def choices(game: Game) -> dict[str, tuple[Choice, ...]]:
    """The values of every row that is not typed, the usual one first."""
    standard = f"{game.rows}x{game.cols}"
    return {
        "opponent": (*BOTS, PERSON, PROGRAM, LANGUAGE_MODEL),
        "p1": (*BOTS, PROGRAM, LANGUAGE_MODEL),
        "p2": BOTS,
        "side": _sides(game),
        "deal": (*_deals(game), Choice(OTHER, "Your own", "type it, row by row")),
        "size": (
            Choice("", standard, "the usual size"),
            *(Choice(size, size) for size in _SIZES if size != standard),
            Choice(OTHER, "Other"),
        ),
        "target": (
            Choice("", str(game.target), "the usual number of points"),
            *(Choice(points, points) for points in _TARGETS if points != str(game.target)),
            Choice(OTHER, "Other"),
        ),
        "handicap": (Choice("", "None"), Choice("even", "Yes", _about_handicap(game))),
        "best_of": tuple(
            Choice(str(length), f"Best of {length}", f"sides swap. {DRAWS_COUNT}")
            if length > 1
            else Choice("1", "One game")
            for length in LENGTHS
        ),
    }


def _sides(game: Game) -> tuple[Choice, ...]:
    if game.coin_toss:
        abouts = ("a coin toss decides who begins",) * 2
    else:
        abouts = ("you begin", "your opponent begins")
    return (
        Choice("1", "Player 1", abouts[0]),
        Choice("2", "Player 2", abouts[1]),
        Choice("random", "Either", "chance decides"),
        Choice("swap", "In turn", "the side you did not have last time"),
    )


def _deals(game: Game) -> tuple[Choice, ...]:
    if game.fixed:
        return (Choice("", "Standard", "always the same one"),)
    if game.has_hidden_cells:
        return (Choice("uniform", "Face down", "every number by chance"),)
    return tuple(Choice(kind, *_KINDS.get(kind, (kind.capitalize(), ""))) for kind in KINDS)


def _about_handicap(game: Game) -> str:
    if not game.handicap:
        return ""
    return game.handicap.about(with_handicap(game, game.parse_board(game.example_board)))


def shown_rows(game: Game, values: Values, *, watch: bool) -> list[str]:
    """The rows that matter, given what is chosen in the others."""
    own = values["deal"] == OTHER
    matters = {
        "opponent": not watch,
        "program": values["p1" if watch else "opponent"] == OTHER,
        "model": values["p1" if watch else "opponent"] == MODEL,
        "p1": watch,
        "p2": watch,
        "side": not watch and values["opponent"] != HUMAN,
        "size": not own,
        "other_size": not own and values["size"] == OTHER,
        "board": own,
        "target": bool(game.target),
        "other_target": bool(game.target) and values["target"] == OTHER,
        "handicap": bool(game.handicap),
        "best_of": not watch,
    }
    return [row for row in ROWS if matters.get(row, True)]


def make_setup(game: Game, values: Values, *, watch: bool) -> MatchSetup:
    """The game that was asked for; raises GridwiseError with one clear line."""
    if watch:
        p1, p2 = values["p1"], values["p2"]
    elif person_side(values) == 1:
        p1, p2 = HUMAN, values["opponent"]
    else:
        p1, p2 = values["opponent"], HUMAN
    typed = {OTHER: _program, MODEL: _model}
    p1, p2 = (typed[player](values) if player in typed else player for player in (p1, p2))
    own = values["deal"] == OTHER
    if own and not values["board"].strip():
        raise BadRequest(f"Type the rows of your board, such as {game.example_board}.")
    size = "" if own else values["other_size" if values["size"] == OTHER else "size"]
    parse_size(size)
    return MatchSetup(
        game=game.key,
        p1=p1,
        p2=p2,
        board=values["board"].strip() if own else None,
        deal="" if own else values["deal"],
        size=size,
        target=_target(game, values),
        handicap=bool(game.handicap) and values["handicap"] == "even",
        seed=_number(values["seed"], "A seed"),
        series=Series(1 if watch else int(values["best_of"])),
    )


def person_side(values: Values) -> int:
    """The side that the person takes."""
    side = values["side"]
    if values["opponent"] == HUMAN:
        return 1
    if side == "random":
        return random.randint(1, 2)
    if side == "swap":
        return 1 if values.get("last_side") == "2" else 2
    return int(side)


def _program(values: Values) -> str:
    if not values["program"].strip():
        raise BadRequest("Type the command that starts the program, such as ./my-engine.")
    return f"ugi:{values['program'].strip()}"


def _model(values: Values) -> str:
    if not values["model"].strip():
        raise BadRequest("Type the name of the model, such as gpt-5.")
    return f"model:{values['model'].strip()}"


def _target(game: Game, values: Values) -> int | None:
    if not game.target:
        return None
    return _number(values["other_target" if values["target"] == OTHER else "target"], "A target")


def _number(text: str, what: str) -> int | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"\s*[0-9]{1,18}\s*", text):
        raise BadRequest(f"{what} is a whole number, not {quoted(text)}.")
    return int(text)


def preview(game: Game, setup: MatchSetup) -> View:
    """A board such as it will be: the person's own, or one of the size asked for."""
    if setup.board:
        board = game.parse_board(setup.board, setup.target)
    elif setup.size:
        rows, cols = parse_size(setup.size)
        board = game.check_board(game.deal(Stream(1), rows, cols, setup.target))
    else:
        board = game.parse_board(game.example_board, setup.target)
    return start(game, with_handicap(game, board) if setup.handicap else board).view


def remembered(values: Values, setup: MatchSetup) -> dict[str, str]:
    """What the next game of this kind begins with."""
    kept = {row: value for row, value in values.items() if row not in _FORGOTTEN}
    if kept["deal"] == OTHER:
        del kept["deal"]
    return kept | {"last_side": "2" if setup.p2 == HUMAN != setup.p1 else "1"}
