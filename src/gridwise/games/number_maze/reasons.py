"""Why a move of Number Maze is good or bad: where the number under a token leads."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from gridwise.core.board import Board
from gridwise.core.contracts import About, BestPlay, GameFact, Scope
from gridwise.core.narration import Names, PlayerName, count_of_moves, with_article
from gridwise.core.view import by_player
from gridwise.games.number_maze.rules import State, moves
from gridwise.games.number_maze.text import NOTATION

cell_name = NOTATION.cell_name


class Kind(StrEnum):
    """What there is to say."""

    OFF_BOARD = "off-board"  # the number the mover lands on leads off the board every way
    BLOCKED = "blocked"  # a player's only landing cell is taken, at the move itself or later
    ENDS_OFF_BOARD = "ends-off-board"  # a player lands on such a number after so many more moves
    LANDS = "lands"  # a player lands on the other's corner after so many more, from that cell
    AIMED = "aimed"  # the mover's number leads right to the other's corner


ABOUT: dict[str, About] = {
    Kind.OFF_BOARD: About(Scope.POSITION, helps=False),
    Kind.BLOCKED: About(Scope.LINE, helps=False),
    Kind.ENDS_OFF_BOARD: About(Scope.LINE, helps=False),
    Kind.LANDS: About(Scope.LINE, helps=True),
    Kind.AIMED: About(Scope.POSITION, helps=True),
}


def facts(play: BestPlay) -> list[GameFact]:
    """What the mover lands on, and how best play ends."""
    found: list[GameFact] = []
    board, after, mover = play.board, play.states[1], play.mover
    mine = _cell(after, mover)
    if mine != board.starts[3 - mover]:
        numbers = {"player": mover, "cell": cell_name(board, mine), "number": board.cells[mine]}
        if not _ways(board, mover, mine, -1):
            found.append((Kind.OFF_BOARD, numbers))
        elif board.starts[3 - mover] in _landings(board, mover, mine, _cell(after, 3 - mover)):
            found.append((Kind.AIMED, numbers))
    return [*found, *_of_the_end(play, found)]


def _of_the_end(play: BestPlay, found: list[GameFact]) -> list[GameFact]:
    if not play.winner:
        return []
    board, end, winner, loser = play.board, play.states[-1], play.winner, 3 - play.winner
    cell = _cell(end, loser)
    if _cell(end, winner) == board.starts[loser]:
        origin = _cell(play.states[-2], winner)
        return [(Kind.LANDS, _numbers(play, winner, origin))]
    if _ways(board, loser, cell, -1):
        taken = {"taken": cell_name(board, _cell(end, winner))}
        return [(Kind.BLOCKED, {**_numbers(play, loser, cell), **taken})]
    if found and loser == play.mover and cell == _cell(play.states[1], loser):
        return []  # it has been said
    return [(Kind.ENDS_OFF_BOARD, _numbers(play, loser, cell))]


def _numbers(play: BestPlay, player: int, cell: int) -> dict[str, Any]:
    return {
        "player": player,
        "cell": cell_name(play.board, cell),
        "number": play.board.cells[cell],
        "moves": play.plies_of(player),
        "ahead": len(play.actions) > 1,
    }


def _ways(board: Board, player: int, cell: int, other: int) -> int:
    """The directions in which a token could go if the other one stood on `other`."""
    return moves(board, State(player, cell, other))


def _landings(board: Board, player: int, cell: int, other: int) -> list[int]:
    """The cells that a token could land on if the other one stayed where it is."""
    ways, length = _ways(board, player, cell, other), board.cells[cell]
    steps = (-length * board.cols, length * board.cols, -length, length)
    return [cell + step for way, step in enumerate(steps) if ways >> way & 1]


def _cell(state: State, player: int) -> int:
    return by_player(state.turn, state.my_cell, state.your_cell)[player - 1]


def say(kind: str, numbers: dict[str, Any], names: Names) -> str:
    """A fact as a sentence."""
    player, other = names[numbers["player"] - 1], names[2 - numbers["player"]]
    cell = numbers["cell"]
    match Kind(kind):
        case Kind.OFF_BOARD:
            number = with_article(numbers["number"])
            return f"{cell} has {number}, which leads off the board every way."
        case Kind.AIMED:
            return f"the {numbers['number']} on {cell} leads straight to {other.possessive} corner."
        case Kind.BLOCKED:
            takes = other.verb("take") if numbers["ahead"] else f"{other.verb('stand')} on"
            return f"{_stuck(numbers, player)}: {other.object} {takes} the only landing cell."
        case Kind.ENDS_OFF_BOARD:
            leads = f"the {numbers['number']} there leads off the board every way"
            return f"{_stuck(numbers, player)}: {leads}."
        case Kind.LANDS:
            when = f" in {count_of_moves(numbers['moves'])}" if numbers["moves"] else ""
            lands = player.does_or_may("land", certain=numbers["certain"])
            lands += f" on {other.possessive} corner{when}"
            return f"{lands}, from the {numbers['number']} on {cell}."


def _stuck(numbers: dict[str, Any], player: PlayerName) -> str:
    when = f" in {count_of_moves(numbers['moves'])}" if numbers["moves"] else ""
    gets = player.does_or_may("get" if numbers["ahead"] else "are", certain=numbers["certain"])
    return f"{gets} stuck on {numbers['cell']}{when}"
