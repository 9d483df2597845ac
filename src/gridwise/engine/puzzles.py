"""Puzzles: positions with exactly one winning move, to be played until the game is won.

They are found ahead of time (`research/puzzles`, which searches and measures) and shipped as books:
the file `puzzles.txt` in the folder of each game. A line is a puzzle; its fields are separated by
`|`: how hard it is, as a rating, the board (as UGI writes positions), the moves that led to the
position, then the steps.

Whoever solves a puzzle needs no search: what every move is worth is written down, step by step. A
step is a position in which the solver is to move. It is kept as text, a word for each legal move,
in the order in which moves are shown:

    W5:12@2   wins in 5 plies; the best defence is action 12, and step 2 comes then
    L4:3      loses in 4 plies, to action 3 first; D draws, E does not force a win
    37:3      wins 37 % of the time, where cells are face down; 100 wins for certain

After `:` come the opponent's answers up to the solver's next turn, joined by commas; after a move
of the first step that loses, best play to the end of the game. Steps are a graph, not a tree: a
game may come to the same position in two ways, or go round in circles.

A PuzzleLine is a puzzle as it is played: somebody finds the moves, the opponent answers with the
best defence. The first move is the only one that wins. After it every move that still wins for
certain is right, however long it takes. In a game that can go round in circles it must also lead
somewhere new, unless it is the fastest win: so every line ends.
"""

from __future__ import annotations

import datetime as dt
import random
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.narration import Names, capitalized, count_of_moves, names_from, percent
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import Evaluation, MoveValue
from gridwise.engine.explain import reason_on_the_board, say
from gridwise.engine.hints import answers_to_find
from gridwise.engine.ugi.position_text import parse_position, position_text
from gridwise.errors import BadRequest

BOOK_VERSION = 2  # numbers of puzzles mean something else in books of another version
# The lowest rating of each level but the first.
BOUNDS = (1050, 1200, 1350, 1500)
HARDEST = len(BOUNDS) + 1
# The share of the puzzles of each level, in hundredths, that a casual bot plays through without a
# mistake, on average over the games.
SOLVED_BY_CASUAL = {1: 40, 2: 30, 3: 20, 4: 10, 5: 5}
START_RATING = 1100  # of a player who has solved none
NEAR_PUZZLES = 5  # from which the next one is taken
ARCHIVE_DAYS = 28
_VALUES = {"W": "win", "L": "loss", "D": "draw", "E": "endless"}
_LETTERS = {value: letter for letter, value in _VALUES.items()}


def level_line(level: int) -> str:
    """What a level means, in a line."""
    return f"A casual bot solves {SOLVED_BY_CASUAL[level]} % of these."


def level_of(rating: float) -> int:
    """The level of puzzles with that rating, from 1 to HARDEST."""
    return 1 + bisect_right(BOUNDS, rating)


class Step(NamedTuple):
    """What every move is worth in one position of a puzzle, and what follows."""

    evaluation: Evaluation
    answers: dict[int, tuple[int, ...]]  # to each move, up to the solver's next turn
    following: dict[int, int]  # the step after each winning move that does not end the game

    @property
    def solution(self) -> MoveValue:
        """The move that wins fastest."""
        return self.evaluation.best


class Puzzle(NamedTuple):
    """A position with one winning move; the steps from there on, the first one at that position."""

    position: Position
    rating: int  # how hard it is, as measured by the maker of the book
    steps: tuple[str, ...]
    number: int = 0  # in the book, among those of its game and difficulty

    @property
    def difficulty(self) -> int:
        """Its level, from 1 to HARDEST."""
        return level_of(self.rating)

    @property
    def address(self) -> PuzzleAddress:
        """Which one it is."""
        return PuzzleAddress(self.position.game.key, self.difficulty, self.number)

    @property
    def solution(self) -> MoveValue:
        """The winning move."""
        return self.step(0, self.position).solution

    def step(self, number: int, position: Position) -> Step:
        """One of the steps, whose position is known."""
        return parse_step(self.steps[number], position)


def is_won(move: MoveValue) -> bool:
    """Whether a move wins for certain."""
    return move.rank[0] == 1 and not move.error


def true_board(position: Position) -> Board:
    """The board of a puzzle: cells that nobody has seen are dealt, the same ones every time."""
    text = position.game.board_text(position.board)
    return position.game.deal_unknown(position.board, Stream(f"puzzle {text}"))


