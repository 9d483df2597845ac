"""Finding puzzles: `python -m research.puzzles` fills the books with them.

Two bots that make mistakes play, and each position is tried. It becomes a puzzle if exactly one
move wins, there are at least three moves to find, and they are not to be found by looking alone:

- at each of the first two moves the casual bot goes wrong in a good share of its tries, and at the
  first one in more than one way;
- the strong bot, which rarely makes a mistake, makes one in at least one of ten runs: whoever just
  takes what looks best does not solve it (where cells are face down it counts better than people,
  and the casual bot stands in for it);
- what is left after the last such move is short: nobody is asked to walk home.

How hard it is, is measured: two bots play it many times, each time until their first mistake.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Player, Position, start
from gridwise.engine.bots import bot
from gridwise.engine.compiled.kernels import interpreted
from gridwise.engine.deals import deal
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.engine.lines import best_line
from gridwise.engine.lookahead import careful_actions, choose_move, result_after
from gridwise.engine.puzzles import (
    Puzzle,
    PuzzleLine,
    Step,
    is_won,
    start_line,
    step_text,
    true_board,
)
from gridwise.engine.ugi.position_text import position_text
from gridwise.errors import BadBoard

CHOICES = 3  # cells to choose from, at least: with two anybody is right half of the time
BOTS = ("novice", "casual")
# Where cells are face down these win so fast that three moves are never left to find.
SLOW_BOTS = ("random",)
MOST_PLIES = 30  # of the game in which a puzzle is found
MOST_STEPS = 30  # of one puzzle, whatever is played
FEWEST_MOVES, MOST_MOVES = 3, 9  # to find
TRIES = 100  # of the casual bot, at each move
TEMPTED = 0.2  # the share of them that go wrong at a move that is a puzzle
PLAUSIBLE = 0.05  # the share that a wrong move is chosen in
WAYS = 2  # to go wrong at the first move
LONGEST_END = 2  # moves after the last one that tempts
RUNS = 200  # of each bot, to see how hard the whole of it is
MOST_SOLVED = 0.9  # the share of them without a mistake
THOROUGH = Limits(nodes=2_000_000)
# Where there is chance: enough when the end is near, and how far to go to be exact.
NEAR, MOST_NODES = 20_000, 200_000
# Cells face down: with more nothing is certain for three moves, with fewer the highest is right.
FEWEST_HIDDEN, MOST_HIDDEN = 2, 7
FEWEST_POINTS = 9  # that are still needed then: with fewer two claims do
# One in hundreds of games has such a puzzle. The same moves on a board with a few other numbers
# often are one too: so many are tried, and so many taken.
CHANGED_CELLS, MOST_VARIATIONS, VARIATIONS = 6, 300, 3

# Ratings: what a bot that plays a puzzle through in half of its runs is rated as. The strong one
# is placed so that, on average over the games, both say the same of a puzzle.
ANCHORS = {"strong": 1200, "casual": 1000}
# For each move to find beyond three, and for each way to go wrong beyond two.
PER_MOVE, PER_WAY = 20, 10


class _NotAPuzzle(Exception):
    """The position is no puzzle, or no good one."""


def puzzles_in_a_game(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """The puzzles along one game between two bots that make mistakes."""
    board = _shuffled_board(game, rng) if game.fixed else deal(game, rng, "fair")
    levels = SLOW_BOTS if game.has_hidden_cells else BOTS
    players = [bot(game, rng.choice(levels), rng.random().hex()) for _ in range(2)]
    position = start(game, board, 1 + int(rng.random() * 2) if game.coin_toss else 1)
    while not position.outcome and len(position.history) < MOST_PLIES:
        puzzle = puzzle_from(position)
        if puzzle:
            yield puzzle
        position = position.play(players[position.turn - 1].choose(position), board)


def variations(puzzle: Puzzle, rng: random.Random) -> Iterator[Puzzle]:
    """Puzzles by the same moves on boards that differ in some cells, and variations of those."""
    known = [puzzle]
    for _ in range(MOST_VARIATIONS):
        origin = rng.choice(known).position
        cells = list(true_board(origin).cells)
        rules = origin.game.rules
        for cell in rng.sample(range(len(cells)), CHANGED_CELLS):
            cells[cell] = rng.randint(rules.LOW, rules.HIGH)
        board = origin.board.with_cells(cells)
        varied = start(origin.game, board, origin.first)
        for action in origin.history:
            varied = varied if varied.outcome else varied.play(action, board)
        found = None if varied.outcome else puzzle_from(varied)
        if found:
            known.append(found)
            yield found
        if len(known) > VARIATIONS:
            break


def _shuffled_board(game: Game, rng: random.Random) -> Board:
    """The cells of a game's one board in another order: the board itself has too few positions."""
    fixed = game.parse_board(game.fixed)
    while True:
        cells = list(fixed.cells)
        rng.shuffle(cells)
        with suppress(BadBoard):
            return game.check_board(fixed.with_cells(cells))


