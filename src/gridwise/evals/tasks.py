r"""The tasks that Inspect runs, and their arguments.

    inspect eval gridwise/play --model openai/gpt-4o \
        -T game=number-run -T opponent=casual -T pairs=20
    inspect eval gridwise/positions --model openai/gpt-4o -T game=number-connect -T limit=100
    inspect eval gridwise/rules --model openai/gpt-4o -T game=number-maze -T limit=50

`play`: whole games against bots, or against another model; each board from both sides. Boards and
bots are those of `gridwise.grade` with the same seed. The true board of a game with face-down cells
is dealt where the game is played: no sample, prompt or log has it before its end.
`positions`: one move in each position of a suite, of which every move's value is known.
`rules`: two questions about each position of a suite: list the legal moves, and give the position
after a move. Both are graded as data, exactly; no move is better than another here.

`game` is a game, several with commas, or all. Inspect hands over what it can read: a number, a list
of words separated by commas, a word. `track` is `open` or `planning`; each of its conditions can be
given by itself too (`prompts/conditions.py`). Part, limit, seed and conditions are in the log's
metadata: figures are compared where they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import model_roles
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gridwise import __version__
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games as all_games
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.evals.asking import ask, chat_messages, evaluated_model, final_reply, think
from gridwise.evals.inspect_internals import PrerequisiteError
from gridwise.evals.rules_questions import (
    Kind,
    QuestionTurn,
    move_to_make,
    question_prompt,
    sample_question,
)
from gridwise.evals.scorers import (
    answers,
    best_moves,
    failures,
    game_regret,
    points,
    progress,
    regret,
)
from gridwise.evals.trial import (
    ANSWER_KEY,
    OPPONENT_ROLE,
    QUESTION_KEY,
    SAMPLE_KEY,
    SKIN_KEY,
    STORE_KEY,
    Trial,
    suite_rows,
)
from gridwise.lab.paired_games import paired_deals
from gridwise.lab.suites import VERSIONS, Suite, SuiteRow
from gridwise.lab.suites import suite as suite_of
from gridwise.play.boards import DealtGame, board_source, play_on
from gridwise.players.batch_player import NO_ACTION
from gridwise.prompts.conditions import DEFAULT_TRACK, Conditions
from gridwise.prompts.skins import skin_named
from gridwise.prompts.turn import Turn

VERSION = 2  # of the tasks: another one is another measurement
ALL = "all"
MODEL = "model"  # the opponent that is another model


@task
def play(
    game: str | list[str] = "all",
    opponent: str | list[str] = "all",
    pairs: int = 20,
    seed: int = 0,
    track: str = DEFAULT_TRACK,
    legal_moves: str | None = None,
    history: str | None = None,
    board: str | None = None,
    rules: str | None = None,
    retries: int | None = None,
    skin: str | None = None,
) -> Task:
    """Whole games, each board twice with sides swapped.

    `opponent` is a level of bots, several, all, or `model`: another model, `--model-role
    opponent=NAME`. `pairs` is the number of boards for each game and opponent.
    """
    with clear_errors():
        conditions = Conditions.read(
            track=track,
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
            _game_sample(played, against, pair, side)
            for played in games
            for against in opponents
            for pair in range(1, boards + 1)
            for side in (1, 2)
        ]
    solve = play_game(seed=deal_seed, **conditions.to_dict())
    scorers = [points(), game_regret(), regret(), best_moves(), progress(), failures()]
    return _task("play", samples, solve, scorers, conditions, {"pairs": boards, "seed": deal_seed})


@task
def positions(
    game: str | list[str] = "all",
    limit: int | None = None,
    part: str = "test",
    suite: str = VERSIONS[-1],
    seed: int = 0,
    track: str = DEFAULT_TRACK,
    legal_moves: str | None = None,
    history: str | None = None,
    board: str | None = None,
    rules: str | None = None,
    retries: int | None = None,
    skin: str | None = None,
) -> Task:
    """One move in each position of the suites.

    `limit` is a number of positions of each game, a sample that `seed` draws, balanced at every
    size; `part` the part of the suite, test or train.
    """
    with clear_errors():
        conditions = Conditions.read(
            track=track,
            legal_moves=legal_moves,
            history=history,
            board=board,
            rules=rules,
            retries=retries,
            skin=skin,
        )
        chosen, asked = _chosen_rows(game, suite, part, limit, seed)
        samples = [_position_sample(row, about, conditions) for row, about in chosen]
    solve = answer_position(**conditions.to_dict())
    scorers = [regret(), best_moves(), failures()]
    return _task("positions", samples, solve, scorers, conditions, asked)


@task
def rules(
    game: str | list[str] = "all",
    limit: int | None = 50,
    part: str = "test",
    suite: str = VERSIONS[-1],
    seed: int = 0,
    history: str | None = None,
    board: str | None = None,
    rules: str | None = None,
    skin: str | None = None,
) -> Task:
    """List the legal moves; give the position after a move.

    `limit` is a number of positions of each game, with two questions each; `seed` and `part` are as
    in positions. An answer that cannot be read may be written once more: the model is told what was
    wrong with its form, and never whether it was right.
    """
    with clear_errors():
        # The legal moves are never shown: they are the question.
        conditions = Conditions.read(
            legal_moves="hidden", history=history, board=board, rules=rules, retries=1, skin=skin
        )
        chosen, asked = _chosen_rows(game, suite, part, limit, seed)
        samples = [
            sample for row, about in chosen for sample in _question_samples(row, about, conditions)
        ]
    return _task(
        "rules", samples, answer_question(conditions.retries), [answers()], conditions, asked
    )


def _task(
    name: str,
    samples: list[Sample],
    solve: Solver,
    scorers: list[Scorer],
    conditions: Conditions,
    asked: dict[str, str | int | None],
) -> Task:
    """A task; `asked` says which of all questions are asked."""
    about = {
        "task": name,
        "conditions": conditions.to_dict(),
        "asked": {**asked, "tasks": VERSION},
        "samples": len(samples),
        "version": __version__,
    }
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=solve,
        scorer=scorers,
        continue_on_fail=True,
        version=VERSION,
        metadata={"gridwise": about},
    )


# Arguments


@contextmanager
def clear_errors() -> Iterator[None]:
    """Say what is wrong with an argument in one line.

    Inspect prints this one of its exceptions as it is, and any other with a traceback.
    """
    try:
        yield
    except GridwiseError as error:
        raise PrerequisiteError(str(error)) from None


def _words(given: object) -> list[str]:
    """The words of an argument: of a list, or of a text with commas."""
    parts = given if isinstance(given, list | tuple) else str(given).split(",")
    return list(dict.fromkeys(word for part in parts if (word := str(part).strip())))


def named_games(given: object) -> list[Game]:
    """The games that an argument names: one, several, or all. Short names are names too."""
    words = _words(given)
    if words == [ALL]:
        return all_games()
    if not words:
        raise BadRequest("game takes the name of a game, several with commas, or all.")
    return list(dict.fromkeys(game_named(word) for word in words))


def named_opponents(given: object) -> Sequence[str]:
    """The opponents: levels of bots, all of them, or `model` for another model."""
    words = [word.removeprefix("bot:") for word in _words(given)]
    if words == [ALL]:
        return tuple(LEVELS)
    if words == [MODEL]:
        return (MODEL,)
    unknown = [word for word in words if word not in LEVELS]
    if unknown or not words:
        raise BadRequest(
            f"opponent takes {', '.join(LEVELS)}, {ALL} of them, or {MODEL}, "
            f"not {quoted(','.join(unknown))}."
        )
    return words


def counted(name: str, given: object, least: int = 1) -> int:
    """A whole number, such as `pairs`."""
    number = None
    if isinstance(given, int | str) and not isinstance(given, bool):
        with suppress(ValueError):
            number = int(given)
    if number is None:
        raise BadRequest(f"{name} takes a whole number, not {quoted(str(given))}.")
    if number < least:
        raise BadRequest(f"{name} takes a whole number from {least} up, not {number}.")
    return number


# Samples


def _game_sample(game: Game, opponent: str, pair: int, side: int) -> Sample:
    return Sample(
        id=f"{game.key}-{opponent}-{pair:03}-p{side}",
        input=f"{game.title} as Player {side} against {opponent}, board {pair}.",
        metadata={
            "game": game.key,
            "opponent": opponent,
            "cluster": f"{game.key} {pair}",
            "pair": pair,
            "side": side,
        },
    )


def _chosen_rows(
    game: object, version: str, part: str, limit: int | None, seed: int
) -> tuple[list[tuple[SuiteRow, dict[str, str]]], dict[str, str | int | None]]:
    """The rows of the suites that the arguments name, each with what its samples say about it.

    And what was asked for, in words that are the same where the rows are.
    """
    most = None if limit is None else counted("limit", limit)
    drawn = counted("seed", seed, least=0)
    suites: list[Suite] = [suite_of(each, version).part(part) for each in named_games(game)]
    if most is not None and most >= max(map(len, suites)):
        most = None  # all of them
    if most is not None:
        suites = [rows.sample(most, drawn) for rows in suites]
    chosen = []
    for rows in suites:
        clusters = rows.clusters()
        for row in rows:
            key = row.game.key
            about = {"game": key, "cluster": f"{key} {clusters[row.id]}"}
            chosen.append((row, about | {"suite_version": rows.version, "suite_row": row.id}))
    asked = {"suite": version, "part": part, "limit": most, "seed": drawn if most else 0}
    return chosen, asked


def _position_sample(row: SuiteRow, about: dict[str, str], conditions: Conditions) -> Sample:
    return Sample(
        id=row.id,
        input=chat_messages(Turn(row.position, conditions).messages),
        target=row.best_moves,
        metadata={
            **about,
            "phase": row.phase,
            "difficulty": row.difficulty,
            "side": row.position.turn,
        },
    )


def _question_samples(
    row: SuiteRow, about: dict[str, str], conditions: Conditions
) -> Iterator[Sample]:
    action = move_to_make(row)
    for kind in Kind:
        if kind is Kind.LEGAL_MOVES or action >= 0:
            prompt = question_prompt(kind, row.position, conditions, action)
            yield Sample(
                id=f"{row.id} {kind}".replace(" ", "-"),
                input=chat_messages(prompt.messages),
                metadata={**about, "kind": str(kind), "skin": conditions.skin},
            )


# Solvers


@cache
def _deals(key: str, seed: int, pairs: int) -> list[DealtGame]:
    """The first boards of a seed: those that `grade` plays its pairs on."""
    game = game_named(key)
    return [*islice(paired_deals(board_source(game), seed), 0, 2 * pairs, 2)]


def dealt_pair(key: str, seed: int, pair: int) -> DealtGame:
    """The board of a pair; dealt in blocks of 64, so that few are dealt twice."""
    return _deals(key, seed, -(-pair // 64) * 64)[pair - 1]


@solver
def play_game(seed: int = 0, **conditions: str | int) -> Solver:
    """Play the sample's game to its end."""
    read = Conditions.read(**conditions)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        about = state.metadata
        key, side, pair = about["game"], int(about["side"]), int(about["pair"])
        dealt = await think(dealt_pair, key, seed, pair)
        model, position = evaluated_model(), dealt.position
        other_model = other_bot = None
        if about["opponent"] == MODEL:
            other_model = evaluated_model(OPPONENT_ROLE)
        else:  # seeded as `lab.paired_games` seeds the second contestant of this game
            number = 2 * (pair - 1) + side - 1
            other_bot = bot(key, about["opponent"], f"{seed} {number} 2")
        trial = Trial.of(position)
        _begin(state, trial, read)
        while not position.outcome:
            if position.turn == side:
                asked = await ask(model, position, read)
                trial.turns.append(asked.record)
                state.messages, state.output = asked.messages, asked.output
                action = asked.action
            elif other_model:
                asked = await ask(other_model, position, read)
                action = asked.action
                if action == NO_ACTION:
                    trial.forfeit = asked.record.failure
            else:
                assert other_bot
                action = await think(other_bot.choose, position)
            position = play_on(position, action, dealt.true_board)
            trial.follow(position)
            # After every move: a limit may end the sample here, and what was played counts.
            state.store.set(STORE_KEY, trial.to_dict())
        return state

    return solve


