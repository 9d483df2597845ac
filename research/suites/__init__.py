"""The fixed positions that players are compared on, made from a seed.

Bots of all levels play each other on uniform boards (Grid Runner: on boards with obstacles drawn at
random, because the standard board has only 359 positions). Positions in which a mistake is possible
are solved, sorted into cells by phase, difficulty and side to move, and drawn from the cells in
turn, at most two from a game, until each part is full. A board, with its mirror images, belongs to
one part only.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gridwise import Board, Game, Position, bot, evaluate, solve_positions
from gridwise.core.position import start
from gridwise.engine.bots import LEVELS
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue
from gridwise.engine.exact.batch_solver import NOT_LEGAL
from gridwise.lab.grading.judge import difficulty, phase
from gridwise.lab.suites import (
    PARTS,
    SuiteRow,
)
from research.symmetry import canonical, canonical_board

VERSION = "v1"
SEED = 20261116
EACH = 1_000  # positions in each part
FROM_A_GAME = 2
MAX_PLIES = 60
ROUND = 400  # games that are played before it is looked whether they are enough
ROUNDS = 60
CHANCE = Limits(nodes=3_000)  # enough for exact chances where the end is near
OBSTACLES = (2, 7)  # from and to, of Grid Runner's random boards


class Candidate(NamedTuple):
    """A position that may become part of a suite."""

    position: Position
    evaluation: Evaluation
    true_board: Board
    phase: str
    game_number: int

    @property
    def difficulty(self) -> int:
        """1 to 5."""
        return difficulty(self.position, self.evaluation)

    @property
    def stratum(self) -> tuple[str, int, int]:
        """What positions are drawn evenly over."""
        return self.phase, self.difficulty, self.position.turn


def dealt(played: Game, rng: random.Random) -> Board:
    """A uniform board, or obstacles at random where there is only one standard board."""
    if not played.fixed:
        return played.deal(rng)
    standard = played.parse_board(played.fixed)
    low, high = played.rules.LOW, played.rules.HIGH
    free = [cell for cell in range(standard.size) if cell not in standard.starts[1:]]
    blocked = set(rng.sample(free, rng.randint(*OBSTACLES)))
    return standard.with_cells(high if cell in blocked else low for cell in range(standard.size))


def played_games(
    played: Game, numbers: Iterable[int]
) -> Iterator[tuple[int, Board, list[Position]]]:
    """Games between bots of all levels but the slowest, each with its number."""
    levels = [level for level in LEVELS if level != "perfect"]
    for number in numbers:
        rng = random.Random(f"{SEED} {played.key} {number}")
        board = dealt(played, rng)
        bots = [bot(played, rng.choice(levels), f"{SEED} {number} {seat}") for seat in (1, 2)]
        first = rng.randint(1, 2) if played.coin_toss else 1
        positions = [start(played, board, first)]
        while not positions[-1].outcome and len(positions) <= MAX_PLIES:
            position = positions[-1]
            positions.append(position.play(bots[position.turn - 1].choose(position), board))
        yield number, board, positions


def candidates(played: Game, numbers: Iterable[int]) -> Iterator[Candidate]:
    """The positions of some games in which a mistake is possible, solved."""
    undecided = []
    for number, board, positions in played_games(played, numbers):
        length = len(positions) - 1
        for ply, position in enumerate(positions[:-1]):
            if len(position.legal) > 1:
                undecided.append((position, board, phase(ply, length), number))
    for (position, board, third, number), evaluation in zip(
        undecided, evaluations([each[0] for each in undecided]), strict=True
    ):
        if evaluation.exact and evaluation.is_decision:
            yield Candidate(position, evaluation, board, third, number)


def evaluations(positions: list[Position]) -> Iterator[Evaluation]:
    """What each position is worth: solved in bulk, or one by one where there is chance."""
    if positions[0].game.has_hidden_cells:
        for position in positions:
            yield evaluate(position, CHANCE)
        return
    solved = solve_positions(positions)
    for number, position in enumerate(positions):
        moves = []
        for action in position.legal:
            worth = int(solved.action_value[number, action])
            distance = int(solved.action_distance[number, action])
            assert worth != NOT_LEGAL
            level = "draw" if distance else "endless"
            value = {1: "win", -1: "loss"}.get(worth, level)
            moves.append(MoveValue(action, position.name(action), value, distance or None))
        best = Evaluation(tuple(moves)).best
        yield Evaluation(tuple(moves), best.value, best.distance)


class Selection:
    """Candidates, sorted into strata; nothing twice, and no board in two parts."""

    def __init__(self) -> None:
        self._positions: set[object] = set()
        self._parts: dict[object, str] = {}
        self.strata: dict[str, dict[tuple[str, int, int], list[Candidate]]] = {
            part: defaultdict(list) for part in PARTS
        }

    def add(self, candidate: Candidate) -> None:
        """Sort a candidate in, unless its like is there already."""
        key, board = canonical(candidate.position), canonical_board(candidate.true_board)
        if key in self._positions:
            return
        self._positions.add(key)
        part = self._parts.setdefault(board, PARTS[candidate.game_number % 2])
        self.strata[part][candidate.stratum].append(candidate)

    def drawn(self, part: str) -> list[Candidate]:
        """One from each stratum in turn, rarest kinds first, until there are enough."""
        rng = random.Random(f"{SEED} {part}")
        piles = [list(pile) for _, pile in sorted(self.strata[part].items())]
        for pile in piles:
            rng.shuffle(pile)
        chosen: list[Candidate] = []
        from_game: dict[int, int] = defaultdict(int)
        while any(piles) and len(chosen) < EACH:
            for pile in piles:
                while pile:
                    each = pile.pop()
                    if from_game[each.game_number] < FROM_A_GAME:
                        from_game[each.game_number] += 1
                        chosen.append(each)
                        break
        return chosen[:EACH]


def make(played: Game) -> list[SuiteRow]:
    """The rows of a game's suite."""
    selection = Selection()
    for number in range(ROUNDS):
        for candidate in candidates(played, range(number * ROUND, (number + 1) * ROUND)):
            selection.add(candidate)
        counts = [len(selection.drawn(part)) for part in PARTS]
        print(f"{played.key}: {(number + 1) * ROUND} games, {counts}", file=sys.stderr, flush=True)
        if number >= 4 and min(counts) == EACH:
            break
    rows: list[SuiteRow] = []
    for part in PARTS:
        for each in selection.drawn(part):
            rows.append(as_row(each, part, len(rows) + 1))
    return rows