def puzzle_from(position: Position) -> Puzzle | None:
    """The position as a puzzle, if it is one."""
    cells = {position.target(action) for action in position.legal}
    if len(cells) < CHOICES or not _may_be_certain(position):
        return None
    evaluation = _evaluated(position, most=NEAR)
    best = evaluation.best
    if not evaluation.exact or not is_won(best) or len(evaluation.optimal) != 1:
        return None
    try:
        steps = steps_from(position)
        _check_length(steps)
        # Most fail here, before all is measured.
        if _Temptation(position, {best.action}).ways < WAYS:
            return None
        puzzle = Puzzle(position, 0, tuple(map(step_text, steps)))
        return puzzle._replace(rating=measured_rating(puzzle))
    except _NotAPuzzle:
        return None


def _may_be_certain(position: Position) -> bool:
    """Whether it is likely at all that a line is certain, where there are hidden cells."""
    if not position.game.has_hidden_cells:
        return True
    needed = position.board.target - (position.scores or (0, 0))[position.turn - 1]
    hidden = position.hidden.bit_count()
    return FEWEST_HIDDEN <= hidden <= MOST_HIDDEN and needed >= FEWEST_POINTS


# What tempts, and how hard it is


class _Temptation:
    """How the casual bot does at one move."""

    def __init__(self, position: Position, right: set[int]) -> None:
        player = _bot(position, "casual")
        chosen = Counter(player.choose(position) for _ in range(TRIES))
        wrong = {action: count for action, count in chosen.items() if action not in right}
        self.share = sum(wrong.values()) / TRIES  # of its tries that go wrong
        tempted = self.share >= TEMPTED
        self.ways = tempted * sum(count >= PLAUSIBLE * TRIES for count in wrong.values())


def temptations(puzzle: Puzzle) -> list[_Temptation]:
    """How the casual bot does at each move of the fastest solution."""
    line, found = start_line(puzzle), []
    while not line.is_solved:
        right = {action for action in line.position.legal if line.is_right(action)}
        found.append(_Temptation(line.position, right))
        line = line.after(line.step.solution.action).after_answers()
    return found


def measured_rating(puzzle: Puzzle) -> int:
    """How hard a puzzle is, as a rating; raises _NotAPuzzle if it is none worth solving.

    A bot that plays it through in half of its runs is rated as high as the puzzle; one that does so
    in one of eleven is 400 below, as everywhere with such ratings.
    """
    shares = {}
    for level in ("casual",) if puzzle.position.game.has_hidden_cells else ANCHORS:
        shares[level] = share_played_through(puzzle, level)
        if shares[level] > MOST_SOLVED:
            raise _NotAPuzzle
    tempting = temptations(puzzle)
    first, second, *_ = (each.ways for each in tempting)
    end = next(count for count, each in enumerate(reversed(tempting)) if each.ways)
    # Where cells are face down nothing is certain for three moves but by counting: one must do.
    if first < WAYS or end > LONGEST_END or not (second or puzzle.position.game.has_hidden_cells):
        raise _NotAPuzzle
    ratings = [
        ANCHORS[each] + 400 * math.log10((1 - shares[each]) / shares[each]) for each in shares
    ]
    ways = sum(each.ways for each in tempting)
    longer = PER_MOVE * (len(tempting) - FEWEST_MOVES) + PER_WAY * (ways - WAYS)
    return round(sum(ratings) / len(ratings) + longer)


def share_played_through(puzzle: Puzzle, level: str) -> float:
    """The share of a bot's runs in which it makes no mistake; never quite none or all."""
    player, line = _bot(puzzle.position, level), start_line(puzzle)
    return (sum(_plays_through(line, player) for _ in range(RUNS)) + 0.5) / (RUNS + 1)


def _plays_through(line: PuzzleLine, player: Player) -> bool:
    while not line.is_solved:
        action = player.choose(line.position)
        if not line.is_right(action):
            return False
        line = line.after(action).after_answers()
    return True