def step_text(step: Step) -> str:
    """A step as text."""
    return " ".join(_word(move, step) for move in step.evaluation.moves)


def _word(move: MoveValue, step: Step) -> str:
    answers, then = step.answers[move.action], step.following.get(move.action)
    written = ":" + ",".join(map(str, answers)) if answers else ""
    return _worth(move) + written + (f"@{then}" if then is not None else "")


def _worth(move: MoveValue) -> str:
    if move.win is not None:
        return "100" if is_won(move) else str(min(99, round(100 * move.win)))
    assert move.value, "puzzles are searched to their end"
    return _LETTERS[move.value] + str(move.distance or "")


def parse_step(text: str, position: Position) -> Step:
    """The step that `step_text` wrote."""
    moves: list[MoveValue] = []
    answers: dict[int, tuple[int, ...]] = {}
    following: dict[int, int] = {}
    for (action, name), word in zip(position.named_moves.items(), text.split(), strict=True):
        left, _, then = word.partition("@")
        worth, _, written = left.partition(":")
        moves.append(_parse_worth(worth, action, name))
        answers[action] = tuple(map(int, written.split(","))) if written else ()
        if then:
            following[action] = int(then)
    best = Evaluation(tuple(moves)).best
    evaluation = Evaluation(tuple(moves), best.value, best.distance, best.win)
    return Step(evaluation, answers, following)


def _parse_worth(worth: str, action: int, name: str) -> MoveValue:
    if worth.isdigit():
        return MoveValue(action, name, win=int(worth) / 100)
    return MoveValue(action, name, _VALUES[worth[0]], int(worth[1:]) if worth[1:] else None)


class PuzzleAddress(NamedTuple):
    """Which puzzle it is."""

    game: str
    difficulty: int
    number: int  # from 1 on

    def __str__(self) -> str:
        return f"{self.game}/{self.difficulty}/{self.number}"


@lru_cache(maxsize=64)
def _lines(game: Game) -> dict[int, tuple[str, ...]]:
    """The lines of a game's book, by difficulty."""
    lines: dict[int, list[str]] = {}
    for line in game.file("puzzles.txt").splitlines():
        if line and not line.startswith("#"):
            lines.setdefault(level_of(int(line.partition("|")[0])), []).append(line)
    return {difficulty: tuple(lines[difficulty]) for difficulty in sorted(lines)}


def levels(game: Game) -> tuple[int, ...]:
    """The difficulties that a game has puzzles of; none if it has no book."""
    return tuple(_lines(game))


def puzzle_count(game: Game, difficulty: int) -> int:
    """How many puzzles there are."""
    return len(_lines(game).get(difficulty, ()))


def nearest_level(game: Game, difficulty: int) -> int:
    """The difficulty that a game has and that comes closest; the easier of two.

    Raises BadRequest if it has none.
    """
    known = levels(game)
    if not known:
        raise BadRequest(f"There are no puzzles for {game.title}.")
    return min(known, key=lambda level: (abs(level - difficulty), level))


def puzzle_at(address: PuzzleAddress) -> Puzzle:
    """The puzzle with that address; numbers beyond the last start from the first again."""
    game = game_named(address.game)
    lines = _lines(game).get(address.difficulty, ())
    if not lines:
        known = " ".join(map(str, levels(game))) or "none"
        raise BadRequest(
            f"{game.title} has no puzzles of difficulty {address.difficulty}. It has: {known}."
        )
    number = (address.number - 1) % len(lines)
    return parse_puzzle(game, lines[number], number + 1)


def shuffled_puzzle(game: Game, difficulty: int, seed: int | str, turn: int) -> PuzzleAddress:
    """The puzzle whose turn it is when those of a difficulty come in an order of their own.

    Two in a row are never the same.
    """
    numbers = list(range(1, puzzle_count(game, difficulty) + 1))
    random.Random(f"gridwise puzzles {game.key} {difficulty} {seed}").shuffle(numbers)
    number = numbers[turn % len(numbers)] if numbers else 1
    return PuzzleAddress(game.key, difficulty, number)


def games_with_puzzles(difficulty: int | None = None) -> list[Game]:
    """The games that have puzzles, of a difficulty if one is asked for."""
    return [game for game in games() if levels(game) and difficulty in (None, *levels(game))]


