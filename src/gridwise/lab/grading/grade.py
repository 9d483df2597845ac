"""Grading: how good a player is, measured by games or on a suite, and by exact play.

    import gridwise
    print(gridwise.grade("casual", "number-connect", games=200, seed=1))

Each board is played twice, with sides swapped, and a pair is one measurement. Then every move the
player made is compared with the best one. *Regret* is what the best move is worth minus what the
chosen one is, where a win is 1, a loss 0, a draw and an endless game a half. Only decisions count:
moves where a mistake was possible, each position once a game. An illegal move loses the game, and
with it all that the position was worth. Regret *a game* is what all moves of a game threw away, and
a win that was left standing; *progress* is how often a move in a won position lost no time. With
`suite` the player is given the positions of a suite instead, one move each, and the score is what
the chosen moves are worth.

Where nothing is hidden the value of a move is exact. Where cells are face down it is the chance of
winning, searched for with `effort` simulations a position: exact towards the end, sampled before.
Then a move counts as best if it is within two standard errors of the best, and the average of those
errors is reported. In suites all values are exact.

The same player, seed and numbers give the same report, on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits
from gridwise.errors import BadRequest, quoted
from gridwise.lab.grading.judge import GradedMove, Judge
from gridwise.lab.grading.policy import Policy, PolicyPlayer, policy_of
from gridwise.lab.grading.report import (
    Comparison,
    GradeReport,
    JudgedGame,
    difference,
    games_report,
    suite_report,
)
from gridwise.lab.paired_games import Contestants, PairedGame, paired_deals, play_paired_games
from gridwise.lab.report.row_files import FilePath
from gridwise.lab.run import Executor, Task, results_in_order
from gridwise.lab.store import JSON, ResultStore
from gridwise.lab.suites import Suite, SuiteRow
from gridwise.lab.suites import suite as suite_of
from gridwise.play.boards import STANDARD, BoardOptions, BoardSource, board_source
from gridwise.players.batch_player import (
    CONCURRENCY,
    AnyPlayer,
    BatchPlayer,
    PositionGames,
    batch_player,
    name_of,
)
from gridwise.show.progress import Progress

__all__ = ["EFFORT", "OPPONENT", "GradeReport", "grade"]

EFFORT = 2_000  # simulations a position: some 10 ms
OPPONENT = "random"

# A game between bots is played and judged in 5 to 20 ms, in Grid Conquest in 100.
GAMES_BLOCK, HIDDEN_BLOCK, ANSWERS_BLOCK = 100, 20, 200


class GradeConditions(NamedTuple):
    """On which boards a player is graded; everything but the players that a game depends on."""

    boards: BoardSource
    seed: int
    effort: int

    def about(self, names: tuple[str, str]) -> dict[str, JSON]:
        """What the games between two players depend on besides the game and the seed."""
        return {"agent": names[0], "opponent": names[1], "boards": self.boards.about()}

    def judged_games(
        self, players: Contestants, games: int, first: int = 0, store: ResultStore | None = None
    ) -> Iterator[JudgedGame]:
        """Play games, from number `first` on, and say what each of the agent's moves was worth."""
        judge = Judge(Limits(nodes=self.effort) if self.boards.game.has_hidden_cells else Limits())
        for each in play_paired_games(
            self.boards, players, games, self.seed, first=first, store=store
        ):
            length = len(each.positions) - 1
            rows = judge.judge_game(each.choices, length, str(each.number), each.pair)
            yield JudgedGame(each, rows)


