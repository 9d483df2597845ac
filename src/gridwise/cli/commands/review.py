"""`gridwise review`: a recorded game, move by move, and where it was won and lost."""

from __future__ import annotations

from typing import Annotated

from gridwise.cli.arguments import FileArgument, PlainOption, number_option
from gridwise.cli.commands.show import standing
from gridwise.cli.console import Console, wrapped
from gridwise.engine.review import MARKS, SECONDS, Review, in_words, limits_for, summary
from gridwise.engine.review import review as review_positions
from gridwise.errors import BadRequest
from gridwise.play.records import read_record
from gridwise.show.progress import Progress, notify_if_slow

THINK = number_option(
    "--seconds", "How many seconds to think about each move.", "a number above 0", float, above=0
)


def review(
    file: FileArgument,
    seconds: Annotated[float, THINK] = SECONDS,
    plain: PlainOption = False,
) -> None:
    """Print the review of a game."""
    record = read_record(file)
    if not record.moves:
        raise BadRequest(f"{file} has no moves yet: there is nothing to review.")
    positions = list(record.positions())
    progress = Progress("Reviewing the moves", len(record.moves))
    with notify_if_slow():
        limits = limits_for(record.game, seconds)
        found = review_positions(positions, limits, progress)
    progress.close()
    console = Console(simple=plain)
    one, two = record.players
    console.say(f"{record.game.title}: {one} against {two}.", standing(record, positions[-1]))
    console.say("", *_table(found), "", *_graph(found), "")
    for line in summary(found):
        console.say(wrapped(line, "  "))


def _table(found: Review) -> list[str]:
    """A line for each move: what it was worth, and what would have been better."""
    width = max(len(each.chosen.move) for each in found.moves) + 3
    lines = [f"    {'':9} {'move':{width}} {'result':16} best"]
    for number, each in enumerate(found.moves, 1):
        move = each.chosen.move + MARKS.get(each.grade, "")
        better = each.best.move if each.lost > 0 else ""
        worth = in_words(each.chosen)
        lines.append(f"{number:3} Player {each.mover}  {move:{width}} {worth:16} {better}".rstrip())
    return lines


def _graph(found: Review) -> list[str]:
    """Who was winning, move by move: a line that runs between the two players."""
    lines = []
    for level, name in ((4, "Player 1"), (3, ""), (2, "even"), (1, ""), (0, "Player 2")):
        marks = "".join("*" if round(points * 4) == level else " " for points in found.curve)
        lines.append(f"{name:>9} |{marks}".rstrip())
    return [*lines, f"{'':9} +{'-' * len(found.curve)}"]