@cache
def remember_what_bots_see(game: Game) -> None:
    """Let the bots of a game look ahead once only where they choose a hundred times.

    What comes of a move is the same every time; what they overlook is not.
    """
    look = lru_cache(maxsize=1 << 14)(interpreted(game, result_after))
    for function in (choose_move, careful_actions):
        interpreted(game, function).__globals__["result_after"] = look


def _bot(position: Position, level: str) -> Player:
    """A bot whose seed is the position: whoever measures it again finds the same."""
    remember_what_bots_see(position.game)
    return bot(position.game, level, f"{position_text(position)} {' '.join(position.moves)}")


# Everything that can happen


def steps_from(position: Position) -> list[Step]:
    """All steps of the line that begins at a position; raises _NotAPuzzle if there are too many."""
    return _Exploration(position).steps()


class _Exploration:
    """Everything that can happen in a puzzle while its solver makes no mistake."""

    def __init__(self, position: Position) -> None:
        self._solver = position.turn
        self._true_board = true_board(position)
        self._numbers = {position.key: 0}
        self._positions = [position]

    def steps(self) -> list[Step]:
        """All steps, in the order in which they are come upon."""
        found: list[Step] = []
        while len(found) < len(self._positions):
            if len(self._positions) > MOST_STEPS:
                raise _NotAPuzzle
            found.append(self._step(self._positions[len(found)], first=not found))
        return found

    def _step(self, position: Position, *, first: bool) -> Step:
        evaluation = _evaluated(position)
        if not evaluation.exact or not is_won(evaluation.best):
            raise _NotAPuzzle
        answers: dict[int, tuple[int, ...]] = {}
        following: dict[int, int] = {}
        for move in evaluation.moves:
            if not is_won(move):
                to_the_end = first and move.value == "loss"
                answers[move.action] = self._refutation(position, move.action, to_the_end)
                continue
            after, played = position.play(move.action, self._true_board), []
            while not after.outcome and after.turn != self._solver:
                played.append(best_defence(after))
                after = after.play(played[-1], self._true_board)
            answers[move.action] = tuple(played)
            if not after.outcome:
                following[move.action] = self._number(after)
        return Step(evaluation, answers, following)

    def _number(self, position: Position) -> int:
        if position.key not in self._numbers:
            self._numbers[position.key] = len(self._positions)
            self._positions.append(position)
        return self._numbers[position.key]

    def _refutation(self, position: Position, action: int, to_the_end: bool) -> tuple[int, ...]:
        """The best answer to a wrong move; none if it ends the game or turns up cells."""
        if position.reveals(action):
            return ()
        after = position.play(action)
        if to_the_end:
            return best_line(after)
        return () if after.outcome or after.turn == self._solver else (best_defence(after),)


def _check_length(steps: Sequence[Step]) -> None:
    """Raise _NotAPuzzle if there are too few or too many moves to find on the fastest way."""
    number, length = 0, 1
    while steps[number].solution.action in steps[number].following and length <= MOST_MOVES:
        number, length = steps[number].following[steps[number].solution.action], length + 1
    if not FEWEST_MOVES <= length <= MOST_MOVES or length != _fewest_moves(steps):
        raise _NotAPuzzle


def _fewest_moves(steps: Sequence[Step]) -> int:
    """How many moves it takes at least, by trying all; where there is chance no search says."""
    lengths, reached = {0: 1}, [0]
    for number in reached:
        step = steps[number]
        for action in (move.action for move in step.evaluation.moves if is_won(move)):
            then = step.following.get(action)
            if then is None:
                return lengths[number]
            if then not in lengths:
                lengths[then] = lengths[number] + 1
                reached.append(then)
    raise _NotAPuzzle


def best_defence(position: Position) -> int:
    """The move that holds out longest; where no length is known, the one that looks best."""
    evaluation = _evaluated(position)
    if evaluation.distance is not None:
        return evaluation.best.action
    best = (move.action for move in evaluation.best_moves)
    return max(best, key=position.heuristic_score)


def _evaluated(position: Position, most: int = MOST_NODES) -> Evaluation:
    """What the moves are worth; where there is chance, exactly if that takes no more nodes."""
    if not position.game.has_hidden_cells:
        return evaluate(position, THOROUGH)
    nodes = NEAR
    evaluation = evaluate(position, Limits(nodes=nodes))
    while not evaluation.exact and nodes < most:
        nodes *= 10
        evaluation = evaluate(position, Limits(nodes=nodes))
    return evaluation
