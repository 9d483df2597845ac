"""Suites: fixed sets of positions with the exact worth of every move, to measure players on.

    suite = gridwise.suite("number-run", "v1")
    for row in suite.part("test"):
        row.position, row.values       # a Position, and what each of its moves is worth

A suite never changes: a better one gets another version. In each position a mistake is possible.
The positions come from games between bots of all levels; `research.suites` made them, from a
seed, and docs/suites.md is their datasheet. No position is in both the train and the test part, nor
is its mirror image.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import Evaluation, MoveValue
from gridwise.errors import BadRequest, quoted
from gridwise.lab.grading.judge import PHASES
from gridwise.lab.report.row_files import FilePath, arrow, write_rows

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

VERSIONS = ("v1",)
PARTS = ("train", "test")
_LETTERS = {"W": "win", "D": "draw", "E": "endless", "L": "loss"}


@dataclass(frozen=True)
class SuiteRow:
    """One position of a suite."""

    id: str
    game: Game
    board: str
    first: int
    moves: tuple[str, ...]  # that led to the position
    part: str  # "train" or "test"
    phase: str  # "opening", "middle" or "end": thirds of the game it is from
    difficulty: int  # 1 to 5: how deep one must look, and how many moves are right
    worth: tuple[str | float, ...]  # of each move, in the order in which moves are shown

    @cached_property
    def position(self) -> Position:
        """The position itself."""
        return Position(self.game, self.board, first=self.first, moves=self.moves)

    @cached_property
    def evaluation(self) -> Evaluation:
        """What it and each of its moves are worth: exact, and nothing is searched."""
        moves = tuple(
            _move_value(action, self.position.name(action), worth, passes=self.game.passes)
            for action, worth in zip(self.position.legal, self.worth, strict=True)
        )
        best = Evaluation(moves).best
        return Evaluation(moves, best.value, best.distance, best.win)

    @property
    def values(self) -> dict[str, float]:
        """What each move is worth: 1 for a win, 0 for a loss, or the chance of winning."""
        return {each.move: each.points for each in self.evaluation.moves}

    @property
    def best_moves(self) -> list[str]:
        """The moves that keep the result."""
        return [each.move for each in self.evaluation.optimal]

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON has it, with the fields of `gridwise analyze`."""
        evaluation = self.evaluation
        return {
            "id": self.id,
            "game": self.game.key,
            "board": self.board,
            "first": self.first,
            "moves": list(self.moves),
            "to_move": self.position.turn,
            "part": self.part,
            "phase": self.phase,
            "difficulty": self.difficulty,
            "value": evaluation.value,
            "distance": evaluation.distance,
            "win": evaluation.win,
            "best": self.best_moves,
            "options": [
                {"move": m.move, "value": m.value, "distance": m.distance, "win": m.win}
                for m in evaluation.moves
            ],
        }


def _move_value(action: int, move: str, worth: str | float, *, passes: bool) -> MoveValue:
    if isinstance(worth, str):
        distance = int(worth[1:]) if len(worth) > 1 else None
        return MoveValue(action, move, _LETTERS[worth[0]], distance, passes=passes)
    return MoveValue(action, move, win=float(worth))


