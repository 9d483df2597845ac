r"""`gridwise/play`: whole games against bots, or against another model; each board from both sides.

    inspect eval gridwise/play --model openai/gpt-4o \
        -T game=number-run -T opponent=casual -T pairs=20

Boards and bots are those of `gridwise.grade` with the same seed. The true board of a game with
face-down cells is dealt where the game is played: no sample, prompt or log has it before its end.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.bots import bot
from gridwise.errors import BadRequest
from gridwise.evals.asking import ask, evaluated_model, think
from gridwise.evals.scorers import best_moves, failures, points, regret
from gridwise.evals.tasks.arguments import (
    MODEL,
    OPPONENT_ROLE,
    clear_errors,
    counted,
    named_games,
    named_opponents,
)
from gridwise.evals.trial import SAMPLE_KEY, SKIN_KEY, STORE_KEY, Trial
from gridwise.lab.paired_games import paired_deals
from gridwise.play.boards import DealtGame, board_template, play_on
from gridwise.players.batch_player import NO_ACTION
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import skin_named

VERSION = 1  # of the task: another one is another measurement


@task
def play(
    game: str | list[str] = "all",
    opponent: str | list[str] = "all",
    pairs: int = 20,
    seed: int = 0,
    legal_moves: str = "shown",
    history: str = "shown",
    board: str = "grid",
    rules: str = "full",
    retries: int = 2,
    skin: str = "plain",
) -> Task:
    """Whole games, each board twice with sides swapped.

    `game` is a game, several with commas, or all; `opponent` a level of bots, several, all, or
    `model`: another model, `--model-role opponent=NAME`. `pairs` is the number of boards for each
    game and opponent. The rest are conditions: docs/evals.md has them.
    """
    with clear_errors():
        conditions = Conditions.read(
            legal_moves=legal_moves,
            history=history,
            board=board,
            rules=rules,
            retries=retries,
            skin=skin,
        )
        boards, deal_seed = counted("pairs", pairs), counted("seed", seed, least=0)
        games, opponents = named_games(game), named_opponents(opponent)
        for played in games:
            skin_named(played, conditions.skin)  # says here if there is none, not in every game
        if MODEL in opponents and OPPONENT_ROLE not in model_roles():
            raise BadRequest(
                f"opponent={MODEL} needs another model: --model-role {OPPONENT_ROLE}=NAME."
            )
        samples = [
            _sample(played, against, pair, side)
            for played in games
            for against in opponents
            for pair in range(boards)
            for side in (1, 2)
        ]
    return Task(
        dataset=MemoryDataset(samples, name="play"),
        solver=play_game(seed=deal_seed, **conditions.to_dict()),
        scorer=[points(), regret(), best_moves(), failures()],
        continue_on_fail=True,
        version=VERSION,
        metadata={"gridwise": {"task": "play", "conditions": conditions.to_dict()}},
    )


def _sample(game: Game, opponent: str, pair: int, side: int) -> Sample:
    return Sample(
        id=f"{game.key}-{opponent}-{pair + 1:03}-p{side}",
        input=f"{game.title} as Player {side} against {opponent}, board {pair + 1}.",
        metadata={
            "game": game.key,
            "opponent": opponent,
            "cluster": f"{game.key} {pair + 1}",
            "pair": pair + 1,
            "side": side,
        },
    )


@cache
def _deals(key: str, seed: int, pairs: int) -> list[DealtGame]:
    """The first boards of a seed: those that `grade` plays its pairs on."""
    game = game_named(key)
    return [*islice(paired_deals(game, board_template(game, None, None), seed), 0, 2 * pairs, 2)]


def _dealt(key: str, seed: int, pair: int) -> DealtGame:
    """The board of a pair; dealt in blocks of 64, so that few are dealt twice."""
    return _deals(key, seed, -(-pair // 64) * 64)[pair - 1]


class _Bot:
    """A bot that plays one side of one game."""

    def __init__(self, key: str, level: str, seed: str) -> None:
        self._player = bot(key, level, seed)

    async def choose(self, position: Position, _trial: Trial) -> int:
        """Its move."""
        return await think(self._player.choose, position)


class _OtherModel:
    """Another model in the opponent's seat."""

    def __init__(self, model: Model, conditions: Conditions) -> None:
        self._model, self._conditions = model, conditions

    async def choose(self, position: Position, trial: Trial) -> int:
        """Its move; NO_ACTION if it has none after all retries."""
        asked = await ask(self._model, position, self._conditions)
        if asked.reply.action is not None:
            return asked.reply.action
        trial.forfeit = str(asked.reply.failure)
        return NO_ACTION


@solver
def play_game(seed: int = 0, **conditions: str | int) -> Solver:
    """Play the sample's game to its end."""
    read = Conditions.read(**conditions)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        about = state.metadata
        key, side, pair = about["game"], int(about["side"]), int(about["pair"])
        state.store.set(SAMPLE_KEY, f"{state.sample_id} {state.epoch}")
        state.store.set(SKIN_KEY, read.skin)
        dealt = await think(_dealt, key, seed, pair)
        # As `lab.paired_games` seeds the second contestant of this game.
        number = 2 * (pair - 1) + side - 1
        other = (
            _OtherModel(evaluated_model(OPPONENT_ROLE), read)
            if about["opponent"] == MODEL
            else _Bot(key, about["opponent"], f"{seed} {number} 2")
        )
        model, position = evaluated_model(), dealt.position
        trial = Trial.of(position)
        state.store.set(STORE_KEY, trial.to_dict())
        while not position.outcome:
            if position.turn == side:
                asked = await ask(model, position, read)
                trial.turns.append(asked.record)
                state.messages, state.output = asked.messages, asked.output
                action = NO_ACTION if asked.reply.action is None else asked.reply.action
            else:
                action = await other.choose(position, trial)
            position = play_on(position, action, dealt.true_board)
            trial.follow(position)
            # After every move: a limit may end the sample here, and what was played counts.
            state.store.set(STORE_KEY, trial.to_dict())
        return state

    return solve
