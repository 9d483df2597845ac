"""Grading: how good a player is, measured by games or on a suite, and by exact play.

    import gridwise
    print(gridwise.grade("casual", "number-connect", games=200, seed=1))

Each board is played twice, with sides swapped, and a pair is one measurement. Then every move the
player made is compared with the best one. *Loss* is as in `gridwise review`: what the best move is
worth minus what the chosen one is, where a win is 1, a loss 0, a draw and an endless game a half.
Only moves where a mistake was possible count. An illegal move loses the game, and with it all that
the position was worth. With `suite` the player is given the positions of a suite instead, one move
each, and the score is what the chosen moves are worth.

Where nothing is hidden the value of a move is exact. Where cells are face down it is the chance of
winning, searched for with `effort` simulations a position: exact towards the end, sampled before.
Then a move counts as best if it is within two standard errors of the best, and the average of those
errors is reported. In suites all values are exact.

The same player, seed and numbers give the same report, on every machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gridwise.arena.boards import Size, board_template
from gridwise.arena.executors import JSON, Executor, ResultFolder, Task, run_tasks
from gridwise.arena.grades.blocks import (
    Contest,
    answer_tasks,
    game_rows,
    game_tasks,
    judge_of,
    read_games,
)
from gridwise.arena.grades.checkpoint import Checkpoint
from gridwise.arena.grades.graded_moves import Judge
from gridwise.arena.grades.report import Report
from gridwise.arena.grades.table_files import FilePath
from gridwise.arena.grades.totals import Answers, JudgedGame, games_report, suite_report
from gridwise.arena.paired_games import play_paired_games
from gridwise.arena.players import (
    CONCURRENCY,
    AnyPlayer,
    BatchPlayer,
    PositionGames,
    batch_player,
)
from gridwise.arena.suites import Suite, SuiteRow
from gridwise.arena.suites import suite as suite_of
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits
from gridwise.errors import BadRequest
from gridwise.show.progress import Progress

__all__ = ["EFFORT", "OPPONENT", "Report", "grade"]

EFFORT = 2_000  # simulations a position: some 10 ms
OPPONENT = "random"

# The entries of a checkpoint.
_MOVE = {"game": int, "action": int}
_ANSWER = {"row": str, "action": int}


def grade(
    agent: AnyPlayer,
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    *,
    opponent: AnyPlayer = OPPONENT,
    suite: Suite | str | None = None,
    board: Board | str | None = None,
    size: Size = None,
    batch: bool = False,
    concurrency: int = CONCURRENCY,
    effort: int = EFFORT,
    checkpoint: FilePath | None = None,
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Report:
    """Play a number of games, in pairs, or answer a suite, and report how the agent did.

    `gridwise.arena.players` says what an agent can be; `batch` says that it is a function of many
    observations at once, and an `async` one is asked about `concurrency` games at the same time.
    Boards are dealt uniformly, of the standard size unless `board` or `size` says otherwise; the
    first one is that of `Match(game, seed=seed)`. `suite` is `"train"`, `"test"`, or a Suite.

    `checkpoint` is a file in which every move is kept as it is made: after an error or a kill, the
    same call goes on from there. `progress` is called with the number of games or positions that
    are done; without it a line counts them at a terminal, once two seconds have passed.

    With an `executor` (`gridwise.arena.executors`) players that are given by name play in blocks,
    on several processes or on a cluster; then `checkpoint` is a folder.
    """
    game = game_named(game) if isinstance(game, str) else game
    if suite is None and (games < 2 or games % 2):
        raise BadRequest(f"Games are played in pairs: their number is even, not {games}.")
    if effort < 1:
        raise BadRequest(f"`effort` is a number of simulations, at least 1, not {effort}.")
    judge = judge_of(game, effort)
    if executor:
        if not (isinstance(agent, str) and isinstance(opponent, str)) or isinstance(suite, Suite):
            raise BadRequest("Workers need players and suites that are given by name.")
        folder = None if checkpoint is None else Path(checkpoint)
        if suite is not None:
            return _suite_in_blocks(agent, game, suite, seed, folder, executor, progress)
        contest = Contest(agent, opponent, game, board_template(game, board, size), seed, effort)
        return _games_in_blocks(contest, games, folder, executor, progress)
    with closing(batch_player(agent, game, seed, batched=batch, concurrency=concurrency)) as graded:
        if suite is not None:
            answered = _answers(graded, game, suite, seed, checkpoint, progress)
            return suite_report(judge, graded.name, game, answered, seed)
        template = board_template(game, board, size)
        with closing(batch_player(opponent, game, seed + 1, concurrency=concurrency)) as other:
            about = {
                "checkpoint": 1,
                "game": game.key,
                "agent": graded.name,
                "opponent": other.name,
                "seed": seed,
                "board": game.board_text(template),
                "target": template.target,
            }
            if template.handicap:
                about["handicap"] = template.handicap
            with closing(Checkpoint(checkpoint, about, _MOVE)) as kept:
                both = graded, other
                played = list(_played(judge, game, template, both, games, seed, kept, progress))
            names = graded.name, other.name
    return games_report(names, game, played, seed, effort)


# Games


def _played(
    judge: Judge,
    game: Game,
    template: Board,
    contestants: tuple[BatchPlayer, BatchPlayer],
    games: int,
    seed: int,
    kept: Checkpoint,
    progress: Callable[[int], None] | None,
) -> Iterator[JudgedGame]:
    """The games, those of a checkpoint among them."""
    before: dict[int, list[int]] = defaultdict(list)
    for entry in kept.entries:
        before[entry["game"]].append(entry["action"])
    with closing(Progress(f"Grading at {game.title}", games)) as line:
        for each in play_paired_games(
            *(game, template, contestants, games, seed),
            played=before,
            on_move=lambda number, action: kept.add({"game": number, "action": action}),
        ):
            yield JudgedGame(each, list(game_rows(judge, each)))
            (progress or line)(each.number + 1)


def _games_in_blocks(
    contest: Contest,
    games: int,
    folder: Path | None,
    executor: Executor,
    progress: Callable[[int], None] | None,
) -> Report:
    """The same by workers: each block of games is played and judged by one of them."""
    tasks, game = game_tasks(contest, games), contest.game
    blocks = _blocks(tasks, {"run": "grade", **contest.about()}, folder, executor, progress, game)
    judged = [JudgedGame(*each) for each in read_games(contest, blocks)]
    one, two = blocks[0]["names"]
    return games_report((one, two), game, judged, contest.seed, contest.effort)


def _blocks(
    tasks: Sequence[Task],
    about: dict[str, JSON],
    folder: Path | None,
    executor: Executor,
    progress: Callable[[int], None] | None,
    game: Game,
) -> list[Any]:
    """The results of all tasks, in their order."""
    with (
        ResultFolder(folder, about) as results,
        closing(Progress(f"Grading at {game.title}, in blocks", len(tasks))) as line,
    ):
        done = {t.key: found for t, found in run_tasks(tasks, executor, results, progress or line)}
    return [done[task.key] for task in tasks]


# Suites


def _answers(
    graded: BatchPlayer,
    game: Game,
    suite: Suite | str,
    seed: int,
    checkpoint: FilePath | None,
    progress: Callable[[int], None] | None,
) -> Answers:
    """Ask for a move in each position; those of a checkpoint are not asked for again."""
    rows = suite_of(game).part(suite) if isinstance(suite, str) else suite
    if rows.game is not game:
        raise BadRequest(f"The suite is of {rows.game.title}, not of {game.title}.")
    about = {
        "checkpoint": 1,
        "game": game.key,
        "agent": graded.name,
        "seed": seed,
        "suite": rows.label,
    }
    with (
        closing(Checkpoint(checkpoint, about, _ANSWER)) as kept,
        closing(Progress(f"Grading at {game.title}", len(rows))) as line,
    ):
        chosen: dict[str, int] = {entry["row"]: entry["action"] for entry in kept.entries}
        waiting = [row for row in rows if row.id not in chosen]
        for begin in range(0, len(waiting), graded.at_once):
            group = dict(enumerate(waiting[begin : begin + graded.at_once], begin))
            for row, action in _asked(graded, group, seed):
                chosen[row.id] = action
                kept.add({"row": row.id, "action": action})
            (progress or line)(len(chosen))
    return Answers(rows, [chosen[row.id] for row in rows])


def _suite_in_blocks(
    agent: str,
    game: Game,
    part: str,
    seed: int,
    folder: Path | None,
    executor: Executor,
    progress: Callable[[int], None] | None,
) -> Report:
    """The same by workers: each of them answers some of the positions."""
    rows = suite_of(game).part(part)
    tasks = answer_tasks(agent, game, part, seed, len(rows))
    about: dict[str, JSON] = {
        "run": "grade",
        "agent": agent,
        "game": game.key,
        "suite": rows.label,
        "seed": seed,
    }
    blocks = _blocks(tasks, about, folder, executor, progress, game)
    actions = [action for block in blocks for action in block["actions"]]
    answers = Answers(rows, actions)
    return suite_report(Judge(Limits()), blocks[0]["name"], game, answers, seed)


def _asked(
    graded: BatchPlayer, group: dict[int, SuiteRow], seed: int
) -> Iterator[tuple[SuiteRow, int]]:
    positions = {number: row.position for number, row in group.items()}
    for number, row in group.items():
        graded.begin(number, f"{seed} {row.id}")
    for number, action in graded.answers(PositionGames(positions), list(positions)):
        yield group[number], action


def score_answers(rows: Suite, actions: Sequence[int], agent: str) -> Report:
    """The report on a suite's positions and the actions chosen there, NO_ACTION for none."""
    return suite_report(Judge(Limits()), agent, rows.game, Answers(rows, list(actions)), 0)
