"""The engine that other programs drive: the Universal Game Interface, without input or output.

A Session is given lines by `receive` and gives lines to `emit`. It never raises for what a line
says, and never waits for a search: `go` thinks in one thread and answers in another, so that
`stop`, a time limit or `quit` is answered at once even when the search does not listen.

What is thought about is a Position, blanked by `fen.read_position`. Cells that the moves have not
turned up are not in this module.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from gridwise.core.game import Game, Position
from gridwise.engine.bots import LEVELS, bot
from gridwise.engine.fen import fen, read_position, start_fen
from gridwise.engine.worth import Limits, Option, Worth, weigh
from gridwise.errors import BadRequest, GridwiseError, quoted

BEST = "perfect"
NONE = "none"
LATE = 0.06  # seconds a search has for its answer once its time is up; 0.1 is promised
USUAL = 2.0  # seconds for a `go` that sets no limit
PATIENT = 1.0  # seconds that a `go` waits for the one before it; a script may ask in a hurry
MOST_SEED = 2**31 - 1

_WINNERS = (NONE, "p1win", "p2win", "draw")  # by what `winner` returns
_NUMBERS = ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc")
_SETTING = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.IGNORECASE)
_DIGITS = re.compile(r"[+-]?[0-9]{1,12}")

Think = Callable[[Position, Limits], Worth]


def levels() -> tuple[str, ...]:
    """How strong the engine can be told to play, in rising order."""
    return tuple(dict.fromkeys((*LEVELS, BEST)))


def check_level(level: str) -> str:
    """The level that is meant; raises BadRequest."""
    wanted = level.strip().casefold()
    if wanted not in levels():
        raise BadRequest(
            f"There is no level {quoted(level)}. The levels are {', '.join(levels())}."
        )
    return wanted


class Found(NamedTuple):
    """What a search came to: an action and the lines that tell about it."""

    action: int
    lines: list[str]


class Session:
    """One conversation about one game.

    `emit` gets each line without its end; it is called from several threads, never from two at
    once. `think` is the search behind the level "perfect".
    """

    def __init__(
        self,
        game: Game,
        emit: Callable[[str], object],
        *,
        level: str = BEST,
        name: str = "Gridwise",
        think: Think = weigh,
    ) -> None:
        self._game = game
        self._emit = emit
        self._emitting = threading.Lock()
        self._name = name
        self._think = think
        self._level = self._usual_level = check_level(level)
        self._seed = 0
        self._position = read_position(game, start_fen(game))
        self._search: _Search | None = None

    def receive(self, line: str) -> bool:
        """Do what the line says; whether there is more to come."""
        words = line.replace("\ufeff", " ").split()
        if not words:
            return True
        command = words[0].casefold()
        if command == "quit":
            self.close()
            return False
        method = _COMMANDS.get(command)
        if method is None:
            known = " ".join([*_COMMANDS, "quit"])
            self.complain(f"There is no command {quoted(words[0])}. There are {known}.")
            return True
        try:
            getattr(self, method)(words[1:])
        except GridwiseError as error:
            self.complain(str(error))
        return True

    def complain(self, message: str) -> None:
        """Say something to the person behind the program."""
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

    # Getting to know each other

    def _ugi(self, _: list[str]) -> None:
        choices = " ".join(f"var {level}" for level in levels())
        self._say(
            f"id name {self._name}",
            "id author the Gridwise authors",
            f"option name Level type combo default {self._usual_level} {choices}",
            f"option name Seed type spin default 0 min 0 max {MOST_SEED}",
            "ugiok",
        )

    def _isready(self, _: list[str]) -> None:
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        setting = _SETTING.fullmatch(" ".join(words))
        if setting is None:
            raise BadRequest("An option is set by: setoption name NAME value VALUE.")
        name, value = setting["name"].casefold(), setting["value"] or ""
        if name == "level":
            self._level = check_level(value)
        elif name == "seed":
            number = _number(value)
            if number is None or not 0 <= number <= MOST_SEED:
                raise BadRequest(f"Seed is a number from 0 to {MOST_SEED}, not {quoted(value)}.")
            self._seed = number
        else:
            raise BadRequest(f"There is no option {quoted(name)}. There are Level and Seed.")

    # The position

    def _uginewgame(self, _: list[str]) -> None:
        self._position = read_position(self._game, start_fen(self._game))

    def _set_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        kind, board, moves = words[:1], " ".join(words[1:at]), words[at + 1 :]
        if kind == ["startpos"] and not board:
            board = start_fen(self._game)
        elif kind != ["fen"] or not board:
            raise BadRequest(
                "A position is: position startpos [moves …], or position fen BOARD [moves …], "
                f"where BOARD is like {start_fen(self._game)}."
            )
        self._position = read_position(self._game, board, moves)

    def _query(self, words: list[str]) -> None:
        question = " ".join(words)
        answers = {
            "p1turn": self._p1turn,
            "gameover": self._gameover,
            "result": self._result,
            "legal": self._legal,
            "fen": self._fen,
        }
        if question not in answers:
            raise BadRequest(f"Nobody can ask {quoted(question)}. There are {' '.join(answers)}.")
        self._say(f"response {answers[question]()}".rstrip())

    def _p1turn(self) -> str:
        return _truth(self._position.state.turn == 1 and not self._winner())

    def _gameover(self) -> str:
        return _truth(bool(self._winner()))

    def _result(self) -> str:
        return _WINNERS[self._winner()]

    def _legal(self) -> str:
        return " ".join(self._game.legal_moves(self._position.board, self._position.state))

    def _fen(self) -> str:
        return fen(self._position)

    def _winner(self) -> int:
        return self._game.rules.winner(self._position.board, self._position.state)

    # Thinking

    def _go(self, words: list[str]) -> None:
        begun = time.monotonic()
        wanted, odd = _read_go(words)
        for message in odd:
            self.complain(message)
        search = self._search
        if search and not search.wait(PATIENT if search.bounded else 0):
            raise BadRequest("Another go is still being thought about; stop comes first.")
        position = self._position
        if self._winner():
            reason = self._game.words.reason(position.board, position.state)
            self.complain(f"The game is over: {reason}.")
            self._say(f"bestmove {NONE}")
            return
        seconds, get = wanted.seconds(position.state.turn), wanted.numbers.get
        work: Callable[[Callable[[], bool]], Found]
        if self._level == BEST:
            limits = Limits(seconds, get("nodes"), get("depth"), seed=self._seed)
            if limits[:3] == (None, None, None) and not wanted.infinite:
                seconds = USUAL
                limits = limits._replace(seconds=USUAL)
            work = partial(self._weighed, position, limits, begun)
        else:
            # 0 draws other lots each time. Another number answers a position always alike.
            seed = f"{self._seed} {len(position.actions)}" if self._seed else None
            work = partial(self._played, position, self._level, seed, begun)
        self._search = _Search(
            work, partial(self._answer, position), seconds=seconds, infinite=wanted.infinite
        )

    def _stop(self, _: list[str]) -> None:
        if self._search:
            self._search.stop()

    def _weighed(
        self, position: Position, limits: Limits, begun: float, stopped: Callable[[], bool]
    ) -> Found:
        worth = self._think(position, limits._replace(stop=stopped))
        options = sorted(worth.options, key=_merit, reverse=True)
        taken = _milliseconds(begun)
        lines = [
            f"info time {taken} multipv {rank} {_told(option)} pv {_name(position, option.action)}"
            for rank, option in enumerate(options, 1)
        ]
        return Found(options[0].action, lines)

    def _played(
        self,
        position: Position,
        level: str,
        seed: str | None,
        begun: float,
        _: Callable[[], bool],
    ) -> Found:
        action = bot(self._game, level, seed).choose(position)
        return Found(action, [f"info time {_milliseconds(begun)} pv {_name(position, action)}"])

    def _answer(self, position: Position, found: Found | str) -> None:
        """The end of a search: what it came to, or why it came to nothing."""
        lines = [f"info string {found}"] if isinstance(found, str) else found.lines
        action = glance(position) if isinstance(found, str) else found.action
        self._say(*lines, f"bestmove {_name(position, action)}")


# The commands, and the methods that carry them out; `quit` is the caller's to act on.
_COMMANDS = {
    "ugi": "_ugi",
    "isready": "_isready",
    "setoption": "_setoption",
    "uginewgame": "_uginewgame",
    "position": "_set_position",
    "query": "_query",
    "go": "_go",
    "stop": "_stop",
}


class _Search:
    """One `go`: one thread works, another answers when that is done or when it is time.

    `work` is given a function that says whether to stop. `answer` is called once, with what was
    found or with why nothing was.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], Found],
        answer: Callable[[Found | str], None],
        *,
        seconds: float | None,
        infinite: bool,
    ) -> None:
        self.bounded = not infinite
        self._work, self._answer = work, answer
        self._seconds = None if infinite else seconds
        self._stopped = False
        self._found: Found | str | None = None
        self._answered = False
        self._changed = threading.Condition()
        self._answering = threading.Thread(target=self._referee, name="gridwise answers")
        self._answering.daemon = True
        threading.Thread(target=self._think, name="gridwise thinks", daemon=True).start()
        self._answering.start()

    def stop(self) -> None:
        """Let the answer be given now."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer to be given; whether it is, or is on its way."""
        with self._changed:
            answered = self._changed.wait_for(lambda: self._answered, seconds)
        if answered:
            self._answering.join(1)
        return answered

    def _think(self) -> None:
        found: Found | str
        try:
            found = self._work(lambda: self._stopped)
        except GridwiseError as error:
            found = " ".join(str(error).split())
        except Exception as error:  # noqa: BLE001 - a move is due all the same
            found = f"The search failed ({type(error).__name__}); this is the first move at hand."
        with self._changed:
            self._found = found
            self._changed.notify_all()

    def _referee(self) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (self.bounded and self._found is not None), self._seconds
            )
            self._stopped = True
            self._changed.wait_for(lambda: self._found is not None, LATE)
            found = self._found or "There was no time to think; this is the first move at hand."
            # Before it is said, so that whoever hears it can say `go` again.
            self._answered = True
            self._changed.notify_all()
        self._answer(found)


