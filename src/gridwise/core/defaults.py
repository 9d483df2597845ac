"""What a game need not say: default text functions and planes, and parts that games share.

The text defaults fit a game in which action k claims cell k and a move needs no second question.
The default planes show the state as it is: each field after `turn` is a plane whose cell k is bit k
of the field. That is right for sets of cells. Numbers come out in binary, which is hard to learn
from, so a game with points should have a `planes.py`.

The shared parts are for games of two kinds. In a *race* the state has `my_cell` and `your_cell`,
the cells of the two tokens, and the opponent's start is the goal. In a game of *claims* a player
owns a set of cells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import cast

from gridwise.core.bits import bits_as_bytes
from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.contracts import (
    Challenge,
    Ending,
    GameText,
    Objective,
    Planes,
    Question,
    Rules,
    State,
    check_complete,
)
from gridwise.core.narration import Names
from gridwise.core.outcome import DRAW, Termination
from gridwise.core.view import CellView, by_player

# Text


class Text(GameText):
    """A game's text with everything that it may leave out, and the defaults for that."""

    REFUSAL = ""  # the fixed first line of the answer to a bad move

    def __init__(self, text: GameText) -> None:
        check_complete("text.py", text, GameText)
        own = [name for name in dir(text) if not name.startswith("_")]
        self.__dict__.update((name, getattr(text, name)) for name in own)

    def board_problem(self, board: Board) -> str:
        """What is wrong with a board beyond its size and values; empty, the default, if nothing."""
        return ""

    @property
    def checks_boards(self) -> bool:
        """Whether the game has a `board_problem` of its own."""
        return "board_problem" in self.__dict__

    def action_name(self, board: Board, state: State, action: int) -> str:
        """A move as the game writes it: the name of the cell."""
        return self.NOTATION.cell_name(board, action)

    def action_names(self, board: Board, state: State, actions: tuple[int, ...]) -> list[str]:
        """Several moves as the game writes them."""
        if "action_name" in self.__dict__:
            return [self.action_name(board, state, action) for action in actions]
        names = self.NOTATION.cell_names(board)
        return [names[action] for action in actions]

    def parse_action(self, board: Board, state: State, text: str) -> int:
        """The move that is meant, legal or not: a cell. Raises UnreadableMove or IllegalMove."""
        return self.NOTATION.parse_cell(board, text)

    def target(self, board: Board, state: State, action: int) -> int:
        """The cell a legal action goes to: the one of the same number."""
        return action

    def in_display_order(self, board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
        """Actions in the order in which they are shown: by number, which is row by row."""
        return list(actions)

    def turn_lines(self, board: Board, state: State) -> list[str]:
        """The dialogue's lines before the player to move is asked: none."""
        return []

    def question(self, board: Board, state: State, action: int) -> Question | None:
        """The second question of a move, such as whether to challenge: none."""
        return None

    @property
    def asks_questions(self) -> bool:
        """Whether the game has a `question` of its own."""
        return "question" in self.__dict__

    def challenge(self, board: Board, state: State, action: int) -> Challenge | None:
        """The points that a move compares, if it is a challenge: none."""
        return None

    def move_lines(self, board: Board, before: State, action: int, after: State) -> list[str]:
        """The dialogue's lines about a move that was made (after its question): none."""
        return []

    def log_line(self, board: Board, before: State, action: int, after: State, names: Names) -> str:
        """A move in one line that says who did what, without a full stop at its end."""
        mover = names[before.turn - 1]
        return f"{mover.does('play')} {self.action_name(board, before, action)}"

    def objective(self, board: Board, state: State, player: int) -> Objective:
        """What a player has and needs to win: the points to reach, where the board has them."""
        scores = self.scores(state)
        if not scores or not board.target:
            return Objective("")
        have = scores[player - 1]
        return points_objective(have, board.target)

    def scores(self, state: State) -> tuple[int, int] | None:
        """Points of Player 1 and Player 2: `my_score` and `your_score`, where a state has them."""
        if not hasattr(state, "my_score"):
            return None
        return by_player(state.turn, state.my_score, state.your_score)

    def caption(self, state: State) -> str:
        """The scores in words; empty where there are none."""
        scores = self.scores(state)
        return f"Scores: Player 1 has {scores[0]}, Player 2 has {scores[1]}." if scores else ""


def complete_text(text: GameText) -> Text:
    """A game's text with the defaults in the places that it leaves out."""
    return Text(text)  # type: ignore[abstract] # the game has the rest


def points_objective(have: int, target: int, exactly: str = "") -> Objective:
    """The objective of a player who has to reach a number of points."""
    left = target - have
    more = f"{exactly}{left} more to win"
    if left <= 0:
        more = f"{-left} over {target}" if exactly and left else f"{target} reached"
    return Objective(more, have, target, exact=bool(exactly))


def race_objective(board: Board, player: int, where: str, *, number: int = 0) -> Objective:
    """The objective of a player whose token has to reach the opponent's start, named `where`."""
    return Objective(f"goal: {where}", goal=board.starts[3 - player], number=number)


def direction_name(_board: Board, _state: State, action: int) -> str:
    """The `action_name` of a game whose actions are up, down, left and right."""
    return DIRECTIONS[action]


def race_ending(board: Board, state: State, reached: list[str], stuck: list[str]) -> Ending:
    """How a race ended, with the lines for a goal that was reached and for a loser who is stuck."""
    if state.your_cell == board.starts[state.turn]:
        return Ending(Termination.GOAL, "reached the opponent's start", reached)
    return Ending(Termination.NO_MOVES, "the opponent has no valid moves", stuck)


def full_board_ending(winner: int, points: str) -> Ending:
    """How a game of claims ended when no cell was left; `points` is what its points are called."""
    if winner == DRAW:
        line = f"All cells are claimed and the {points}s are equal. The game is a draw."
        return Ending(Termination.BOARD_FULL, f"all cells claimed, equal {points}s", [line])
    line = f"All cells are claimed. Player {winner} has the higher {points} and wins the game!"
    return Ending(Termination.BOARD_FULL, f"all cells claimed, higher {points}", [line])


def race_tokens(board: Board, state: State) -> bytearray:
    """For each cell of a race, whose token is on it; 0 = nobody."""
    return _marked(board.size, state.my_cell, state.turn, state.your_cell, 3 - state.turn)


def race_starts(board: Board) -> bytearray:
    """For each cell of a race, whose start it is; 0 = nobody."""
    return _marked(board.size, board.starts[1], 1, board.starts[2], 2)


def _marked(size: int, one: int, mark: int, other: int, other_mark: int) -> bytearray:
    marks = bytearray(size)
    marks[one], marks[other] = mark, other_mark
    return marks


def with_trails(
    cells: list[CellView], rules: Rules, board: Board, first: int, history: tuple[int, ...]
) -> list[CellView]:
    """The cells of a race with the ways that tokens have gone: `CellView.trail`.

    For games of single steps, 0 to 3 modulo 4 for up, down, left and right, that end soon.
    """
    _, trails = _trails(rules.start, rules.play, board, first, history)
    shown = list(cells)
    for index, trail in trails.items():
        shown[index] = _with_trail(cells[index], trail)
    return shown


@lru_cache(maxsize=1 << 12)
def _with_trail(cell: CellView, trail: tuple[str, str]) -> CellView:
    return cell._replace(trail=trail)


# The way up to the move before is known nearly always: a game of 12 moves took 40 µs to replay.
@lru_cache(maxsize=1 << 12)
def _trails(
    start: Callable[[Board, int], State],
    play: Callable[[Board, State, int], State],
    board: Board,
    first: int,
    history: tuple[int, ...],
) -> tuple[State, dict[int, tuple[str, str]]]:
    """The state after these actions, and the trail through each cell that has one."""
    if not history:
        return start(board, first), {}
    state, before = _trails(start, play, board, first, history[:-1])
    trails = dict(before)
    here, way = state.my_cell, history[-1] % 4
    for cell, letters in ((here, "udlr"), (board.steps[here][way], "durl")):
        one, two = trails.get(cell, ("", ""))
        more = letters[way]
        trails[cell] = (one + more, two) if state.turn == 1 else (one, two + more)
    return play(board, state, history[-1]), trails


def claim_owners(board: Board, turn: int, mine: int, yours: int) -> list[int]:
    """For each cell of a game of claims, who owns it; 0 = nobody."""
    one, two = (bits_as_bytes(cells, board.size) for cells in by_player(turn, mine, yours))
    return [by_one + 2 * by_two for by_one, by_two in zip(one, two, strict=True)]


def max_claims(board: Board) -> int:
    """A bound of the plies of a game of claims that goes on while both are below the target.

    Both have the smallest numbers that there are, face-down cells being ones, and claim one more.
    """
    left, claims = 2 * (board.target - 1), 0
    for value in sorted(value or 1 for value in board.cells):
        left -= value
        if left < 0:
            break
        claims += 1
    return min(claims + 1, board.size)


# Planes


def default_planes(rules: Rules, board: Board) -> Planes:
    """The planes that every game can have: its state, field by field."""
    fields = rules.start(board, 1)._fields[1:]
    names = {
        field.replace("_", " "): f"the bits of `{field}`, from the side of the player to move"
        for field in fields
    }
    made = {"VALUE": "the cell's number", "PLANES": names, "COUNTS": {}, "ACTIONS": ()}
    return cast("Planes", SimpleNamespace(**made, planes=planes, counts=counts))


def planes(_board: Board, state: State, _player: int) -> tuple[int, ...]:
    """Every field of the state except whose turn it is."""
    fields: tuple[int, ...] = state[1:]
    return fields


def counts(_board: Board, _state: State, _player: int) -> tuple[int, ...]:
    """No numbers."""
    return ()


def race_planes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """For a race with nothing but two tokens: my token, theirs, my start, theirs."""
    turn, cell, other_cell = state
    if player != turn:
        cell, other_cell = other_cell, cell
    return 1 << cell, 1 << other_cell, 1 << board.starts[player], 1 << board.starts[3 - player]
