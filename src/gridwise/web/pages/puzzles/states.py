"""Where a puzzle stands after the moves of a request, and what there is to see and to say."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from gridwise.core.narration import YOU, Names, PlayerName
from gridwise.core.position import Position, log_lines
from gridwise.engine.puzzles import ExplainedMove, Puzzle, PuzzleLine, start_line
from gridwise.errors import MoveError
from gridwise.show.svg import PAGE, svg
from gridwise.web.game import questions
from gridwise.web.game.move_event import move_event

MOST_MOVES = 60  # in an address
OPPONENT = PlayerName("Your opponent", "your opponent")


class Attempt(NamedTuple):
    """What came of a request: where the puzzle stands then, and what has happened on the way."""

    line: PuzzleLine
    seen: tuple[Position, ...]  # to be shown one after the other, from where it stood
    verdict: str = ""  # "right", "wrong", "again" (it wins, but goes back), "illegal", "hint"
    text: str = ""


def names(line: PuzzleLine) -> Names:
    """The solver is you."""
    return (YOU, OPPONENT) if line.solver == 1 else (OPPONENT, YOU)


def played_line(puzzle: Puzzle, moves: str) -> PuzzleLine:
    """The line after the solver's moves, as far as they are right, with the answers to them."""
    line = start_line(puzzle)
    for move in moves.split()[:MOST_MOVES]:
        try:
            action = line.position.read(move)
        except MoveError:
            break
        if not line.is_right(action):
            break
        line = line.after(action).after_answers()
    return line


def attempt(line: PuzzleLine, move: str, hints: int = 0) -> Attempt:
    """Try a move, or ask for a hint: the first, the second, and so on."""
    if not line.is_open or not (move or hints):
        return Attempt(line, (line.position,))
    if not move:
        hinted, text = line, ""
        for _ in range(min(hints, len(line.position.legal) + 1)):
            hinted, text = hinted.hinted()
        return Attempt(line, (line.position,), "hint", text)
    try:
        action = line.position.read(move)
    except MoveError as error:
        return Attempt(line, (line.position,), "illegal", str(error))
    if line.is_right(action):
        after = line.after(action).after_answers()
        seen = after.positions[len(line.positions) - 1 :]
        text = after.position.result_line(names(line)) if after.is_solved else "Right! And now?"
        return Attempt(after, seen, "right", text)
    refuted, why = line.why_not(action)
    if refuted.clean:
        return Attempt(line, (line.position,), "again", why)
    return Attempt(line, (line.position, *line.refutation(action)), "wrong", f"{why} Try again.")


def solver_moves(line: PuzzleLine) -> str:
    """The moves that have been found, as they stand in an address."""
    return " ".join(
        before.name(after.history[-1])
        for before, after in pairwise(line.positions)
        if before.turn == line.solver
    )


def picture(position: Position) -> str:
    """The board of a page."""
    return svg(position.view, PAGE, playable=True)


def choices(position: Position) -> list[tuple[str, str]]:
    """The moves to choose from, each with a word where it says more than where to go."""
    found = []
    for action, move in position.named_moves.items():
        question = position.question(action)
        labels = (
            dict(zip(question.answers.values(), question.labels, strict=False)) if question else {}
        )
        found.append((move, f"{move}: {labels[action]}" if action in labels else move))
    return found


def sides(position: Position) -> list[dict[str, Any]]:
    """What each player has and is after; Player 1 first."""
    scores = position.scores or ("", "")
    return [
        {"score": scores[player - 1], "objective": position.objective(player).text}
        for player in (1, 2)
    ]


def frames(positions: tuple[Position, ...], who: Names) -> list[dict[str, Any]]:
    """One move after the other, for a script to play."""
    return [
        {
            "svg": picture(after),
            "event": move_event(before, after),
            "news": f"{before.log_line(after, who)}.",
            "sides": sides(after),
        }
        for before, after in pairwise(positions)
    ]


def attempt_json(tried: Attempt) -> dict[str, Any]:
    """The answer to a move, for the script."""
    line = tried.line
    return {
        "verdict": tried.verdict,
        "text": tried.text,
        "frames": frames(tried.seen, names(line)),
        "line": solver_moves(line),
        "solved": line.is_solved,
        "svg": picture(line.position),
        "sides": sides(line.position),
        "questions": questions(line.position),
        "moves": choices(line.position),
    }


def solution_json(puzzle: Puzzle) -> dict[str, Any]:
    """The whole solution, for the script."""
    line = start_line(puzzle)
    moves = line.solution()
    positions = (line.position, *(move.after for move in moves))
    shown = frames(positions, names(line))
    for frame, move in zip(shown, moves, strict=True):
        frame["why"] = move.why
    return {
        "svg": picture(line.position),
        "sides": sides(line.position),
        "frames": shown,
        "text": moves[-1].after.result_line(names(line)),
    }


def solution_lines(puzzle: Puzzle) -> tuple[list[ExplainedMove], list[str]]:
    """The moves of the solution, and a line of text for each."""
    line = start_line(puzzle)
    moves, who = line.solution(), names(line)
    return moves, [f"{move.before.log_line(move.after, who)}." for move in moves]


def played_lines(line: PuzzleLine) -> list[str]:
    """What has been played in the puzzle, move by move."""
    return [f"{text}." for text in log_lines(line.positions, names(line))]
