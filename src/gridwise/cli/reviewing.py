"""`gridwise review`: a recorded game, move by move, and where it was won and lost."""

from __future__ import annotations

from pathlib import Path

from gridwise.cli.console import Console, wrapped
from gridwise.cli.progress import THINKING, patience
from gridwise.engine.review import MARKS, Review, in_words, limits_for, review, summary
from gridwise.errors import BadRequest
from gridwise.play.records import read_record
from gridwise.show.progress import Progress


def review_record(path: Path, *, seconds: float, simple: bool) -> None:
    """Print the review of a game."""
    if not 0 < seconds < float("inf"):
        raise BadRequest("The time to think about a move must be a number of seconds above 0.")
    record = read_record(path)
    if not record.moves:
        raise BadRequest(f"No move has been made in {path}: there is nothing to look back at.")
    actions = [step.action for step in record.steps()][1:]
    progress = Progress("Looking at the moves", len(actions))
    limits = limits_for(record.game, seconds)
    with patience(THINKING):
        found = review(record.game, record.board, record.first, actions, limits, progress)
    progress.close()
    console = Console(simple=simple)
    one, two = record.players
    console.say(f"{record.game.title}: {one} against {two}, {record.result}")
    if record.termination:
        console.say(f"({record.termination})")
    console.say("", *table(found), "", *graph(found), "")
    for line in summary(found):
        console.say(wrapped(line, "  "))


def table(found: Review) -> list[str]:
    """A line for each move: what it was worth, and what would have been better."""
    width = max(len(each.move) for each in found.moves) + 3
    lines = [f"    {'':9} {'move':{width}} {'worth':16} best"]
    for number, each in enumerate(found.moves, 1):
        move = each.move + MARKS.get(each.grade, "")
        better = each.best if each.lost > 0 else ""
        worth = in_words(each.chosen)
        lines.append(f"{number:3} Player {each.mover}  {move:{width}} {worth:16} {better}".rstrip())
    return lines


def graph(found: Review) -> list[str]:
    """Who was winning, move by move: a line that runs between the two players."""
    height = 5
    lines = []
    for row in range(height):
        level = 1 - row / (height - 1)
        marks = "".join(
            "*" if abs(round(points * (height - 1)) / (height - 1) - level) < 1e-9 else " "
            for points in found.curve
        )
        name = {0: "Player 1", height // 2: "even", height - 1: "Player 2"}.get(row, "")
        lines.append(f"{name:>9} |{marks}".rstrip())
    lines.append(f"{'':9} +{'-' * len(found.curve)}")
    return lines
