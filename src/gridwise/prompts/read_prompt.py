"""Reading a prompt back: proof that it says everything, and how bots speak as models.

    position = read_prompt(prompt(position))

A prompt that shows the moves so far has the board as far as it is known, who began and what was
played; replaying that gives the position. The skin is known from the title.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.position import Position, start
from gridwise.core.registry import games
from gridwise.errors import BadRequest, quoted
from gridwise.prompts.board_forms import (
    Content,
    contents,
    read_grid,
    read_json,
    read_sentences,
)
from gridwise.prompts.labels import (
    BOARD,
    FIRST,
    GAME,
    HANDICAP,
    HISTORY,
    NONE,
    POINTS,
    Prompt,
)
from gridwise.prompts.skins import PLAIN, Skin, every_skin, skin

_SIZE = re.compile(r"(\d{1,2}) x (\d{1,2})", re.ASCII)
_MOVE = re.compile(r"(\d{1,5})\. (.+)", re.ASCII)


class ReadPrompt(NamedTuple):
    """What a prompt says."""

    position: Position
    skin: Skin


def read_prompt(text: Prompt | str) -> Position:
    """The position that a prompt shows; raises BadRequest if it does not show the moves so far.

    Of a longer text, such as a whole conversation, the last position counts.
    """
    return read_question(text).position


def read_question(text: Prompt | str) -> ReadPrompt:
    """The same with the skin that it is shown in, in which an answer has to be written."""
    text = text.user if isinstance(text, Prompt) else text
    asked = text[max(text.rfind(f"\n{GAME}: ") + 1, 0) :].splitlines()
    title = _labelled(asked, GAME)
    clothes = _skin_titled(title)
    board = _board(asked, clothes)
    first = 1 + clothes.words.players.index(_labelled(asked, FIRST, clothes.words.players))
    position = start(clothes.game, clothes.game.check_board(board), first)
    for move in _moves(asked):
        who, _, played = move.partition(": ")
        if who not in clothes.words.players:
            raise BadRequest(f"The prompt names a player {quoted(who)} whom nobody knows.")
        position = position.play(clothes.read_move(position, played), board)
    return ReadPrompt(position, clothes)


def _labelled(lines: list[str], label: str, choices: tuple[str, ...] = ()) -> str:
    """What comes after a label, which must be there."""
    found = next((line for line in lines if line.startswith(f"{label}: ")), "")
    value = found.removeprefix(f"{label}: ").strip()
    if not value or (choices and value not in choices):
        raise BadRequest(f"The prompt has no line {quoted(label + ': …')} that can be read.")
    return value


def _skin_titled(title: str) -> Skin:
    """The skin that shows a game under this title."""
    for game in games():
        if title == game.title:
            return skin(game, PLAIN)
    for game in games():
        for each in every_skin(game):
            if title == each.title:
                return each
    raise BadRequest(f"There is no game {quoted(title)}.")


def _board(lines: list[str], clothes: Skin) -> Board:
    """The board as it was dealt, as far as it is known."""
    game = clothes.game
    size = _SIZE.fullmatch(_labelled(lines, BOARD))
    if size is None:
        raise BadRequest("The prompt's board has no size that can be read.")
    rows, cols = clothes.orientation.size(int(size[1]), int(size[2]))
    target = _number(lines, POINTS) if game.target else 0
    empty = Board(rows, cols, (0,) * (rows * cols), target, _number(lines, HANDICAP))
    held, known = _contents(lines, clothes, empty), contents(game)
    if len(held) != empty.size or not all(each in known for each in held):
        raise BadRequest("The prompt's board cannot be read.")
    values = dict(zip(clothes.cells(empty), (known[each] for each in held), strict=True))
    return empty.with_cells(values[cell] for cell in range(empty.size))


def _number(lines: list[str], label: str) -> int:
    """A number after a label; 0 if it is not there."""
    found = next((line for line in lines if line.startswith(f"{label}: ")), "")
    value = found.removeprefix(f"{label}: ").strip()
    return int(value) if re.fullmatch(r"\d{1,4}", value, re.ASCII) else 0


def _contents(lines: list[str], clothes: Skin, empty: Board) -> list[Content]:
    """What the displayed cells hold, in whichever form the board has."""
    at = next(number for number, line in enumerate(lines) if line.startswith(f"{BOARD}: "))
    below = lines[at + 1 :]
    end = below.index("") if "" in below else len(below)
    form = below[:end]
    if form and form[0].startswith("{"):
        return read_json(form, clothes.words)
    if any(line.startswith("|") for line in form):
        return read_grid(form)
    names = [clothes.cell_name(empty, cell) for cell in clothes.cells(empty)]
    return read_sentences(form, names, [*contents(clothes.game)], clothes.words)


def _moves(lines: list[str]) -> list[str]:
    """The moves so far, each as `Player 1: 0,1`."""
    if f"{HISTORY}: {NONE}" in lines:
        return []
    if f"{HISTORY}:" not in lines:
        raise BadRequest("The prompt does not show the moves so far, so it cannot be read back.")
    moves: list[str] = []
    for line in lines[lines.index(f"{HISTORY}:") + 1 :]:
        played = _MOVE.fullmatch(line)
        if played and int(played[1]) == len(moves) + 1:
            moves.append(played[2])
        elif not line.startswith("("):
            break
    return moves
