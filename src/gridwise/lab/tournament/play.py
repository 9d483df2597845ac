"""The work of a task: play some pairs of games between two players, and say how each went.

Every game ends with a result. A program that crashes, answers too late or with an illegal move has
lost, and the result says which of the two it was and what it did; the next game starts it again. A
program that is not there at all ends the tournament (EngineNotStarted, BadRequest). So does a
language model that cannot be reached (ProviderFailed): nobody loses games because a network is
down, and the tournament can be continued.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from gridwise.core.game import Game
from gridwise.core.outcome import DRAW, Outcome, adjudicated, crash, illegal_move, time_out
from gridwise.core.position import Position
from gridwise.engine.evaluation import evaluate
from gridwise.engine.ugi.client import MoveTime
from gridwise.errors import (
    BadRequest,
    EngineFailed,
    EngineNotStarted,
    EngineTimedOut,
    IllegalAnswer,
    ProviderFailed,
    printable,
)
from gridwise.lab.tournament.schedule import Block, TimeLimits, dealt_pair, player_seed
from gridwise.play.boards import BoardSource, DealtGame, play_on
from gridwise.play.match import is_person
from gridwise.play.records import local_date
from gridwise.players.python_player import IsolatedPlayer
from gridwise.players.seats import open_player, player_name, program_seed

IDLE_SECONDS = 5.0  # that a program waits for the next task
LONGEST_COMPLAINT = 300
REPEATED = 3  # how often a position has come up when a game that can be endless is adjudicated


class Contestant:
    """A player in one game after the other.

    Engines and Python objects are `timed`. Bots and models are opened anew for each game: a bot
    draws from the game's seed, and a model is shown the whole game with every question.
    """

    def __init__(self, game: Game, who: str) -> None:
        name = player_name(who)
        if is_person(name):
            raise BadRequest("People do not play in an arena. `gridwise play` is for them.")
        kind, _, rest = name.partition(":")
        self.timed = kind in ("ugi", "python")
        self._game, self._name = game, name
        self._player: Any = (
            IsolatedPlayer(rest, game) if kind == "python" else open_player(game, name)
        )

    def new_game(self, seed: str) -> None:
        """Another game begins; `seed` is for whatever the player draws in it."""
        if self.timed:
            self._player.new_game(program_seed(self._game, seed))
        else:
            self._player = open_player(self._game, self._name, seed)

    def choose(self, position: Position, limit: MoveTime) -> int:
        """A legal action; raises EngineFailed."""
        asked = (position, limit) if self.timed else (position,)
        action: int = self._player.choose(*asked)
        return action

    def close(self) -> None:
        """End what was started."""
        if hasattr(self._player, "close"):
            self._player.close()


class _Idle(NamedTuple):
    """A player that waits for the next task, and what ends it when none comes."""

    key: tuple[str, str]  # game and name
    player: Contestant
    timer: threading.Timer


_idle: list[_Idle] = []
_changing = threading.Lock()


@contextmanager
def borrowed_player(game: Game, who: str) -> Iterator[Contestant]:
    """A player for the block; after an error it is not used again.

    Programs stay for a while when the block is done, for the next one: starting an engine for every
    pair took longer than playing it.
    """
    key = (game.key, player_name(who))
    with _changing:
        waiting = next((each for each in _idle if each.key == key), None)
        if waiting:
            _idle.remove(waiting)
            waiting.timer.cancel()
    player = waiting.player if waiting else Contestant(game, who)
    try:
        yield player
    except BaseException:
        player.close()
        raise
    if player.timed:
        timer = threading.Timer(IDLE_SECONDS, lambda: _close(idle))
        timer.daemon = True
        idle = _Idle(key, player, timer)
        with _changing:
            _idle.append(idle)
        timer.start()


def _close(idle: _Idle) -> None:
    with _changing:
        if idle not in _idle:
            return  # it has just been borrowed
        _idle.remove(idle)
    idle.timer.cancel()
    idle.player.close()


def play_block(
    block: Block,
    boards: BoardSource,
    players: Sequence[str],
    seed: int,
    limits: TimeLimits,
    adjudicate: int,
) -> list[dict[str, Any]]:
    """Play the pairs of a block; the games as JSON, two for each pair."""
    game = boards.game
    games: list[dict[str, Any]] = []
    with ExitStack() as stack:
        both = [stack.enter_context(borrowed_player(game, name)) for name in players]
        for number in range(block.begin, block.end):
            dealt = dealt_pair(boards, seed, number)
            for swapped in (0, 1):
                seeds = [
                    player_seed(seed, game.key, number, swapped, player)
                    for player in (block.one, block.two)
                ]
                order = -1 if swapped else 1
                arbiter = Arbiter(dealt, both[::order], limits, adjudicate)
                arbiter.play(seeds[::order])
                games.append({"pair": number, "swapped": swapped, **arbiter.report()})
                if game.has_hidden_cells:
                    # The next game may have the same board: nobody may remember what was under it.
                    for player in both:
                        player.close()
    return games


class Arbiter:
    """Plays one game between two contestants, Player 1 first."""

    def __init__(
        self,
        dealt: DealtGame,
        contestants: Sequence[Contestant],
        limits: TimeLimits,
        adjudicate: int,
    ) -> None:
        self._true_board, self._position = dealt
        self._sides, self._limits = dict(enumerate(contestants, 1)), limits
        self._adjudicate_plies = adjudicate
        self._left = dict.fromkeys(self._sides, limits.control.seconds if limits.control else 0.0)
        self._spent = dict.fromkeys(self._sides, 0.0)
        self._seen: Counter[Any] = Counter()
        self._complaint = ""  # what the program that failed has done

    def play(self, seeds: Sequence[str]) -> None:
        """Play the game to its end."""
        for side, seed in enumerate(seeds, 1):
            try:
                self._sides[side].new_game(seed)
            except EngineFailed as error:
                self._fail(side, error)
                return
        while not self._position.outcome:
            self._move(self._position.turn)
            if self._adjudicate_plies and not self._position.outcome:
                self._adjudicate()

    def report(self) -> dict[str, Any]:
        """The game as JSON."""
        position, outcome = self._position, self._position.outcome
        assert outcome  # it has been played
        return {
            "board": position.game.board_text(position.board),
            "first": position.first,
            "moves": position.moves,
            "winner": outcome.winner,
            "ending": str(outcome.termination),
            "reason": outcome.reason,
            "complaint": self._complaint,
            "seconds": [round(self._spent[side], 4) for side in (1, 2)],
            "date": f"{local_date():%Y.%m.%d}",
        }

    def _move(self, side: int) -> None:
        player, limits = self._sides[side], self._limits
        limit = limits.for_move(self._left, side)
        begun = time.monotonic()
        try:
            action = player.choose(self._position, limit)
        except EngineFailed as error:
            late = time.monotonic() - begun > limit.seconds + limit.margin
            if player.timed and late and isinstance(error, IllegalAnswer):
                # Whatever it was, it came too late.
                error = EngineTimedOut(str(error))
            self._fail(side, error)
            return
        spent = time.monotonic() - begun
        self._spent[side] += spent
        if player.timed:
            if spent > limit.seconds + limit.margin:
                self._end(time_out(side), f"It took {spent:.3f} seconds.")
                return
            if limits.control:
                # What is late within the margin costs no more than there was.
                left = max(0.0, self._left[side] - spent)
                self._left[side] = left + limits.control.increment
        self._position = play_on(self._position, action, self._true_board)

    def _fail(self, side: int, error: EngineFailed) -> None:
        if isinstance(error, EngineNotStarted | ProviderFailed):
            raise error  # there is nobody to ask: nobody has lost a game
        late, wrong = isinstance(error, EngineTimedOut), isinstance(error, IllegalAnswer)
        how = time_out if late else illegal_move if wrong else crash
        self._end(how(side), str(error))

    def _end(self, outcome: Outcome, complaint: str = "") -> None:
        self._complaint = printable(complaint, LONGEST_COMPLAINT)
        self._position = self._position.ended(outcome, self._true_board)

    def _adjudicate(self) -> None:
        """End the game if its result is computed and near, or if it goes in circles."""
        position: Position = self._position
        self._seen[position.state] += 1
        evaluation = evaluate(position)
        value, distance = evaluation.value, evaluation.distance
        if value == "endless":
            if self._seen[position.state] >= REPEATED:
                self._end(adjudicated(0))
        elif value and distance and distance <= self._adjudicate_plies:
            mine, other = position.turn, 3 - position.turn
            self._end(adjudicated({"win": mine, "loss": other, "draw": DRAW}[value]))