def as_row(candidate: Candidate, part: str, number: int) -> SuiteRow:
    """A candidate as it is stored; the board has only what has been revealed."""
    position, played = candidate.position, candidate.position.game
    return SuiteRow(
        id=f"{played.key}-{VERSION}-{number:04}",
        game=played,
        board=played.board_text(position.board),
        first=position.first,
        moves=tuple(position.moves),
        part=part,
        phase=candidate.phase,
        difficulty=candidate.difficulty,
        worth=tuple(written_worth(move) for move in candidate.evaluation.moves),
    )


def written_worth(move: MoveValue) -> str | float:
    """A move's worth as it is stored: `W5` for a win in 5 plies, or a chance of winning."""
    if move.win is not None:
        return round(move.win, 9)
    return f"{str(move.value)[0].upper()}{move.distance or ''}"


def write_suite(rows: Sequence[SuiteRow]) -> bytes:
    """The file of a suite: the same bytes for the same rows."""
    lines = []
    for row in rows:
        data = {
            name: getattr(row, name)
            for name in ("id", "board", "first", "part", "phase", "difficulty")
        }
        data |= {"moves": " ".join(row.moves), "worth": list(row.worth)}
        lines.append(json.dumps(data, separators=(",", ":")))
    return gzip.compress("\n".join(lines).encode(), mtime=0)
