"""Reading a list of moves, in every form that is clear to a person, and in no other.

    0,1; 1,0      0,1, 1,0      (0,1), (1,0)      0,1 and 1,0      ["0,1", "1,0"]

or one a line, with or without bullets. Commas separate moves, and belong to moves where cells have
two coordinates: whatever can be read in two ways is not read at all. The list ends where a line has
something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, NoSuchCell, UnreadableMove, quoted
from gridwise.prompts.skins import Skin
from gridwise.prompts.vocabulary import NONE

MAX_ITEMS = 200  # moves in a list that are looked at; no position of ours has as many
MAX_MOVE_LENGTH = 80
_BULLET = re.compile(r"\s*(?:[-*+•\u2013\u2014]|\d{1,3}[.)])\s+")
_AROUND = " \t*_`\"'“”\u2018\u2019()[]{}<>.,:;|"
_BRACKETED = re.compile(r"\[[^\[\]]{0,200}\]")  # perhaps over several lines, as JSON can have it
# Spaces are single by then. Between brackets there need not be anything.
_BETWEEN = re.compile(r"[;|/&]|,? (?:and|or) |(?<=[)\]]) ?,? ?(?=[(\[])")
_COMMAS = str.maketrans("،、؛", ",,;")


class MoveList(NamedTuple):
    """What a text lists: legal actions, and moves that can be read but are not legal now."""

    legal: frozenset[int] = frozenset()
    wrong: tuple[str, ...] = ()
    problem: str = ""  # why it cannot be read as a list of moves: of its form, not of what is right


def read_move_list(text: str, position: Position, skin: Skin) -> MoveList:
    """The moves at the beginning of a text."""
    flat = _BRACKETED.sub(lambda group: " ".join(group[0].split()), text.translate(_COMMAS))
    moves: dict[str, int | None] = {}
    begun = gap = ended = False
    for line in islice(flat.splitlines(), 2 * MAX_ITEMS):
        bullet = _BULLET.match(line)
        bare = " ".join((line[bullet.end() :] if bullet else line).split()).strip(" *_`")
        if not bare.strip(_AROUND) or line.lstrip().startswith("```"):
            gap = begun
            continue
        try:
            found = _line_moves(bare, position, skin)
        except UnreadableMove as error:
            meant = bool(bullet) or _begins_with_move(bare, position, skin)
            if not begun or (meant and not (gap or ended)):
                return MoveList(problem=str(error))
            ended = True
            continue
        if ended:
            return MoveList(problem="The list of moves goes on after something else.")
        moves |= found
        begun = True
    if not begun:
        return MoveList(problem="There is no list of moves.")
    legal = frozenset(action for action in moves.values() if action is not None)
    return MoveList(legal, tuple(name for name, action in moves.items() if action is None))


def _line_moves(line: str, position: Position, skin: Skin) -> dict[str, int | None]:
    """The moves of a line that has nothing else; raises UnreadableMove."""
    if line.strip(_AROUND).casefold() == NONE:
        return {}
    parts = [part for part in _BETWEEN.split(line) if part.strip(_AROUND)]
    found: dict[str, int | None] = {"…": None} if len(parts) > MAX_ITEMS else {}
    for part in parts[:MAX_ITEMS]:
        found |= _part_moves(part, position, skin)
    return found


def _part_moves(part: str, position: Position, skin: Skin) -> dict[str, int | None]:
    """The moves of a part without semicolons and the like, if it can be read in one way."""
    readings: list[dict[str, int | None]] = []
    problems: list[UnreadableMove] = []
    for pieces in _ways(part):
        try:
            reading = {
                "".join(piece.split()): _action(piece, position, skin)
                for piece in pieces[:MAX_ITEMS]
            }
        except UnreadableMove as error:
            problems.append(error)
            continue
        if reading not in readings:
            readings.append(reading | ({"…": None} if pieces[MAX_ITEMS:] else {}))
    if len(readings) > 1:
        raise UnreadableMove(f"{quoted(part)} can be read in more than one way.")
    if not readings:
        raise problems[0]
    return readings[0]


def _ways(part: str) -> Iterator[list[str]]:
    """How a part may be meant: one move, or moves between commas, every other comma, or spaces."""
    commas = [piece.strip(_AROUND) for piece in part.strip(_AROUND).split(",")]
    yield [part.strip(_AROUND)]
    yield commas
    if len(commas) % 2 == 0:
        yield [f"{one},{two}" for one, two in zip(commas[::2], commas[1::2], strict=True)]
    yield [piece.strip(_AROUND) for piece in part.split()]


def _action(text: str, position: Position, skin: Skin) -> int | None:
    """The action that a text means; None for a move that is not legal, or off the board."""
    if len(text) > MAX_MOVE_LENGTH:
        raise UnreadableMove(f"{quoted(text)} is too long for a move.")
    try:
        return skin.read_move(position, text)
    except (IllegalMove, NoSuchCell):
        return None


def _begins_with_move(line: str, position: Position, skin: Skin) -> bool:
    words = line.split()[:3]
    for count in range(1, len(words) + 1):
        try:
            _action(" ".join(words[:count]).strip(_AROUND), position, skin)
        except UnreadableMove:
            continue
        return True
    return False