def grade(
    agent: AnyPlayer,
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    *,
    opponent: AnyPlayer = OPPONENT,
    suite: Suite | str | None = None,
    chances: bool = False,
    batch: bool = False,
    concurrency: int = CONCURRENCY,
    effort: int = EFFORT,
    checkpoint: FilePath | None = None,
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
    **boards: Unpack[BoardOptions],
) -> GradeReport:
    """Play a number of games, in pairs, or answer a suite, and report how the agent did.

    `gridwise.players.batch_player` says what an agent can be; `batch` says that it is a function of
    many observations at once, and an `async` one is asked about `concurrency` games together.
    Boards are dealt uniformly, of the standard size, unless `board`, `boards`, `size`, `target`,
    `handicap` or `deal` say otherwise, as for environments (`play.boards`). The first one is that
    of `Match(game, seed=seed)`. `suite` is `"train"`, `"test"`, or a Suite.

    With `chances` the agent is a function of a Position that returns the chance of each move, by
    number or by text. On a suite every figure is then what can be expected, exactly, and so it is
    for the random bot; in games a stream of each game's own draws the moves.

    `checkpoint` is a file in which every move is kept as it is made: after an error or a kill, the
    same call goes on from there. `progress` is called with the number of games or positions that
    are done; without it a line counts them at a terminal, once two seconds have passed.

    With an `executor` (`gridwise.lab.run`) players that are given by name play in blocks, on
    several processes or on a cluster, and the checkpoint has a block at a time. Each block starts
    its players anew. Bots are fresh in every game anyway, so the report is the same, to the digit,
    as that of one process; a program that remembers earlier games may play differently.
    """
    _check_names(boards)
    game = game_named(game) if isinstance(game, str) else game
    if suite is None and (games < 2 or games % 2):
        raise BadRequest(f"Games are played in pairs: their number is even, not {games}.")
    if effort < 1:
        raise BadRequest(f"`effort` is a number of simulations, at least 1, not {effort}.")
    run = _Run(game, seed, checkpoint, executor, progress)
    conditions = GradeConditions(board_source(game, **boards), seed, effort)
    if suite is not None and conditions.boards.variant != STANDARD:
        raise BadRequest("A suite has boards of its own: leave the options for boards out.")
    policy = policy_of(agent, chances=chances)
    if executor:
        if not (isinstance(agent, str) and isinstance(opponent, str)) or isinstance(suite, Suite):
            raise BadRequest("Workers need players and suites that are given by name.")
        if suite is None:
            return run.games_by_workers(conditions, (agent, opponent), games)
        if not policy:
            return run.answers_by_workers(agent, suite)
    if isinstance(agent, str) or not policy:
        asked = batch_player(agent, game, seed, batched=batch, concurrency=concurrency)
    else:
        asked = PolicyPlayer(policy, name_of(agent))
    with closing(asked) as graded:
        if suite is not None:
            part = suite_of(game).part(suite) if isinstance(suite, str) else suite
            return run.answers(graded, part, policy)
        with closing(batch_player(opponent, game, seed + 1, concurrency=concurrency)) as other:
            return run.games(conditions, (graded, other), games)


def _check_names(boards: Iterable[str]) -> None:
    """Raise BadRequest if one is no option of `grade`."""
    for name in boards:
        if name not in BoardOptions.__annotations__:
            others = list(signature(grade).parameters)[:-1]
            known = ", ".join([*others, *BoardOptions.__annotations__])
            raise BadRequest(f"grade has no option {quoted(name)}. There are {known}.")


class _Run(NamedTuple):
    """Where a grading is kept, and who counts and does the work: this process without executor."""

    game: Game
    seed: int
    checkpoint: FilePath | None
    executor: Executor | None
    progress: Callable[[int], None] | None

    @contextmanager
    def begun(
        self, total: int, **about: JSON
    ) -> Iterator[tuple[ResultStore, Callable[[int], None]]]:
        """The store of the run, and what counts up to a total."""
        title = f"Grading at {self.game.title}{', in blocks' if self.executor else ''}"
        about = {"run": "grade", "game": self.game.key, "seed": self.seed, **about}
        with (
            ResultStore(self.checkpoint, about) as store,
            closing(Progress(title, total)) as line,
        ):
            yield store, self.progress or line

    def blocks(self, tasks: Sequence[Task], **about: JSON) -> list[Any]:
        """The results of workers."""
        assert self.executor
        with self.begun(len(tasks), **about) as (store, count):
            return results_in_order(tasks, self.executor, store, count)

    def games(self, conditions: GradeConditions, players: Contestants, games: int) -> GradeReport:
        """Grade by games."""
        names = players[0].name, players[1].name
        judged: list[JudgedGame] = []
        with self.begun(games, **conditions.about(names)) as (store, count):
            for game in conditions.judged_games(players, games, store=store):
                judged.append(game)
                count(len(judged))
        return games_report(names, conditions.boards, judged, self.seed, conditions.effort)

    def games_by_workers(
        self, conditions: GradeConditions, names: tuple[str, str], games: int
    ) -> GradeReport:
        """Grade by games that workers play in blocks."""
        size = HIDDEN_BLOCK if self.game.has_hidden_cells else GAMES_BLOCK
        tasks = []
        for first in range(0, games, size):
            count = min(size, games - first)
            arguments = {
                "conditions": conditions,
                "names": names,
                "first": first,
                "games": count,
            }
            key = f"games-{first}-{count}-effort-{conditions.effort}"
            tasks.append(Task(key, grade_games, arguments))
        blocks = self.blocks(tasks, **conditions.about(names))
        one, two = blocks[0]["names"]
        judged = list(_read_games(conditions, blocks))
        return games_report((one, two), conditions.boards, judged, self.seed, conditions.effort)

    def answers(
        self, graded: BatchPlayer, suite: Suite, policy: Policy | None = None
    ) -> GradeReport:
        """Grade on a suite: ask for a move in each position that the checkpoint has not."""
        if suite.game is not self.game:
            raise BadRequest(f"The suite is of {suite.game.title}, not of {self.game.title}.")
        if policy:
            expected = [policy(row.position) for row in suite]
            return suite_report(suite, expected, graded.name, self.seed)
        keys = [f"answer-{row.id}" for row in suite]
        with self.begun(len(suite), agent=graded.name, suite=suite.label) as (store, count):
            waiting = [row for key, row in zip(keys, suite, strict=True) if key not in store]
            answered = _answers(graded, waiting, self.seed)
            for done, (row, action) in enumerate(answered, len(suite) - len(waiting) + 1):
                store.put(f"answer-{row.id}", action)
                count(done)
            return suite_report(suite, list(map(store.get, keys)), graded.name, self.seed)

    def answers_by_workers(self, agent: str, part: str) -> GradeReport:
        """Grade on a part of the suite, which workers answer in blocks."""
        suite = suite_of(self.game).part(part)
        arguments = {"agent": agent, "game": self.game.key, "part": part, "seed": self.seed}
        tasks = [
            Task(f"answers-{first}", answer_rows, arguments | {"first": first})
            for first in range(0, len(suite), ANSWERS_BLOCK)
        ]
        blocks = self.blocks(tasks, agent=agent, suite=suite.label)
        actions = [action for block in blocks for action in block["actions"]]
        return suite_report(suite, actions, blocks[0]["name"], self.seed)


