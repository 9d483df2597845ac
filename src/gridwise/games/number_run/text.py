"""How Number Run is written, read and talked about. What is legal is up to `rules`."""

from __future__ import annotations

from functools import lru_cache

from gridwise.core.bits import bit_indices, bits_as_bytes
from gridwise.core.board import Board
from gridwise.core.contracts import Challenge, Ending, Notation, Objective, Question
from gridwise.core.defaults import race_ending, race_objective, race_starts, race_tokens
from gridwise.core.narration import Names
from gridwise.core.notation import DIRECTION_WORDS, RowColumn, tidy
from gridwise.core.view import CellView, Drawing, by_player
from gridwise.errors import IllegalMove
from gridwise.games.number_run import rules
from gridwise.games.number_run.rules import CHALLENGE, State

NOTATION: Notation = RowColumn(base=0)
DRAWING = Drawing("boxes", width=5, legend="x: visited by {one}, o: by {two}", trails=True)
SUMMARY = (
    "Reach the other corner; enter no cell twice. "
    "Meet your opponent: the higher score sends the other home."
)
HELP = (
    "Type the cell to go to as row,column: 0,1 is the top row, second cell.\n"
    "If your step ends next to your opponent, you may challenge: wait to be asked, or type 0,1!"
)

cell_name = NOTATION.cell_name
_at = NOTATION.mention


def board_problem(board: Board) -> str:
    """Any grid of numbers will do, but a head start needs room."""
    if board.handicap and min(board.rows, board.cols) < 3:
        return "A handicap needs a board of at least 3 rows and 3 columns."
    return ""


# Moves


def target(board: Board, state: State, action: int) -> int:
    """The cell stepped to."""
    return board.steps[state.my_cell][action % CHALLENGE]


def action_name(board: Board, state: State, action: int) -> str:
    """`0,1`, or `0,1!` with a challenge."""
    mark = "!" if action >= CHALLENGE else ""
    return cell_name(board, target(board, state, action)) + mark


def action_names(board: Board, state: State, actions: tuple[int, ...]) -> list[str]:
    """The names of several actions: `0,1`, or `0,1!` with a challenge."""
    names, steps = NOTATION.cell_names(board), board.steps[state.my_cell]
    return [names[steps[each % CHALLENGE]] + "!" * (each >= CHALLENGE) for each in actions]


def parse_action(board: Board, state: State, text: str) -> int:
    """A cell or a direction, with or without the mark of a challenge."""
    step = tidy(text)
    challenge = CHALLENGE if step.endswith("!") else 0
    step = step.removesuffix("!")
    direction = DIRECTION_WORDS.get(step)
    if direction is not None:
        return direction + challenge
    to = NOTATION.parse_cell(board, step)
    if to in board.steps[state.my_cell]:
        return board.steps[state.my_cell].index(to) + challenge
    if to == state.my_cell:
        raise IllegalMove(f"You are on {_at(board, to)} already.")
    raise IllegalMove(f"{_at(board, to)} is not next to you at {_at(board, state.my_cell)}.")


