"""The engine that other programs drive: the Universal Game Interface, without input or output.

A Session gets lines by `receive` and gives lines to `emit`. It never raises for what a line says,
and never waits for a search (`search_thread`). Only what follows an `isready` waits for `readyok`,
and of that `stop` and `quit` do not (`preparation`).

It searches a Position, so cells that the moves have not revealed are not in this module.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.bots import LEVELS, bot
from gridwise.engine.evaluate import evaluate, prepare
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue
from gridwise.engine.lookahead import look_ahead
from gridwise.engine.ugi.go import parse_go, parse_number
from gridwise.engine.ugi.position_text import parse_position, position_text, start_text
from gridwise.engine.ugi.preparation import Preparation
from gridwise.engine.ugi.search_thread import SearchResult, SearchThread
from gridwise.errors import BadRequest, GridwiseError, quoted

BEST = "perfect"
NONE = "none"
DEFAULT_SECONDS = 2.0  # for a `go` that sets no limit
WAIT_SECONDS = 1.0  # a `go` waits so long for the one before it: a script asks without waiting
MAX_SEED = 2**31 - 1

_RESULTS = ("draw", "p1win", "p2win", "draw")  # by the winner; 0 where the game was stopped
_SETTING = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.IGNORECASE)

# Each is carried out by the method `_do_NAME`; `quit` is the caller's.
_COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "query", "go", "stop")

Think = Callable[[Position, Limits], Evaluation]
Prepare = Callable[[Position], object]


def check_level(level: str) -> str:
    """The level that a text means; raises BadRequest."""
    wanted = level.strip().casefold()
    if wanted not in LEVELS:
        raise BadRequest(f"There is no level {quoted(level)}. The levels are {', '.join(LEVELS)}.")
    return wanted


class Session:
    """One conversation about one game.

    `emit` gets each line without its end; it is called from several threads, never from two at
    once. `think` is the search behind the level "perfect"; `prepare` loads it, given a position of
    the kind that it will search. None: there is nothing to load.
    """

    def __init__(
        self,
        game: Game,
        emit: Callable[[str], object],
        *,
        level: str = BEST,
        name: str = "Gridwise",
        think: Think = evaluate,
        prepare: Prepare | None = prepare,
    ) -> None:
        self._game = game
        self._emit = emit
        self._emitting = threading.Lock()
        self._name = name
        self._think, self._prepare = think, prepare
        self._level = self._usual_level = check_level(level)
        self._seed = 0
        self._position = parse_position(game, start_text(game))
        self._search: SearchThread | None = None
        self._preparation: Preparation | None = None

    def receive(self, line: str) -> bool:
        """Carry out a line; False after `quit`."""
        words = line.replace("\ufeff", " ").split()
        if not words:
            return True
        command = words[0].casefold()
        if command == "quit":
            self.close()
            return False
        if command not in _COMMANDS:
            known = " ".join([*_COMMANDS, "quit"])
            self.complain(f"There is no command {quoted(words[0])}. The commands are {known}.")
            return True
        if self._preparation and command != "stop":
            self._preparation.wait()
        try:
            getattr(self, f"_do_{command}")(words[1:])
        except GridwiseError as error:
            self.complain(str(error))
        return True

    def complain(self, message: str) -> None:
        """Say something for people, as an `info string`."""
        self._say(f"info string {' '.join(message.split())}")

    def close(self) -> None:
        """End the search, if there is one, with its answer."""
        if self._search:
            self._search.stop()
            self._search.wait(1)

    def _say(self, *lines: str) -> None:
        with self._emitting:
            for line in lines:
                self._emit(line)

    # Identification and options

    def _do_ugi(self, _: list[str]) -> None:
        choices = " ".join(f"var {level}" for level in LEVELS)
        self._say(
            f"id name {self._name}",
            "id author the Gridwise authors",
            f"option name Level type combo default {self._usual_level} {choices}",
            f"option name Seed type spin default 0 min 0 max {MAX_SEED}",
            "ugiok",
        )

    def _do_isready(self, _: list[str]) -> None:
        searching = self._search and not self._search.wait(0)
        if self._preparation or not self._prepare or self._level != BEST or searching:
            self._say("readyok")
            return
        work = partial(self._prepare, parse_position(self._game, start_text(self._game)))
        slow = partial(self.complain, "Compiling the search, once: it takes up to half a minute.")
        self._preparation = Preparation(work, slow, self._answer_ready)

    def _answer_ready(self, wrong: Exception | None) -> None:
        if wrong:
            self.complain(f"The search could not be loaded ({type(wrong).__name__}).")
        self._say("readyok")

    def _do_setoption(self, words: list[str]) -> None:
        setting = _SETTING.fullmatch(" ".join(words))
        if setting is None:
            raise BadRequest("An option is set by: setoption name NAME value VALUE.")
        name, value = setting["name"].casefold(), setting["value"] or ""
        if name == "level":
            self._level = check_level(value)
        elif name == "seed":
            number = parse_number(value)
            if number is None or not 0 <= number <= MAX_SEED:
                raise BadRequest(f"Seed is a number from 0 to {MAX_SEED}, not {quoted(value)}.")
            self._seed = number
        else:
            raise BadRequest(f"There is no option {quoted(name)}. The options are Level and Seed.")

    # The position

    def _do_uginewgame(self, _: list[str]) -> None:
        self._position = parse_position(self._game, start_text(self._game))

    def _do_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        kind, board, moves = words[:1], " ".join(words[1:at]), words[at + 1 :]
        if kind == ["startpos"] and not board:
            board = start_text(self._game)
        elif kind != ["fen"] or not board:
            raise BadRequest(
                "A position is: position startpos [moves …], or position fen BOARD [moves …], "
                f"where BOARD is like {start_text(self._game)}."
            )
        self._position = parse_position(self._game, board, moves)

    def _do_query(self, words: list[str]) -> None:
        question = " ".join(words)
        position, outcome = self._position, self._position.outcome
        answers = {
            "p1turn": str(position.turn == 1).lower(),
            "gameover": str(outcome is not None).lower(),
            "result": _RESULTS[outcome.winner] if outcome else NONE,
            "legal": " ".join(position.legal_moves),
            "fen": position_text(position),
        }
        if question not in answers:
            known = " ".join(answers)
            raise BadRequest(f"There is no query {quoted(question)}. The queries are {known}.")
        self._say(f"response {answers[question]}".rstrip())

    # Searching

    def _do_go(self, words: list[str]) -> None:
        begun = time.monotonic()
        request, complaints = parse_go(words)
        for message in complaints:
            self.complain(message)
        search = self._search
        if search and not search.wait(WAIT_SECONDS if search.bounded else 0):
            raise BadRequest("Another go is still running; send stop first.")
        position = self._position
        if position.outcome:
            self.complain(f"The game is over: {position.outcome.reason}.")
            self._say(f"bestmove {NONE}")
            return
        seconds, get = request.seconds(position.turn), request.numbers.get
        work: Callable[[Callable[[], bool]], SearchResult]
        if self._level == BEST:
            limits = Limits(seconds, get("nodes"), get("depth"), seed=self._seed)
            if limits[:3] == (None, None, None) and not request.infinite:
                seconds = DEFAULT_SECONDS
                limits = limits._replace(seconds=DEFAULT_SECONDS)
            work = partial(self._evaluate, position, limits, begun)
        else:
            # With 0 a bot may answer differently each time, with a seed always alike.
            seed = f"{self._seed} {len(position.history)}" if self._seed else None
            work = partial(self._ask_bot, position, self._level, seed, begun)
        self._search = SearchThread(
            work,
            partial(self._answer, position),
            seconds=seconds,
            grace=request.grace(position.turn),
            infinite=request.infinite,
        )

    def _do_stop(self, _: list[str]) -> None:
        if self._search:
            self._search.stop()

    def _evaluate(
        self, position: Position, limits: Limits, begun: float, stopped: Callable[[], bool]
    ) -> SearchResult:
        evaluation = self._think(position, limits._replace(stop=stopped))
        ranked = sorted(evaluation.moves, key=lambda each: each.rank, reverse=True)
        taken = _milliseconds(begun)
        lines = [
            f"info time {taken} multipv {number} {_score(each)} pv {each.move}"
            for number, each in enumerate(ranked, 1)
        ]
        return SearchResult(ranked[0].action, lines)

    def _ask_bot(
        self,
        position: Position,
        level: str,
        seed: str | None,
        begun: float,
        _: Callable[[], bool],
    ) -> SearchResult:
        action = bot(self._game, level, seed).choose(position)
        line = f"info time {_milliseconds(begun)} pv {position.name(action)}"
        return SearchResult(action, [line])

    def _answer(self, position: Position, result: SearchResult | str) -> None:
        """Say the result of a search, or why there is none, and the move."""
        if isinstance(result, str):
            result = SearchResult(move_without_search(position), [f"info string {result}"])
        self._say(*result.lines, f"bestmove {position.name(result.action)}")


def _milliseconds(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))


def _score(found: MoveValue) -> str:
    """The value of a move: `score` as other engines say it, from -1000 to 1000, then exactly."""
    known = {
        "value": found.value,
        "distance": found.distance,
        "win": None if found.win is None else f"{found.win:.4f}",
        "error": None if found.error is None else f"{found.error:.4f}",
    }
    words = [f"{name} {value}" for name, value in known.items() if value is not None]
    return " ".join([f"score cp {round(2000 * found.points - 1000)}", *words])


def move_without_search(position: Position) -> int:
    """A move that wins at once, or else one that does not lose at once."""
    return max(position.legal, key=lambda action: look_ahead(position, action, 1))
