"""The engine that other programs drive: the Universal Game Interface, without input or output.

A Session gets lines by `receive` and gives lines to `emit`. It never raises for what a line says,
and never waits for a search (`SearchThread`). Only what follows an `isready` waits for `readyok`,
and of that `stop` and `quit` do not.

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
from gridwise.core.position import Player, Position
from gridwise.engine.bots import LEVELS, bot
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate, prepare
from gridwise.engine.lookahead import look_ahead
from gridwise.engine.ugi.position_text import (
    NONE,
    RESULT_WORDS,
    parse_position,
    position_text,
    start_text,
)
from gridwise.errors import BadRequest, GridwiseError, quoted

BEST = "perfect"
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


class Answer(NamedTuple):
    """The action that a search has chosen, None if it has failed, and the lines to say about it."""

    action: int | None
    lines: list[str]


def info(message: str) -> str:
    """The line that tells people something."""
    return f"info string {' '.join(message.split())}"


CHOSEN_WITHOUT = "this move was chosen without one."
NO_TIME = Answer(None, [info(f"There was no time to search; {CHOSEN_WITHOUT}")])


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
        self._preparation: threading.Thread | None = None

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
            self._preparation.join()
        try:
            getattr(self, f"_do_{command}")(words[1:])
        except GridwiseError as error:
            self.complain(str(error))
        return True

    def complain(self, message: str) -> None:
        """Say something for people, as an `info string`."""
        self._say(info(message))

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
        self._preparation = threading.Thread(target=self._get_ready, daemon=True)
        self._preparation.start()

    def _get_ready(self) -> None:
        """Load the search; say so if it takes long, and that it is done in any case."""
        assert self._prepare
        compiling = "Compiling the search, once: it takes up to half a minute."
        slow = threading.Timer(SILENT_SECONDS, self.complain, [compiling])
        slow.daemon = True
        slow.start()
        try:
            self._prepare(parse_position(self._game, start_text(self._game)))
        except Exception as error:  # noqa: BLE001 - whoever waits for an answer has to get one
            self.complain(f"The search could not be loaded ({type(error).__name__}).")
        slow.cancel()
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
        if self._level == BEST:
            limits = Limits(seconds, get("nodes"), get("depth"), seed=self._seed)
            if limits[:3] == (None, None, None) and not request.infinite:
                seconds = DEFAULT_SECONDS
                limits = limits._replace(seconds=DEFAULT_SECONDS)
            work = partial(self._evaluate, position, limits, begun)
        else:
            # With 0 a bot may answer differently each time, with a seed always alike.
            seed = f"{self._seed} {len(position.history)}" if self._seed else None
            player = bot(self._game, self._level, seed)
            work = partial(self._ask_bot, position, player, begun)
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
    ) -> Answer:
        evaluation = self._think(position, limits._replace(stop=stopped))
        ranked = sorted(evaluation.moves, key=lambda move: move.rank, reverse=True)
        taken = _milliseconds(begun)
        lines = [
            f"info time {taken} multipv {number} {_score(move)} pv {move.move}"
            for number, move in enumerate(ranked, 1)
        ]
        return Answer(ranked[0].action, lines)

    def _ask_bot(
        self, position: Position, player: Player, begun: float, _: Callable[[], bool]
    ) -> Answer:
        action = player.choose(position)
        return Answer(action, [f"info time {_milliseconds(begun)} pv {position.name(action)}"])

    def _answer(self, position: Position, answer: Answer) -> None:
        """Say what a search has found, or why it has not, and the move."""
        action = move_without_search(position) if answer.action is None else answer.action
        self._say(*answer.lines, f"bestmove {position.name(action)}")


def _milliseconds(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))


def _score(move: MoveValue) -> str:
    """The value of a move: `score` as other engines say it, from -1000 to 1000, then exactly."""
    words = [f"score cp {round(2000 * move.points - 1000)}"]
    for name, form in (("value", ""), ("distance", ""), ("win", ".4f"), ("error", ".4f")):
        value = getattr(move, name)
        if value is not None:
            words.append(f"{name} {value:{form}}")
    return " ".join(words)


def move_without_search(position: Position) -> int:
    """A move that wins at once, or else one that does not lose at once."""
    return max(position.legal, key=lambda action: look_ahead(position, action, 1))


class SearchThread:
    """One `go`: one thread searches, another answers when it is done or its time is up.

    `work` is given a function that says whether to stop; `seconds` is its time, None for no limit,
    and `grace` what it may take longer. `answer` is called once, with an action and lines to say,
    or with None and why there is no action.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], Answer],
        answer: Callable[[Answer], None],
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
        self._result = NO_TIME
        self._stopped, self._found, self._answered = (threading.Event() for _ in range(3))
        threading.Thread(target=self._search, name="gridwise search", daemon=True).start()
        self._watcher = threading.Thread(target=self._watch, name="gridwise watch", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Have the answer given now."""
        self._stopped.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer to be given; whether it is, or is on its way."""
        answered = self._answered.wait(seconds)
        if answered:
            self._watcher.join(1)
        return answered

    def _search(self) -> None:
        try:
            self._result = self._work(self._stopped.is_set)
        except GridwiseError as error:
            self._result = Answer(None, [info(str(error))])
        except Exception as error:  # noqa: BLE001 - a move is due all the same
            failed = f"The search failed ({type(error).__name__}); {CHOSEN_WITHOUT}"
            self._result = Answer(None, [info(failed)])
        self._found.set()
        if self.bounded:
            self._stopped.set()

    def _watch(self) -> None:
        self._stopped.wait(None if self._end is None else self._end - time.monotonic())
        self._stopped.set()
        self._found.wait(self._grace)
        # Before it is said, so that the next `go` can follow at once.
        self._answered.set()
        self._answer(self._result)


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
