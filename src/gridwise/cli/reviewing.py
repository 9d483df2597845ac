"""`gridwise review`: a recorded game, move by move, and where it was won and lost."""

from __future__ import annotations

from pathlib import Path

from gridwise.cli.console import Console, wrapped
from gridwise.cli.progress import THINKING, patience
from gridwise.engine.review import Judged, Review, comment, review
from gridwise.engine.worth import Limits
from gridwise.errors import BadRequest
from gridwise.play.records import read_record
from gridwise.show.progress import Progress

GRADES = {"blunder": "??", "mistake": "?", "slip": "?!"}


def review_record(path: Path, *, seconds: float, simple: bool) -> None:
    """Print the review of a game."""
    if not 0 < seconds < float("inf"):
        raise BadRequest("The time to think about a move must be a number of seconds above 0.")
    record = read_record(path)
    if not record.moves:
        raise BadRequest(f"No move has been made in {path}: there is nothing to look back at.")
    actions = [step.action for step in record.steps()][1:]
    progress = Progress("Looking at the moves", len(actions))
    limits = Limits(nodes=20_000) if record.game.hides else Limits(seconds=seconds)
    with patience(THINKING):
        found = review(record.game, record.board, record.first, actions, limits, progress)
    progress.close()
    console = Console(simple=simple)
    one, two = record.players
    console.say(f"{record.game.title}: {one} against {two}, {record.result}")
    if record.termination:
        console.say(f"({record.termination})")
    console.say("", *table(found), "", *graph(found), "")
    for number in found.turning_points:
        each = found.moves[number]
        console.say(wrapped(f"Move {number + 1}, Player {each.mover}: {comment(each)}", "  "))
    unknown = sum(not each.judged for each in found.moves)
    if unknown:
        console.say(f"{unknown} of the moves could not be judged in the time there was.")
    elif not found.turning_points:
        console.say("Nobody gave anything away.")
    for player in (1, 2):
        console.say(_accuracy(found, player))


def table(found: Review) -> list[str]:
    """A line for each move: what it was worth, and what would have been better."""
    width = max(len(each.move) for each in found.moves) + 3
    lines = [f"    {'':9} {'move':{width}} {'worth':16} best"]
    for number, each in enumerate(found.moves, 1):
        move = each.move + GRADES.get(each.grade, "")
        better = each.best if each.lost > 0 else ""
        lines.append(
            f"{number:3} Player {each.mover}  {move:{width}} {worth(each):16} {better}".rstrip()
        )
    return lines


def worth(each: Judged) -> str:
    """What the chosen move was worth, in a few words."""
    option = each.chosen
    if option.win is not None:
        return f"{option.win:.0%} to win"
    if option.value in ("win", "loss"):
        return f"{option.value} in {option.distance}"
    return option.value or "unknown"


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


def _accuracy(found: Review, player: int) -> str:
    share = found.accuracy(player)
    if share is None and not all(each.judged for each in found.moves):
        return f"Player {player}: no move that mattered could be judged."
    if share is None:
        return f"Player {player} could do nothing wrong: every choice was worth the same."
    choices = sum(each.mover == player and each.counts for each in found.moves)
    plural = "move" if choices == 1 else "moves"
    return f"Player {player}: accuracy {share:.0%} over {choices} {plural} that mattered."
