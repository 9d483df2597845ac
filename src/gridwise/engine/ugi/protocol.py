"""The engine that other programs drive: the Universal Game Interface, without input or output.

A Session gets lines by `receive` and gives lines to `emit`. It never raises for what a line says,
and never waits for a search (`SearchThread`). Only what follows an `isready` waits for `readyok`,
and of that `stop` and `quit` do not (`Preparation`).

It searches a Position, so cells that the moves have not revealed are not in this module.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.bots import LEVELS, bot
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate, prepare
from gridwise.engine.lookahead import look_ahead
from gridwise.engine.ugi.position_text import (
    RESULT_WORDS,
    parse_position,
    position_text,
    start_text,
)
from gridwise.errors import BadRequest, GridwiseError, quoted

BEST = "perfect"
NONE = "none"
DEFAULT_SECONDS = 2.0  # for a `go` that sets no limit
WAIT_SECONDS = 1.0  # a `go` waits so long for the one before it: a script asks without waiting
MAX_SEED = 2**31 - 1
LATE_SECONDS = 0.06  # a search has them for its answer once its time is up; 0.1 is promised
SHORTEST_SECONDS = 0.002  # of that: to look at every move takes this long
SILENT_SECONDS = 2.0  # of getting ready, without a word about what takes so long

_GO_NUMBERS = ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc")
_DIGITS = re.compile(r"[+-]?[0-9]{1,12}")
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
            "result": RESULT_WORDS[outcome.winner] if outcome else NONE,
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


# Getting ready, and searching, beside the conversation


class Preparation:
    """Work that has to be done before the first search, in a thread of its own.

    `slow` is called if it takes long, then `done`, with what went wrong or nothing.
    """

    def __init__(
        self,
        work: Callable[[], object],
        slow: Callable[[], object],
        done: Callable[[Exception | None], object],
    ) -> None:
        self._work, self._slow, self._done = work, slow, done
        self._finished = threading.Event()
        for target in (self._prepare, self._watch):
            threading.Thread(target=target, name="gridwise prepares", daemon=True).start()

    @property
    def finished(self) -> bool:
        """Whether it is done, and has been told."""
        return self._finished.is_set()

    def wait(self) -> None:
        """Wait until it is."""
        self._finished.wait()

    def _prepare(self) -> None:
        wrong = None
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - whoever waits for an answer has to get one
            wrong = error
        self._done(wrong)
        self._finished.set()

    def _watch(self) -> None:
        if not self._finished.wait(SILENT_SECONDS):
            self._slow()


class SearchResult(NamedTuple):
    """The action that a search has chosen, and the lines to say about it."""

    action: int
    lines: list[str]


class SearchThread:
    """One `go`: one thread searches, another answers when it is done or its time is up.

    `work` is given a function that says whether to stop; `seconds` is its time, None for no limit,
    and `grace` what it may take longer. `answer` is called once, with the result or with the reason
    why there is none.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], SearchResult],
        answer: Callable[[SearchResult | str], None],
        *,
        seconds: float | None,
        grace: float,
        infinite: bool,
    ) -> None:
        self.bounded = not infinite
        self._work, self._answer = work, answer
        # From now on, however long it takes the threads to begin.
        self._end = None if infinite or seconds is None else time.monotonic() + seconds
        self._grace = grace
        self._stopped = False
        self._result: SearchResult | str | None = None
        self._answered = False
        self._said = threading.Event()
        self._changed = threading.Condition()
        threading.Thread(target=self._search, name="gridwise search", daemon=True).start()
        threading.Thread(target=self._watch, name="gridwise watch", daemon=True).start()

    def stop(self) -> None:
        """Have the answer given now."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer to be given; whether it is, or is on its way."""
        with self._changed:
            answered = self._changed.wait_for(lambda: self._answered, seconds)
        if answered:
            self._said.wait(1)
        return answered

    def _search(self) -> None:
        result: SearchResult | str
        try:
            result = self._work(lambda: self._stopped)
        except GridwiseError as error:
            result = " ".join(str(error).split())
        except Exception as error:  # noqa: BLE001 - a move is due all the same
            result = (
                f"The search failed ({type(error).__name__}); this move was chosen without one."
            )
        with self._changed:
            self._result = result
            self._changed.notify_all()

    def _watch(self) -> None:
        left = None if self._end is None else self._end - time.monotonic()
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (self.bounded and self._result is not None), left
            )
            self._stopped = True
            self._changed.wait_for(lambda: self._result is not None, self._grace)
            result = (
                self._result or "There was no time to search; this move was chosen without one."
            )
            # Before it is said, so that the next `go` can follow at once.
            self._answered = True
            self._changed.notify_all()
        self._answer(result)
        self._said.set()


# Reading `go`


class GoRequest(NamedTuple):
    """What a `go` asks for."""

    numbers: dict[str, int]  # by the words in `_GO_NUMBERS`; times in milliseconds
    infinite: bool

    def seconds(self, turn: int) -> float | None:
        """How long to think, by the time for the move and by the clock of the player to move."""
        if self.infinite:
            return None
        get = self.numbers.get
        left, more, times = get(f"p{turn}time"), get(f"p{turn}inc"), []
        if "movetime" in self.numbers:
            times.append(self.numbers["movetime"])
        if left is not None or more is not None:
            # Games are short: a tenth of what is left lasts, and 50 ms are for the way here.
            share = (left or 0) / 10 + 0.8 * (more or 0)
            times.append(int(min(share, (left or share) - 50)))
        return max(1, min(times)) / 1000 if times else None

    def grace(self, turn: int) -> float:
        """How long after that an answer may come that is better than none.

        Never longer than a third of what is then left on the clock, nor than half a `movetime`.
        """
        seconds, get = self.seconds(turn), self.numbers.get
        limits = [LATE_SECONDS]
        if seconds is not None:
            if (left := get(f"p{turn}time")) is not None:
                limits.append((left / 1000 - seconds) / 3)
            if (movetime := get("movetime")) is not None:
                limits.append(movetime / 2000)
        return max(SHORTEST_SECONDS, min(limits))


def parse_go(words: list[str]) -> tuple[GoRequest, list[str]]:
    """The request, and complaints about what could not be read. A `go` is always answered."""
    numbers: dict[str, int] = {}
    complaints = []
    left = iter(words)
    for word in left:
        if word in _GO_NUMBERS:
            given = next(left, "")
            number = parse_number(given)
            if number is None:
                complaints.append(f"{word} takes a number, not {quoted(given)}; it is ignored.")
            else:
                numbers[word] = max(0, number)
        elif word != "infinite":
            complaints.append(f"go does not take {quoted(word)}; it is ignored.")
    return GoRequest(numbers, "infinite" in words), complaints


def parse_number(text: str) -> int | None:
    """The whole number that a text is; None if it is not one."""
    return int(text) if _DIGITS.fullmatch(text) else None