# What workers do


def grade_games(
    conditions: GradeConditions, names: tuple[str, str], first: int, games: int
) -> dict[str, Any]:
    """Play and judge a block of games: actions and rows of each, and the names of the players."""
    game, seed = conditions.boards.game, conditions.seed
    with (
        closing(batch_player(names[0], game, seed)) as one,
        closing(batch_player(names[1], game, seed + 1)) as two,
    ):
        finished = [
            {"rows": [asdict(row) for row in each.rows], "actions": each.played.actions}
            for each in conditions.judged_games((one, two), games, first)
        ]
        return {"names": [one.name, two.name], "games": finished}


def _read_games(conditions: GradeConditions, blocks: list[dict[str, Any]]) -> Iterator[JudgedGame]:
    """The games of all blocks, in order, with their rows."""
    deals = paired_deals(conditions.boards, conditions.seed)
    kept = (each for block in blocks for each in block["games"])
    for number, (each, dealt) in enumerate(zip(kept, deals, strict=False)):
        played = PairedGame(number, dealt.true_board, [dealt.position])
        for action in each["actions"]:
            played.move(action)
        yield JudgedGame(played, [_read_row(row) for row in each["rows"]])


def _read_row(row: dict[str, Any]) -> GradedMove:
    values = tuple((move, points) for move, points in row["values"])
    return GradedMove(
        **(row | {"moves": tuple(row["moves"]), "best": tuple(row["best"]), "values": values})
    )


def _answers(
    graded: BatchPlayer, rows: Sequence[SuiteRow], seed: int
) -> Iterator[tuple[SuiteRow, int]]:
    """The player's action in each position, as they come: as many at once as it likes."""
    for begin in range(0, len(rows), graded.at_once):
        group = dict(enumerate(rows[begin : begin + graded.at_once], begin))
        positions = {number: row.position for number, row in group.items()}
        for number, row in group.items():
            graded.begin(number, f"{seed} {row.id}")
        for number, action in graded.answers(PositionGames(positions), list(positions)):
            yield group[number], action


def answer_rows(agent: str, game: str, part: str, seed: int, first: int) -> dict[str, Any]:
    """Answer a block of positions of a suite: the actions, and the player's name."""
    played = game_named(game)
    rows = list(suite_of(played).part(part))[first : first + ANSWERS_BLOCK]
    with closing(batch_player(agent, played, seed)) as graded:
        chosen = {row.id: action for row, action in _answers(graded, rows, seed)}
        return {"name": graded.name, "actions": [chosen[row.id] for row in rows]}


# Two players


def compare(
    one: AnyPlayer,
    two: AnyPlayer,
    game: Game | str,
    *,
    checkpoint: FilePath | None = None,
    **options: Any,  # noqa: ANN401 - those of `grade`
) -> Comparison:
    """Grade two players on the same boards; the options are those of `grade`.

    The second has a checkpoint of its own, beside the first's: `FILE-compared`.
    """
    beside = None
    if checkpoint is not None:
        path = Path(checkpoint)
        beside = path.with_name(f"{path.stem}-compared{path.suffix}")
    return difference(
        grade(one, game, checkpoint=checkpoint, **options),
        grade(two, game, checkpoint=beside, **options),
    )
