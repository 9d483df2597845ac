"""Ten mistakes of each game and why they are, for docs/reasons.md.

    python -m scripts.mistakes      pick them anew, from a seed: a minute

The mistakes are kept as positions, in docs/mistakes.jsonl, each a request as `gridwise analyze`
takes it whose last move is the mistake. What the page says of them is made by `explain` each time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gridwise import Game, Match, Position, bot, games
from gridwise.core.rng import Stream
from gridwise.engine.analysis import position_from
from gridwise.engine.deals import deal
from gridwise.engine.evaluation import Evaluation, Limits, evaluate, with_answers
from gridwise.engine.explain import Explanation, explain
from gridwise.engine.lines import line_after, line_moves
from gridwise.engine.review import ReviewedMove

FILE = Path(__file__).parents[1] / "docs" / "mistakes.jsonl"
NUMBER = 10  # of each game
GAMES = 120  # that are looked at
LIMITS = Limits(nodes=5_000_000)
SAMPLED = Limits(nodes=20_000)
MOST_SLOW = 2  # of them throw away time alone
FACE_DOWN = {"unseen", "gambles"}  # that a cell is: no reason to show
WORTH_A_WORD = 0.15  # of the chances, where they are not certain


class Mistake(NamedTuple):
    """A move that was made, and why it is a mistake."""

    position: Position
    told: Explanation
    evaluation: Evaluation

    @property
    def kinds(self) -> frozenset[str]:
        """What is said of it."""
        return frozenset(str(fact.kind) for fact in self.told.facts)

    @property
    def request(self) -> dict[str, object]:
        """It as it is kept."""
        position = self.position
        moves = [*position.moves, self.told.move]
        board = position.game.board_text(position.board)
        return {"game": position.game.key, "board": board, "first": position.first, "moves": moves}

    @property
    def gives_away(self) -> bool:
        """Whether a result is lost, and not only time."""
        return self.reviewed.regret > (WORTH_A_WORD if self.reviewed.chosen.win is not None else 0)

    @property
    def reviewed(self) -> ReviewedMove:
        """It as a review sees it."""
        chosen = self.evaluation.move_value(self.position.read(self.told.move))
        return ReviewedMove(self.position.turn, self.evaluation, chosen, self.told)

    @property
    def lines(self) -> dict[str, str]:
        """What would have been played, and what comes of the move, where that can be known."""
        position, best = self.position, self.evaluation.best.action
        told = [fact.line for fact in self.told.facts]
        better = [line for line in told if line and line[0] != self.told.move]
        after = line_after(position, self.reviewed.chosen.action)
        return {
            "Better": " ".join((better or [line_moves(position, line_after(position, best))])[0]),
            "Then": " ".join(line_moves(position, after)[1:]),
        }


def judged(position: Position, move: str) -> Mistake:
    """A move of a position, explained."""
    limits = SAMPLED if position.game.has_hidden_cells else LIMITS
    evaluation = with_answers(position, evaluate(position, limits))
    return Mistake(position, explain(position, move, evaluation), evaluation)


def mistakes() -> Iterator[Mistake]:
    """Those that the page shows."""
    for line in FILE.read_text("utf-8").splitlines():
        asked = json.loads(line)
        *moves, move = asked["moves"]
        yield judged(
            position_from(asked["game"], asked["board"], None, 0, asked["first"], moves), move
        )


def page() -> str:
    """The page of all of them."""
    parts = [ABOUT]
    found = list(mistakes())
    for game in games():
        parts.append(f"## {game.title}")
        own = [each for each in found if each.position.game is game]
        parts += [_entry(number, each) for number, each in enumerate(own, 1)]
    return "\n\n".join(parts) + "\n"


ABOUT = """<!-- Made by `make docs` from docs/mistakes.jsonl. -->
# Ten mistakes a game, and why

Moves of novice and casual bots that gave something away, picked so that the reasons differ
(`scripts/mistakes.py`, from a seed). Every sentence is what `gridwise.explain` says of the move,
and so do hints, reviews and the look-back. *Better* is what should have been played, with best play
after it; *then* is best play after the move. In Grid Conquest a line ends where a claim would turn
up cells. [How reasons are found](engine.md#reasons)."""


def _entry(number: int, found: Mistake) -> str:
    position, told = found.position, found.told
    lines = [f"- {name}: `{line}`" for name, line in found.lines.items() if line]
    text = [
        f"**{number}.** Player {position.turn} plays `{told.move}`.",
        f"```text\n{position}\n```",
        str(told),
        "\n".join(lines),
    ]
    return "\n\n".join(filter(None, text))


# Picking them


def made(game: Game, seed: int) -> Iterator[Mistake]:
    """Mistakes in a game between bots that err like people."""
    kind = "uniform" if game.fixed or game.has_hidden_cells else "even"
    match = Match(game, deal(game, Stream(seed), kind), first=1, max_plies=40)
    players = [bot(game, level, seed) for level in ("novice", "casual")]
    while not match.outcome:
        position = match.position
        action = players[(position.turn + seed) % 2].choose(position)
        found = judged(position, position.name(action))
        if is_instructive(found):
            yield found
        match.move(action)


def is_instructive(found: Mistake) -> bool:
    """Whether it gives something away, surely, and the board shows why."""
    own = [fact for fact in found.told.facts if not fact.is_general and fact.kind not in FACE_DOWN]
    gives = found.gives_away or found.reviewed.thrown_away > 1
    return bool(own) and found.evaluation.exact and gives


def picked(game: Game) -> list[Mistake]:
    """Ten of them, each of another game: the next one says what has been said least so far.

    Two of them at most throw away time alone.
    """
    found = {seed: list(made(game, seed)) for seed in range(GAMES)}
    chosen: list[Mistake] = []
    said = Counter[str]()

    def rank(each: Mistake) -> tuple[bool, float]:
        slow = sum(not other.gives_away for other in chosen)
        told_already = sum(said[kind] for kind in each.kinds) / len(each.kinds)
        return not each.gives_away and slow >= MOST_SLOW, told_already

    for _ in range(NUMBER):
        best = {seed: min(own, key=rank) for seed, own in found.items() if own}
        seed = min(best, key=lambda each: rank(best[each]))
        chosen.append(best[seed])
        said.update(best[seed].kinds)
        same = best[seed].position.state, best[seed].position.board, best[seed].told.move
        found = {
            other: [
                each
                for each in own
                if (each.position.state, each.position.board, each.told.move) != same
            ]
            for other, own in found.items()
            if other != seed
        }
    return chosen


def main() -> None:
    """Pick them, and write them down."""
    lines = [json.dumps(each.request) for game in games() for each in picked(game)]
    FILE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