class Suite(Sequence[SuiteRow]):
    """The positions of a game's suite, or a part of them."""

    def __init__(self, game: Game, version: str, rows: Sequence[SuiteRow]) -> None:
        self.game, self.version = game, version
        self._rows = tuple(rows)

    def __repr__(self) -> str:
        return f"Suite({self.game.key!r}, {self.version!r}): {len(self)} positions"

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - an int gives a row, a slice a Suite
        rows = self._rows[index]
        return Suite(self.game, self.version, rows) if isinstance(index, slice) else rows

    def __iter__(self) -> Iterator[SuiteRow]:
        return iter(self._rows)

    @property
    def label(self) -> str:
        """The version, and the part if all rows are of one: `v1 test`."""
        parts = sorted({row.part for row in self._rows})
        return f"{self.version} {parts[0]}" if len(parts) == 1 else self.version

    @property
    def checksum(self) -> str:
        """Of the positions and what their moves are worth: the same figures need the same one."""
        rows = sorted((row.id, row.board, row.first, row.moves, row.worth) for row in self._rows)
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:12]

    def part(self, name: str) -> Suite:
        """The train or the test part."""
        if name not in PARTS:
            raise BadRequest(f"A suite has the parts {' and '.join(PARTS)}, not {quoted(name)}.")
        return self.where(lambda row: row.part == name)

    def where(self, wanted: Callable[[SuiteRow], bool]) -> Suite:
        """The rows for which a function says yes."""
        return Suite(self.game, self.version, [row for row in self._rows if wanted(row)])

    def sample(self, count: int, seed: int = 0) -> Suite:
        """A sample of the rows, balanced by phase, difficulty and player to move at every size.

        One after the other is taken from the group that the sample has too few of, as a group and
        by each of the three; the seed says who comes first in a group. A larger sample has all rows
        of a smaller one.
        """
        drawn = Stream(f"{seed} {self.game.key} {self.label}")
        groups: dict[tuple[object, ...], list[SuiteRow]] = defaultdict(list)
        for _, _, row in sorted((drawn.random(), row.id, row) for row in self._rows):
            groups[row.phase, row.difficulty, row.position.turn].append(row)
        traits = {group: [group, *enumerate(group)] for group in groups}
        sizes: Counter[object] = Counter()
        for group, rows in groups.items():
            sizes.update(dict.fromkeys(traits[group], len(rows)))
        taken: Counter[object] = Counter()
        chosen: list[SuiteRow] = []

        def missing(group: tuple[object, ...]) -> float:
            share = (len(chosen) + 1) / len(self)
            return sum(sizes[trait] * share - taken[trait] for trait in traits[group])

        while len(chosen) < min(count, len(self)):
            group = max((each for each, rows in groups.items() if rows), key=missing)
            chosen.append(groups[group].pop())
            taken.update(traits[group])
        return Suite(self.game, self.version, chosen)

    def rows(self) -> list[dict[str, Any]]:
        """The rows as plain data."""
        return [row.as_dict() for row in self._rows]

    def arrays(self) -> dict[str, Array]:
        """What learners need, one entry a position, all boards being of the standard size.

        `observation` and `action_mask` as environments hand them out; `action_value`, from 1 for a
        win to 0 for a loss and -1 where an action is not legal; `action_distance`, 0 where there is
        none; `best`, the actions that keep the result; and `to_move`, `value`, `phase` (0 to 2),
        `difficulty`, `is_test`.
        """
        import numpy as np  # noqa: PLC0415 - 0.1 s

        from gridwise.engine.observation import observation  # noqa: PLC0415 - as above

        count = len(self)
        seen = [observation(row.position) for row in self._rows]
        masks = np.stack([each["action_mask"] for each in seen]) if count else np.zeros((0, 0))
        value = np.full(masks.shape, -1, np.float32)
        distance = np.zeros(masks.shape, np.int16)
        best = np.zeros(masks.shape, np.bool_)
        for number, row in enumerate(self._rows):
            for move in row.evaluation.moves:
                value[number, move.action] = move.points
                distance[number, move.action] = move.distance or 0
            best[number, [move.action for move in row.evaluation.optimal]] = True
        return {
            "observation": np.stack([each["observation"] for each in seen]) if count else masks,
            "action_mask": masks,
            "action_value": value,
            "action_distance": distance,
            "best": best,
            "value": value.max(axis=1) if count else np.zeros(0, np.float32),
            "to_move": np.array([row.position.turn for row in self._rows], np.int8),
            "phase": np.array([PHASES.index(row.phase) for row in self._rows], np.int8),
            "difficulty": np.array([row.difficulty for row in self._rows], np.int8),
            "is_test": np.array([row.part == "test" for row in self._rows], np.bool_),
        }

    def to_pandas(self) -> Any:  # noqa: ANN401 - a DataFrame; pandas need not be there
        """A DataFrame; needs pandas."""
        try:
            import pandas as pd  # noqa: PLC0415 - only if it is there
        except ModuleNotFoundError:
            raise BadRequest("to_pandas needs pandas: pip install pandas") from None
        return pd.DataFrame(self.rows())

    def to_table(self) -> Any:  # noqa: ANN401 - a Table, as above
        """An Arrow table; needs pyarrow, which `gridwise[data]` brings."""
        return arrow().Table.from_pylist(self.rows())

    def write(self, path: FilePath) -> None:
        """Write the rows, to Parquet or JSON Lines by the file's name."""
        write_rows(path, self.rows())

    def clusters(self) -> dict[str, str]:
        """By id, what a row has in common with others that may be of the same game.

        Where all is seen that is the board. Where cells are face down it is the beginning: a row
        whose moves another's begin with, who is first being the same.
        """
        if not self.game.has_hidden_cells:
            return {row.id: row.board for row in self._rows}
        if not self._rows:
            return {}
        clusters: dict[str, str] = {}
        rows = sorted(self._rows, key=lambda row: (row.first, row.moves))
        shortest = rows[0]
        for row in rows:
            if (row.first, row.moves[: len(shortest.moves)]) != (shortest.first, shortest.moves):
                shortest = row
            clusters[row.id] = shortest.id
        return clusters


def suite(game: Game | str, version: str = VERSIONS[-1]) -> Suite:
    """The suite of a game."""
    played = game_named(game) if isinstance(game, str) else game
    if version not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise BadRequest(f"There is no version {quoted(version)} of the suites; there is {known}.")
    file = files("gridwise.lab").joinpath("suite_data", f"{played.key}-{version}.jsonl.gz")
    if not file.is_file():
        raise BadRequest(f"{played.title} has no suite.")
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    return Suite(played, version, [_read_row(played, json.loads(line)) for line in lines])


def _read_row(game: Game, data: dict[str, Any]) -> SuiteRow:
    moves, worth = tuple(data.pop("moves").split()), tuple(data.pop("worth"))
    return SuiteRow(game=game, moves=moves, worth=worth, **data)