@solver
def answer_position(**conditions: str | int) -> Solver:
    """Ask for a move in the sample's position."""
    read = Conditions.read(**conditions)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        about = state.metadata
        row = suite_rows(about["game"], about["suite_version"])[about["suite_row"]]
        trial = Trial.of(row.position)
        _begin(state, trial, read)
        asked = await ask(evaluated_model(), row.position, read)
        trial.turns.append(asked.record)
        state.store.set(STORE_KEY, trial.to_dict())
        state.messages, state.output = asked.messages, asked.output
        return state

    return solve


def _begin(state: TaskState, trial: Trial, conditions: Conditions) -> None:
    """Keep what a bot asks for, and the trial: a limit may end the sample while it is asked."""
    state.store.set(SAMPLE_KEY, f"{state.sample_id} {state.epoch}")
    state.store.set(SKIN_KEY, conditions.skin)
    state.store.set(STORE_KEY, trial.to_dict())


@solver
def answer_question(retries: int = 1) -> Solver:
    """Ask the sample's question; an answer that cannot be read may be written again."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        state.store.set(QUESTION_KEY, dict(state.metadata))
        messages = [{"role": each.role, "content": each.text} for each in state.messages]
        asked = QuestionTurn(sample_question(state.metadata), messages, retries)
        _, state.output = await final_reply(evaluated_model(), asked)
        state.store.set(ANSWER_KEY, asked.record)
        state.messages = [*chat_messages(asked.messages), state.output.message]
        return state

    return solve
