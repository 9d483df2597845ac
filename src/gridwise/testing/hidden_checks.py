"""What nobody has seen must be in nothing that anybody holds.

`leaks` walks everything that can be reached from an object and names each board, tuple, array or
text that has a value for a hidden cell. `contents` gives everything that can be reached as plain
data, so that two games that differ only in hidden values can be compared: equal contents mean
that there is no leak in any form, disguised or not.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.view import View
from gridwise.engine.evaluation import Limits, evaluate
from gridwise.play.match import Match
from gridwise.play.records import record_text
from gridwise.testing.samples import STANDARD, Size, check, expect, random_games

_ATOMS = (int, float, complex, str, bytes, bytearray, type(None), Enum)
# What all games share: no single game can be read from it.
_SHARED = (Game, ModuleType, type, type(lru_cache(repr)))


def _held_by(thing: object) -> Sequence[object]:
    """What an object refers to, without what all games share."""
    if isinstance(thing, _ATOMS):
        return ()
    held: list[object]
    if isinstance(thing, FunctionType):  # not its globals, which are its module's
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        held = [thing.__defaults__, thing.__kwdefaults__, *cells]
    elif isinstance(thing, BuiltinFunctionType):
        held = [thing.__self__]
    else:  # an array, or anything else
        held = [thing.tolist()] if hasattr(thing, "tolist") else gc.get_referents(thing)
    return [each for each in held if not _is_shared(each)]


def _is_shared(thing: object) -> bool:
    if isinstance(thing, BuiltinFunctionType):  # a method of an object, or of a module
        return isinstance(thing.__self__, ModuleType | type | None)
    return isinstance(thing, _SHARED)


def reachable(*things: object) -> Iterator[object]:
    """Everything that can be reached from some objects, each once."""
    waiting, seen = list(things), dict[int, object]()
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing  # kept, so that no id comes up twice
            yield thing
            waiting += _held_by(thing)


def leaks(game: Game, true_board: Board, hidden: int, *things: object) -> list[str]:
    """Whatever can be reached from the things and has a value for a cell of the set `hidden`."""
    if not hidden:
        return []
    whole = game.board_text(true_board)
    return [
        f"{type(thing).__name__}: {thing!r:.200}"
        for thing in reachable(*things)
        if _knows(game, true_board.size, whole, hidden, thing)
    ]


def _knows(game: Game, size: int, whole: str, hidden: int, thing: object) -> bool:
    if isinstance(thing, str):
        return whole in thing
    if isinstance(thing, View):
        values: Any = [cell.value for cell in thing.cells]
    elif isinstance(thing, bytes | bytearray | tuple | list):
        values = thing
    else:
        values = thing.cells if isinstance(thing, Board) else ()
    return (
        len(values) == size
        and all(isinstance(value, int) and 0 <= value <= game.rules.HIGH for value in values)
        and any(value and hidden >> cell & 1 for cell, value in enumerate(values))
    )


def contents(thing: object, _above: tuple[int, ...] = ()) -> object:
    """Everything that can be reached from an object, as nested tuples of plain values."""
    if isinstance(thing, _ATOMS):
        return thing
    if id(thing) in _above:
        return "…"  # it refers to itself
    above = (*_above, id(thing))
    return type(thing).__qualname__, tuple(contents(each, above) for each in _held_by(thing))


def with_other_hidden_cells(match: Match, seed: int | str) -> Match:
    """A game again, move for move, on a board that is dealt anew wherever nobody has looked."""
    return Match(match.game, match.board, first=match.first, seed=seed, moves=match.actions)


def held_by_players(match: Match) -> dict[str, object]:
    """All that players, bots, spectators and logs can get hold of in an unfinished game."""
    return {
        "the position": match.position,
        "the positions so far": match.positions,
        "the view": match.view,
        "the board": match.board,
        "the record": match.record(),
        "the text of the record": record_text(match.record()),
        "the drawing": str(match),
        "the repr": repr(match),
        "the legal moves": match.legal_moves,
        "the evaluation": evaluate(match.position, Limits(nodes=50)),
    }


@check
def check_hidden(game: Game, size: Size = STANDARD, *, games: int = 5, seed: int = 1) -> None:
    """Nothing that a player holds has a hidden value in it, or depends on one."""
    if not game.has_hidden_cells:
        return
    for match in random_games(game, size, games, seed):
        if match.outcome:
            continue
        hidden = match.position.hidden
        other = with_other_hidden_cells(match, f"{seed} {match.true_board}")
        held, again = held_by_players(match), held_by_players(other)
        for name, thing in held.items():
            known = leaks(game, match.true_board, hidden, thing)
            expect(not known, f"After {match.moves} {name} has hidden values: {known}.")
            same = contents(thing) == contents(again[name])
            expect(same, f"After {match.moves} {name} depends on hidden values.")