def next_puzzle(
    among: Sequence[Game],
    asked: int,
    seed: int | str,
    difficulty: int | None = None,
    *,
    rating: float = START_RATING,
    done: Container[str] = (),
) -> Puzzle:
    """The puzzle after so many others: the games in turn, each near a player's rating.

    `done` are the addresses of those that the player has had; they come again when no others are
    left. With a difficulty all are of that one, or as near as the game has them.
    """
    turn, which = divmod(asked, len(among))
    if difficulty is None:
        return puzzle_at(puzzle_near(among[which], rating, done, f"{seed} {asked}"))
    level = nearest_level(among[which], difficulty)
    return puzzle_at(shuffled_puzzle(among[which], level, seed, turn))


@lru_cache(maxsize=64)
def _by_rating(game: Game) -> tuple[tuple[int, PuzzleAddress], ...]:
    """All puzzles of a game with their ratings, the easiest first."""
    return tuple(
        sorted(
            (int(line.partition("|")[0]), PuzzleAddress(game.key, level, number))
            for level, lines in _lines(game).items()
            for number, line in enumerate(lines, 1)
        )
    )


def puzzle_near(
    game: Game, rating: float, done: Container[str] = (), seed: int | str = ""
) -> PuzzleAddress:
    """One of the few puzzles that are closest to a rating, of those that are not done.

    Raises BadRequest if the game has none.
    """
    nearest_level(game, 1)
    known = _by_rating(game)
    left = [each for each in known if str(each[1]) not in done] or known
    near = sorted(left, key=lambda each: abs(each[0] - rating))[:NEAR_PUZZLES]
    return random.Random(f"gridwise puzzles {game.key} {seed}").choice(near)[1]


def puzzle_day() -> dt.date:
    """Which day's puzzle is today's: it changes at midnight UTC, for everybody at once."""
    return dt.datetime.now(dt.UTC).date()