class _Wanted(NamedTuple):
    """What a `go` asks for."""

    numbers: dict[str, int]  # by the words in `_NUMBERS`; times in milliseconds
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
            # Games are short: a tenth of what is left lasts, and 50 ms pay for the way here.
            share = (left or 0) / 10 + 0.8 * (more or 0)
            times.append(int(min(share, (left or share) - 50)))
        return max(1, min(times)) / 1000 if times else None


def _read_go(words: list[str]) -> tuple[_Wanted, list[str]]:
    """What is asked for, and what could not be read. A `go` is never refused: a move is due."""
    numbers: dict[str, int] = {}
    odd = []
    left = iter(words)
    for word in left:
        if word in _NUMBERS:
            given = next(left, "")
            number = _number(given)
            if number is None:
                odd.append(f"{word} is a number, not {quoted(given)}; it is left out.")
            else:
                numbers[word] = max(0, number)
        elif word != "infinite":
            odd.append(f"go knows no {quoted(word)}; it is left out.")
    return _Wanted(numbers, "infinite" in words), odd


def _number(text: str) -> int | None:
    return int(text) if _DIGITS.fullmatch(text) else None


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _milliseconds(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))


def _name(position: Position, action: int) -> str:
    return position.game.words.action_name(position.board, position.state, action)


def _merit(option: Option) -> tuple[float, int]:
    """By which moves are ranked: what they bring, then the shortest win and the longest loss."""
    distance = option.distance or 0
    return option.points, {"win": -distance, "loss": distance}.get(option.value or "", 0)


def _told(option: Option) -> str:
    """What a move is worth: `score` as other engines say it, from -1000 to 1000, then exactly."""
    words = [f"score cp {round(2000 * option.points - 1000)}"]
    if option.value is not None:
        words.append(f"value {option.value}")
    if option.distance is not None:
        words.append(f"distance {option.distance}")
    if option.win is not None:
        words.append(f"win {option.win:.4f}")
    if option.error is not None:
        words.append(f"error {option.error:.4f}")
    return " ".join(words)


def glance(position: Position) -> int:
    """A move without a search: one that wins at once, or else does not lose at once."""
    game, board, state = position.game, position.board, position.state
    points = {state.turn: 2, 0: 1, 3: 1}

    def outlook(action: int) -> int:
        return points.get(game.rules.winner(board, game.rules.play(board, state, action)), 0)

    return max(game.legal_actions(board, state), key=outlook)