def in_display_order(board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
    """Row by row; a step before the same step with a challenge."""
    return sorted(actions, key=lambda action: (target(board, state, action), action))


def why_not(board: Board, state: State, action: int) -> str:
    """Why this step, or this challenge, cannot be made."""
    to = target(board, state, action)
    if to < 0:
        return "That would leave the grid."
    if to == state.your_cell:
        return f"Your opponent stands on {_at(board, to)}."
    if state.my_visited >> to & 1:
        return f"You have already visited {_at(board, to)}."
    if to == board.starts[3 - state.turn]:
        return f"Reaching {_at(board, to)} wins at once; there is nobody to challenge."
    return f"You cannot challenge from {_at(board, to)}: it is not next to your opponent."


# The dialogue


def turn_lines(board: Board, state: State) -> list[str]:
    """Who, where, how much, and where to."""
    steps = {target(board, state, action) for action in bit_indices(rules.moves(board, state))}
    return [
        f"Player {state.turn}'s turn.",
        f"Current position: {_at(board, state.my_cell)}",
        f"Current score: {state.my_score}",
        f"Available moves: {', '.join(_at(board, to) for to in sorted(steps))}",
    ]


def prompt(board: Board, state: State) -> str:
    """The question for the step."""
    return "Enter your move (row,column): "


def question(board: Board, state: State, action: int) -> Question | None:
    """Whether to challenge, once the step has brought the tokens together."""
    step = action % CHALLENGE
    if not rules.moves(board, state) >> step + CHALLENGE & 1:
        return None
    stepped = rules.play(board, state, step)
    lead = _stepped(board, stepped)
    lead.append(f"Opponent is adjacent at {_at(board, state.your_cell)}.")
    answers = {"yes": step + CHALLENGE, "no": step}
    points = Challenge(stepped.your_score, stepped.my_score)
    outcome = {True: "you win", False: "you lose", None: "a tie"}[points.won]
    labels = f"Challenge ({points.mine} : {points.yours}, {outcome})", "Move without challenging"
    default = step + CHALLENGE if points.won else step
    stakes = {
        True: "You would win: your opponent goes home with 0 points.",
        False: "You would lose: you go home with 0 points.",
        None: "It would be a tie: nothing changes.",
    }[points.won]
    return Question(lead, "Do you want to challenge?", answers, step, labels, default, stakes)


def challenge(board: Board, state: State, action: int) -> Challenge | None:
    """The scores after the step; the turn has passed then."""
    if action < CHALLENGE:
        return None
    stepped = rules.play(board, state, action - CHALLENGE)
    return Challenge(stepped.your_score, stepped.my_score)


def move_lines(board: Board, before: State, action: int, after: State) -> list[str]:
    """The step, or how the challenge after it went."""
    points = challenge(board, before, action)
    if points:
        return _challenged(points)
    if question(board, before, action):
        return []  # the question has said where the step went
    return _stepped(board, after)


def _stepped(board: Board, after: State) -> list[str]:
    return [
        f"Moved to {_at(board, after.your_cell)}.",
        f"Cell value: {board.cells[after.your_cell]}",
        f"New score: {after.your_score}",
    ]


def _challenged(points: Challenge) -> list[str]:
    mine, yours = points
    lines = ["Challenge initiated!", f"Your score: {mine}", f"Opponent's score: {yours}"]
    if points.won:
        lines += [
            "You win the challenge!",
            "Opponent returns to starting position and score resets to 0.",
        ]
    elif points.won is False:
        lines += [
            "You lose the challenge!",
            "You return to starting position and your score resets to 0.",
        ]
    else:
        lines.append("The challenge is a tie. Nothing changes.")
    return lines


def log_line(board: Board, before: State, action: int, after: State, names: Names) -> str:
    """The step, and how a challenge after it went."""
    mover, other = by_player(before.turn, *names)
    cell, score = target(board, before, action), after.your_score
    line = f"{mover.does('go')} to {cell_name(board, cell)}"
    points = challenge(board, before, action)
    if points is None:
        return f"{line} (+{board.cells[cell]}), now {score}"
    line = f"{line}. Challenge! {points.mine}"
    if points.won is None:
        return f"{line} against {points.yours}, a tie. Nothing changes"
    loser, how = (other, "beats") if points.won else (mover, "loses to")
    return f"{line} {how} {points.yours}. {loser.does('are')} sent home with 0"


def objective(board: Board, state: State, player: int) -> Objective:
    """The opponent's corner."""
    return race_objective(board, player, cell_name(board, board.starts[3 - player]))


def ending(board: Board, state: State) -> Ending:
    """Reaching the opponent's start, or leaving the opponent without a move."""
    wins = f"Player {3 - state.turn} wins the game!"
    return race_ending(
        board,
        state,
        ["You have reached the opponent's starting position!", wins],
        [f"Player {state.turn} has no valid moves.", wins],
    )


# The board


def cell_views(board: Board, state: State) -> list[CellView]:
    """Numbers, tokens, and a mark for each player who has been there."""
    visited = by_player(state.turn, state.my_visited, state.your_visited)
    one, two = (bits_as_bytes(cells, board.size) for cells in visited)
    tokens, starts = race_tokens(board, state), race_starts(board)
    return list(map(_cell_view, board.cells, tokens, starts, one, two))


@lru_cache(maxsize=4_096)
def _cell_view(value: int, token: int, start: int, by_one: int, by_two: int) -> CellView:
    been = tuple(player for player, visited in ((1, by_one), (2, by_two)) if visited)
    marks = "".join(" xo"[player] for player in been if player != token)
    about = [f"Player {token} is here"] if token else []
    visitors = [f"Player {player}" for player in been if player != token]
    about += [f"visited by {'both' if len(visitors) > 1 else each}" for each in visitors[:1]]
    return CellView(
        value=value,
        text=(f"P{token}:" if token else "") + f"{value}{marks}",
        about=", ".join(about),
        token=token,
        start=start,
        visited=been,
    )
