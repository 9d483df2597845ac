"""Grading in blocks, for workers: some games played and judged, or some positions answered.

For players that have a name: bots, `ugi:COMMAND`, `python:MODULE:NAME`. Each block starts its
players anew. Bots are fresh in every game anyway, so the report is the same, to the digit, as that
of one process; a program that remembers earlier games may play differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import Any, NamedTuple

from gridwise.arena.executors import JSON, Task
from gridwise.arena.grades.difficulty import phase
from gridwise.arena.grades.graded_moves import GradedMove, Judge
from gridwise.arena.paired_games import PairedGame, paired_deals, play_paired_games
from gridwise.arena.players import PositionGames, batch_player
from gridwise.arena.suites import suite as suite_of
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits

# A game between bots is played and judged in 5 to 20 ms, in Grid Conquest in 100.
GAMES_BLOCK, HIDDEN_BLOCK, ANSWERS_BLOCK = 100, 20, 200


class Contest(NamedTuple):
    """Who plays what; everything that a block of games depends on."""

    agent: str
    opponent: str
    game: Game
    template: Board
    seed: int
    effort: int

    def about(self) -> dict[str, JSON]:
        """The contest as JSON."""
        return {
            "agent": self.agent,
            "opponent": self.opponent,
            "game": self.game.key,
            "template": {
                "rows": self.template.rows,
                "cols": self.template.cols,
                "cells": self.template.cells,
                "target": self.template.target,
                "handicap": self.template.handicap,
            },
            "seed": self.seed,
            "effort": self.effort,
        }


def judge_of(game: Game, effort: int) -> Judge:
    """What judges moves of a game."""
    return Judge(Limits(nodes=effort) if game.has_hidden_cells else Limits())


def game_rows(judge: Judge, played: PairedGame) -> Iterator[GradedMove]:
    """What each of the agent's moves in a game was worth."""
    length = len(played.positions) - 1
    for position, action in played.choices:
        third = phase(len(position.history), length)
        yield judge.judge(position, action, str(played.number), played.pair, third)


def game_tasks(contest: Contest, games: int) -> list[Task]:
    """The blocks of a grading by games."""
    size = HIDDEN_BLOCK if contest.game.has_hidden_cells else GAMES_BLOCK
    tasks = []
    for first in range(0, games, size):
        given: dict[str, JSON] = {
            **contest.about(),
            "first": first,
            "games": min(size, games - first),
        }
        function = "gridwise.arena.grades.blocks:grade_games"
        tasks.append(Task(f"games-{first}-{given['games']}", function, given))
    return tasks


def grade_games(
    agent: str,
    opponent: str,
    game: str,
    template: dict[str, Any],
    seed: int,
    effort: int,
    first: int,
    games: int,
) -> dict[str, Any]:
    """Play and judge a block of games: actions and rows of each, and the names of the players."""
    played = game_named(game)
    board = Board(**(template | {"cells": tuple(template["cells"])}))
    judge = judge_of(played, effort)
    actions: dict[int, list[int]] = {}

    def note(number: int, action: int) -> None:
        actions.setdefault(number, []).append(action)

    with (
        closing(batch_player(agent, played, seed)) as one,
        closing(batch_player(opponent, played, seed + 1)) as two,
    ):
        finished = [
            {
                "rows": [asdict(row) for row in game_rows(judge, each)],
                "actions": actions.get(each.number, []),
            }
            for each in play_paired_games(
                *(played, board, (one, two), games, seed), first=first, on_move=note
            )
        ]
        return {"names": [one.name, two.name], "games": finished}


def read_games(
    contest: Contest, blocks: list[dict[str, Any]]
) -> Iterator[tuple[PairedGame, list[GradedMove]]]:
    """The games of all blocks, in order, with their rows."""
    deals = paired_deals(contest.game, contest.template, contest.seed)
    number = 0
    for block in blocks:
        for each in block["games"]:
            dealt = next(deals)
            played = PairedGame(number, dealt.true_board, [dealt.position])
            for action in each["actions"]:
                played.move(action)
            yield played, [_read_row(row) for row in each["rows"]]
            number += 1


def _read_row(row: dict[str, Any]) -> GradedMove:
    values = tuple((move, points) for move, points in row["values"])
    return GradedMove(
        **(row | {"moves": tuple(row["moves"]), "best": tuple(row["best"]), "values": values})
    )


def answer_tasks(agent: str, game: Game, part: str, seed: int, rows: int) -> list[Task]:
    """The blocks of a grading on a suite."""
    return [
        Task(
            f"answers-{part}-{first}",
            "gridwise.arena.grades.blocks:answer_rows",
            {
                "agent": agent,
                "game": game.key,
                "part": part,
                "seed": seed,
                "first": first,
                "count": min(ANSWERS_BLOCK, rows - first),
            },
        )
        for first in range(0, rows, ANSWERS_BLOCK)
    ]


def answer_rows(
    agent: str, game: str, part: str, seed: int, first: int, count: int
) -> dict[str, Any]:
    """Answer some positions of a suite: the actions, and the player's name."""
    played = game_named(game)
    rows = list(suite_of(played).part(part))[first : first + count]
    actions = []
    with closing(batch_player(agent, played, seed)) as graded:
        for begin in range(0, len(rows), graded.at_once):
            group = dict(enumerate(rows[begin : begin + graded.at_once], begin))
            for number, row in group.items():
                graded.begin(number, f"{seed} {row.id}")
            positions = {number: row.position for number, row in group.items()}
            actions += graded.choose(PositionGames(positions), list(positions))
        return {"name": graded.name, "actions": actions}