def puzzle_of_the_day(day: dt.date) -> PuzzleAddress:
    """The games in turn, of the harder half of each, harder towards the end of the week.

    The same for everybody.
    """
    known = [game for game in games() if levels(game)]
    game = known[day.toordinal() % len(known)]
    harder = _by_rating(game)[len(_by_rating(game)) // 2 :]
    weekday, count = day.weekday(), len(harder)
    begin, end = count * weekday // 7, count * (weekday + 1) // 7
    of_weekday = harder[begin : max(begin + 1, end)]
    turn = day.toordinal() // (7 * len(known))
    return of_weekday[turn % len(of_weekday)][1]


def archive(today: dt.date) -> list[dt.date]:
    """The days before today whose puzzles are listed, the latest first."""
    return [today - dt.timedelta(days=back) for back in range(1, ARCHIVE_DAYS + 1)]


def check_day(day: dt.date, today: dt.date) -> None:
    """Raise BadRequest for a day whose puzzle is not out yet."""
    if day > today:
        raise BadRequest("That puzzle is not out yet: there is a new one every day at 00:00 UTC.")


def puzzle_line_text(puzzle: Puzzle) -> str:
    """A puzzle as a line of a book."""
    position = puzzle.position
    moves = " ".join(position.moves)
    return "|".join([str(puzzle.rating), position_text(position), moves, *puzzle.steps])


def parse_puzzle(game: Game, line: str, number: int = 0) -> Puzzle:
    """The puzzle that `puzzle_line_text` wrote."""
    rating, board, moves, *steps = line.split("|")
    position = parse_position(game, board, moves.split())
    return Puzzle(position, int(rating), tuple(steps), number)


class ExplainedMove(NamedTuple):
    """A move of the solution, and why it is played."""

    before: Position
    after: Position
    why: str


@dataclass(frozen=True)
class PuzzleLine:
    """How far a puzzle has been played, and with how much help."""

    puzzle: Puzzle
    true_board: Board  # cells that nobody has seen are dealt; what they are changes nothing
    positions: tuple[Position, ...]
    number: int = 0  # of the step that is next
    due: tuple[int, ...] = ()  # the opponent's answers that have not been played yet
    ruled_out: frozenset[int] = frozenset()  # wrong moves that were tried or named here
    clean: bool = True  # no wrong move and no hint so far

    @property
    def solver(self) -> int:
        """The player who is to win."""
        return self.puzzle.position.turn

    @property
    def names(self) -> Names:
        """What the players are called: the solver is you."""
        return names_from(self.solver)

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.positions[-1]

    @property
    def is_solved(self) -> bool:
        """Whether the game is won."""
        return self.position.outcome is not None

    @property
    def awaits_answer(self) -> bool:
        """Whether the other player is to move."""
        return bool(self.due)

    @property
    def is_open(self) -> bool:
        """Whether there is a move to find."""
        return not self.due and not self.is_solved

    @cached_property
    def step(self) -> Step:
        """What there is to find now."""
        assert self.is_open, "somebody has to be asked"
        return self.puzzle.step(self.number, self.position)

    def is_right(self, action: int) -> bool:
        """Whether a legal move wins for certain, as the line goes on."""
        return is_won(self.step.evaluation.move_value(action)) and not self._goes_back(action)

    def after(self, action: int) -> PuzzleLine:
        """The line after a right move."""
        return replace(
            self,
            positions=(*self.positions, self.position.play(action, self.true_board)),
            number=self.step.following.get(action, -1),
            due=self.step.answers[action],
            ruled_out=frozenset(),
        )

    def after_answer(self) -> PuzzleLine:
        """The line after the opponent's best defence."""
        after = self.position.play(self.due[0], self.true_board)
        return replace(self, positions=(*self.positions, after), due=self.due[1:])

    def after_answers(self) -> PuzzleLine:
        """The line when the opponent has nothing more to answer."""
        line = self
        while line.awaits_answer:
            line = line.after_answer()
        return line

    # Why a move is wrong, and what helps

    def why_not(self, action: int) -> tuple[PuzzleLine, str]:
        """The line after a move that is not right, and what is wrong with it."""
        if self._goes_back(action):
            move = self.position.name(action)
            return self, f"{move} still wins, but you have been there. Find a way forward."
        tried = replace(self, ruled_out=self.ruled_out | {action}, clean=False)
        return tried, self._refuted(self.step.evaluation.move_value(action))

    def refutation(self, action: int) -> tuple[Position, ...]:
        """The positions after a wrong move and after the best answer to it.

        None if the move would turn up cells: they are not to be seen for a move that is taken back.
        """
        line = self._after_wrong(action)
        seen = [number for number, each in enumerate(line) if each.turn == self.solver]
        return tuple(line[: seen[0] + 1] if seen else line)

    def _after_wrong(self, action: int) -> list[Position]:
        """The positions after a wrong move, as far as the book goes on."""
        if is_won(self.step.evaluation.move_value(action)) or self.position.reveals(action):
            return []
        positions = [self.position.play(action)]
        for answer in self.step.answers[action]:
            if positions[-1].reveals(answer):
                break
            positions.append(positions[-1].play(answer))
        return positions

    def hinted(self) -> tuple[PuzzleLine, str]:
        """A hint: one wrong move after the other, the most tempting first; then what is left."""
        moves, hinted = self.step.evaluation.moves, replace(self, clean=False)
        if all(map(is_won, moves)):
            return hinted, "Every move wins here."
        left = [each for each in moves if each.action not in self.ruled_out]
        wrong = [each for each in left if not is_won(each)]
        if len(wrong) < 2:
            return hinted, _what_is_left([each.move for each in left])
        tempting = max(wrong, key=self._temptation)
        named = replace(hinted, ruled_out=self.ruled_out | {tempting.action})
        return named, self._refuted(tempting)

    def _refuted(self, chosen: MoveValue) -> str:
        """Why a move does not win, and what can be seen of it on the board."""
        verdict = f"{capitalized(chosen.move)} {self._what_it_does(chosen)}."
        line = [self.position, *self._after_wrong(chosen.action)]
        return verdict + _reason(line, chosen.action, self.names, good=False)

    def _what_it_does(self, chosen: MoveValue) -> str:
        """What comes of a wrong move, as the end of a sentence."""
        if chosen.win == 0:
            return "loses if your opponent plays well"
        if chosen.win is not None:
            return f"wins only {percent(chosen.win)} of the time"
        what = {"loss": "loses", "draw": "only draws", "endless": "cannot force a win"}
        answers = self.step.answers[chosen.action]
        if not answers:
            return what[str(chosen.value)]
        answer = self.position.play(chosen.action).name(answers[0])
        return f"{what[str(chosen.value)]}: your opponent answers with {answer}"

    def _temptation(self, move: MoveValue) -> tuple[float, float]:
        """How good a move is, then how good it looks."""
        return move.rank[0], self.position.heuristic_score(move.action)

    def _goes_back(self, action: int) -> bool:
        if not self.position.game.cyclic:
            return False
        move = self.step.evaluation.move_value(action)
        if not is_won(move) or move in self.step.evaluation.best_moves:
            return False
        seen = {each.key for each in self.positions}
        return self.position.play(action, self.true_board).key in seen

    # The solution

    def explained(self) -> str:
        """The solution from here on, in a sentence or two."""
        solution, wins = self.step.solution, sum(map(is_won, self.step.evaluation.moves))
        length = f" (in {self._own_moves()})" if solution.distance else ""
        only = "Only " if wins == 1 else ""
        line = " ".join(each.before.name(each.after.history[-1]) for each in self.solution())
        return f"{only}{solution.move} wins{length}. Best play: {line}"

    def solution(self) -> list[ExplainedMove]:
        """The fastest win from here on, move by move, against the best defence."""
        lines = list(self._best_play())
        played = [line.position for line in lines]
        return [
            ExplainedMove(line.position, then.position, line.why(played[number:]))
            for number, (line, then) in enumerate(pairwise(lines))
        ]

    def why(self, played: Sequence[Position] = ()) -> str:
        """Why the next move of the solution is played; `played` is the solution, where known."""
        if not self.is_open:
            return self._why_this_answer()
        played = played or [line.position for line in self._best_play()]
        return self._why_this(_reason(played, played[1].history[-1], self.names, good=True))

    def _best_play(self) -> Iterator[PuzzleLine]:
        """The line now, and after each move of the fastest win against the best defence."""
        line = self
        while not line.is_solved:
            yield line
            line = line.after(line.step.solution.action) if line.is_open else line.after_answer()
        yield line

    def _own_moves(self) -> str:
        """How many moves of the solver's are left."""
        return count_of_moves(sum(line.is_open for line in self._best_play()))

    def _why_this(self, reason: str) -> str:
        """Why the solution's move is played, and the most tempting other one is not."""
        moves, best = self.step.evaluation.moves, self.step.solution
        wrong = [each for each in moves if not is_won(each)]
        if len(moves) == 1:
            return f"{capitalized(best.move)} is the only move there is.{reason}"
        how = f"wins in {self._own_moves()}" if best.distance else "wins for certain"
        how = "wins at once" if best.distance == 1 else how
        if not wrong:
            return f"{capitalized(best.move)} {how}.{reason} Every move wins here."
        wins = len(moves) - len(wrong)
        lead = f"Only {best.move}" if wins == 1 else capitalized(best.move)
        others = f" {wins} of {len(moves)} moves win." if wins > 1 else ""
        return f"{lead} {how}.{reason}{others} {self._refuted(max(wrong, key=self._temptation))}"

    def _why_this_answer(self) -> str:
        position, move = self.position, self.position.name(self.due[0])
        if len(position.legal) == 1:
            return f"{capitalized(move)} is forced."
        then, found = self.after_answer(), ""
        if then.is_open:
            moves = then.step.evaluation.moves
            wins = sum(map(is_won, moves))
            found = f": {answers_to_find(wins, len(moves))}" if wins < len(moves) else ""
        opponent = self.names[2 - self.solver]
        if position.game.has_hidden_cells:
            return f"{capitalized(opponent.possessive)} best try is {move}{found}."
        return f"{opponent.does('are')} lost, and {move} takes longest{found}."


def _reason(line: Sequence[Position], action: int, names: Names, *, good: bool) -> str:
    """What can be seen on the board for a move, or against it, as a sentence after another.

    `line` is the position before it, and best play from there. What it turns up is not looked at.
    """
    before = line[0]
    found = reason_on_the_board(line[:1] if before.hidden else line, action, good=good)
    return f" {capitalized(say(before.game, found, names))}" if found else ""


def _what_is_left(moves: list[str]) -> str:
    """The moves among which the right one is."""
    if len(moves) == 1:
        return f"Only {moves[0]} is left."
    return f"Only these are left: {', '.join(moves[:-1])} or {moves[-1]}."


def start_line(puzzle: Puzzle) -> PuzzleLine:
    """A puzzle before its first move."""
    return PuzzleLine(puzzle, true_board(puzzle.position), (puzzle.position,))
