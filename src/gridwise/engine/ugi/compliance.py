"""Whether an engine speaks UGI as it should: a table of checks, each with what was sent and heard.

What is needed to play stands first: an engine that fails one of these checks loses games by it, and
one that passes them plays whole games, with what a player is sent (`client.py`) and no more. The
rest is good manners. A check looks at one thing only: the legality of a move in one, its time in
another. So an engine that does one thing wrong fails one check. What is expected comes from the
rules of the game.

An engine is a process that may hang, die, flood its output or never read (`client.py`). Each of
these fails the check in which it happens; the engine is started again for the next. An engine that
does not get as far as `readyok` is not asked any further: the other checks are skipped.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from gridwise.core.bits import random_bit
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES, unfinished
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.engine.ugi.client import (
    MOVE_MS,
    READY_SECONDS,
    UgiProcess,
    check_command,
    signals_deferred,
)
from gridwise.engine.ugi.position_text import (
    NONE,
    RESULT_WORDS,
    parse_position,
    position_command,
    position_text,
    start_text,
)
from gridwise.errors import EngineFailed, MoveError

ANSWER_SECONDS = 4.0  # what a player has for a move of a second
START_SECONDS = 10.0  # for the answer to `ugi`, and for getting ready again
LATE_SECONDS = 0.5  # that a move may come after its time: for the way there and back
QUIT_SECONDS = 2.0  # at least, however short answers have to be
QUICK_MS = 50  # for each of many moves
TIMED_MS = 200
CLOCK_MS = 2000  # on the clock of both players
MAX_LINES = 20  # of what an engine said that a report shows
MAX_LINE_LENGTH = 200
SAMPLE_GAMES = 200  # that are played to find a win of each side and a draw
MIDGAMES = 3
ASKED_MOVES = 10  # at the beginning of a game, and again at its end
ANSWERS = ("id", "option", "ugiok", "readyok", "response", "info", "bestmove")
OPTION_TYPES = "check|spin|combo|button|string"


class Status(StrEnum):
    """How a check came out."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"  # it does not apply, or the engine did not get that far


@dataclass
class Check:
    """One check: what it is about, and what happened."""

    name: str
    about: str
    needed: bool = False  # to play; otherwise it is good manners
    status: Status = Status.SKIPPED
    sent: list[str] = field(default_factory=list)
    expected: str = ""
    got: list[str] = field(default_factory=list)


@dataclass
class ComplianceReport:
    """All checks of an engine."""

    command: str
    game: str
    name: str
    author: str
    checks: list[Check]

    def part(self, *, needed: bool) -> list[Check]:
        """The checks of what is needed to play, or those of good manners."""
        return [check for check in self.checks if check.needed is needed]

    def verdict(self, *, needed: bool) -> Status:
        """How a part came out: failed if one of its checks has, skipped if none was made."""
        found = {check.status for check in self.part(needed=needed)}
        return next(
            status for status in (Status.FAILED, Status.PASSED, Status.SKIPPED) if status in found
        )

    @property
    def can_play(self) -> bool:
        """Whether all that is needed to play has passed."""
        return self.verdict(needed=True) is Status.PASSED

    def to_json(self) -> dict[str, Any]:
        """The report for other programs."""
        return {
            "command": self.command,
            "game": self.game,
            "engine": {"name": self.name, "author": self.author},
            "needed": str(self.verdict(needed=True)),
            "manners": str(self.verdict(needed=False)),
            "checks": [asdict(check) for check in self.checks],
        }


class NotExpected(Exception):
    """Ends a check; its arguments are what came instead of what was expected."""


class CheckSkipped(Exception):
    """Ends a check that does not apply."""


class Conversation:
    """An engine that is checked: what is said to it, and what it says, noted for the report."""

    def __init__(self, command: str, game: Game, seconds: float) -> None:
        check_command(command)
        self.command, self.game, self.seconds = command, game, seconds
        self.check = Check("", "")
        self.options: list[str] = []
        self.identity: dict[str, str] = {}
        self.strange: list[str] = []  # lines that begin with no word of the protocol
        self._process: UgiProcess | None = None

    def run(self, check: Check) -> None:
        """Run a check of the table on an engine that runs: one that has ended is started again."""
        self.check = check
        try:
            if not self._process and check.name not in (*HANDSHAKE, "output"):
                for name in HANDSHAKE:
                    CHECKS[name][1](self)
                self.expecting("")
            CHECKS[check.name][1](self)
            check.status = Status.PASSED
        except CheckSkipped:
            check.status = Status.SKIPPED
        except (NotExpected, EngineFailed) as failure:
            check.status = Status.FAILED
            check.got += [str(reason)[:MAX_LINE_LENGTH] for reason in failure.args]
            with suppress(EngineFailed):
                self.close()  # a late answer must not be taken for the answer to another question

    def start(self) -> UgiProcess:
        """The running engine, started if it is not."""
        if self._process is None:
            with signals_deferred():
                self._process = UgiProcess(self.command)
        return self._process

    def close(self) -> None:
        """End the engine."""
        if self._process:
            process, self._process = self._process, None
            process.close()

    def expecting(
        self, expected: str, *, sent: Iterable[str] = (), got: Iterable[str] = ()
    ) -> None:
        """Begin to note anew, for this question."""
        self.check.sent[:], self.check.got[:] = sent, got
        self.check.expected = expected

    def say(self, *lines: str) -> None:
        """Say lines to it."""
        for line in lines:
            self.check.sent.append(line)
            self.start().send(line, self.seconds)

    def hear(self, wanted: str, seconds: float) -> str | None:
        """The rest of its next line that begins with a word; None if it does not come in time."""
        rest = self.start().receive(wanted, seconds, self.note)
        if rest is not None:
            self.note(f"{wanted} {rest}".rstrip())
        return rest

    def expect(self, wanted: str, seconds: float = 0.0) -> str:
        """The rest of its next line that begins with a word, which fails the check if missing."""
        rest = self.hear(wanted, seconds or self.seconds)
        if rest is None:
            self.check.expected = f"{wanted} within {seconds or self.seconds:.3g} seconds"
            raise NotExpected
        return rest

    def set_position(self, position: Position | str) -> None:
        """Tell it a position; what it has said before is no answer to what is asked about it."""
        self.start().forget_lines()
        self.say(position if isinstance(position, str) else position_command(position))

    def ask(self, position: Position | str, question: str) -> str | None:
        """Its answer to a query about a position; None if there is none."""
        self.set_position(position)
        self.say(f"query {question}", "isready")
        lines: list[str] = []
        ready = self.start().receive("readyok", self.seconds, lines.append)
        for line in lines:
            self.note(line)
        if ready is None:
            self.check.expected = f"response to query {question}, then readyok"
            raise NotExpected
        answers = (line.partition(" ") for line in lines)
        return next((answer for word, _, answer in answers if word == "response"), None)

    def begin_search(self, go: str) -> None:
        """Have it think about the first position, once it is ready."""
        self.set_position(first_position(self.game))
        self.say("isready")
        self.expect("readyok")
        self.say(go)

    def note(self, line: str) -> None:
        """Keep a line for the report, and what it says about the engine."""
        word, *more = line.split(" ", 2)
        if word == "option" and line not in self.options:
            self.options.append(line)
        elif word == "id" and len(more) == 2:
            self.identity.setdefault(*more)
        elif line and word not in ANSWERS and len(self.strange) < MAX_LINES:
            self.strange.append(line[:MAX_LINE_LENGTH])
        self.check.got.append(line[:MAX_LINE_LENGTH])
        if len(self.check.got) > MAX_LINES:  # the last ones say what became of it
            self.check.got[MAX_LINES // 2 : -MAX_LINES // 2] = ["…"]


def check_engine(
    command: str,
    game: Game,
    seconds: float = ANSWER_SECONDS,
    progress: Callable[[int], None] | None = None,
) -> ComplianceReport:
    """Run all checks; the engine has ended when this returns."""
    talk = Conversation(command, game, seconds)
    checks = [Check(name, about, name in NEEDED) for name, (about, _) in CHECKS.items()]
    with closing(talk):
        for number, check in enumerate(checks, 1):
            if not any(before.status is Status.FAILED for before in checks[: len(HANDSHAKE)]):
                talk.run(check)
            if progress:
                progress(number)
    identity = talk.identity
    return ComplianceReport(
        command, game.key, identity.get("name", ""), identity.get("author", ""), checks
    )


# Positions to ask about: they come from games of random moves on fixed deals, the same every time.


def first_position(game: Game) -> Position:
    """Where `startpos` is."""
    return parse_position(game, start_text(game))


def sample_line(game: Game) -> list[Position]:
    """The beginning and the end of a long game, as far as there is a move to be made."""
    games = (_random_game(game, seed) for seed in range(MIDGAMES))
    line = [each for each in max(games, key=len) if not each.outcome]
    return line[:ASKED_MOVES] + line[ASKED_MOVES:][-ASKED_MOVES:]


@lru_cache(maxsize=16)
def sample_positions(game: Game) -> tuple[Position, ...]:
    """Some positions after the first move, an end of each kind, and a game that was stopped."""
    midst: list[Position] = []
    ends: dict[int, Position] = {}
    for seed in range(SAMPLE_GAMES):
        line = _random_game(game, seed)
        last = line[-1]
        if last.outcome and last.outcome.winner:
            ends.setdefault(last.outcome.winner, last)
        if len(midst) < MIDGAMES and len(line) > 2:
            midst.append(line[1 + seed % (len(line) - 2)])
        if len(ends) == 3 and len(midst) == MIDGAMES:
            break
    return (*midst, *ends.values(), *_stopped_game(game))


def _random_game(game: Game, seed: int) -> list[Position]:
    board = game.deal(Stream(seed))
    line = [start(game, board, 1)]
    rng = random.Random(seed)
    while not line[-1].outcome and len(line) < MAX_PLIES:
        action = random_bit(line[-1].legal_mask, rng.random)
        line.append(line[-1].play(action, board))
    return line


def _stopped_game(game: Game) -> Iterator[Position]:
    """A game of MAX_PLIES plies that end nothing, if there can be one: then it is over."""
    for seed in range(SAMPLE_GAMES if game.cyclic else 0):
        board, rng = game.deal(Stream(seed)), random.Random(seed)
        position = start(game, board, 1)
        for _ in range(MAX_PLIES):
            after = [position.play(action, board) for action in position.legal]
            going_on = [later for later in after if not later.outcome]
            if not going_on:
                break
            position = going_on[int(rng.random() * len(going_on))]
        else:
            yield position.ended(unfinished(MAX_PLIES))
            return


# The checks


def _start(talk: Conversation) -> None:
    talk.expecting("a process")
    talk.start()


def _answered(talk: Conversation, line: str, wanted: str, seconds: float) -> None:
    talk.expecting(wanted)
    talk.say(line)
    talk.expect(wanted, seconds)


def _accepted(talk: Conversation, *lines: str, seconds: float = 0.0) -> None:
    """Say some lines; then the engine still has to be ready."""
    talk.expecting("readyok")
    talk.say(*lines, "isready")
    talk.expect("readyok", seconds)


def _seed(talk: Conversation) -> None:
    if not any(option.startswith("option name Seed ") for option in talk.options):
        raise CheckSkipped
    _accepted(talk, "setoption name Seed value 1", seconds=START_SECONDS)


def _best_move(talk: Conversation) -> None:
    milliseconds = MOVE_MS  # as in a match, once; the others would take too long
    for position in sample_line(talk.game):
        talk.expecting(f"bestmove {'|'.join(position.legal_moves)}")
        talk.set_position(position)
        talk.say(f"go movetime {milliseconds}")
        move = talk.expect("bestmove").partition(" ponder")[0]
        try:
            position.read(move)
        except MoveError as error:
            raise NotExpected(error) from None
        milliseconds = QUICK_MS


def _identified(talk: Conversation) -> None:
    said = [f"id {key} {value}" for key, value in talk.identity.items()]
    talk.expecting("id name …, id author …", sent=["ugi"], got=said)
    if not {"name", "author"} <= talk.identity.keys():
        raise NotExpected


def _options(talk: Conversation) -> None:
    talk.expecting(f"option name … type {OPTION_TYPES} …", sent=["ugi"], got=talk.options)
    written = re.compile(rf"option name (?!type\b).*?\btype ({OPTION_TYPES})\b")
    if not all(written.match(line) for line in talk.options):
        raise NotExpected


def _set_options(talk: Conversation) -> None:
    defaults = re.compile(r"option name (.*?) type .*? default (.+?)(?: (?:min|max|var) .*)?$")
    others = [option for option in talk.options if not option.startswith("option name Seed ")]
    options = filter(None, map(defaults.match, others))
    lines = ["setoption name {} value {}".format(*option.groups()) for option in options]
    _accepted(talk, *lines)


def _start_position(talk: Conversation) -> None:
    """Compare its answers with those that it gives when it is told the same board."""
    known = {}
    for question in TRUTHS:
        known[question] = talk.ask(first_position(talk.game), question)
        talk.set_position(sample_positions(talk.game)[0])  # or to stay there would be enough
        talk.expecting(f"response {known[question]}")
        if talk.ask("position startpos", question) != known[question]:
            raise NotExpected
    if not any(known.values()):
        raise CheckSkipped


def _query(talk: Conversation, question: str) -> None:
    """Compare the answers to a query with what is true, over sample positions.

    One that UGI does not have is skipped where the engine does not answer it.
    """
    first = first_position(talk.game)
    if question in OPTIONAL and talk.ask(first, question) is None:
        raise CheckSkipped
    for position in (first, *sample_positions(talk.game)):
        truth = TRUTHS[question](position)
        talk.expecting(f"response {truth}".rstrip())
        said = talk.ask(position, question)
        if said != truth and not (said and sorted(said.split()) == sorted(truth.split())):
            raise NotExpected


def _first(talk: Conversation) -> None:
    if not talk.game.coin_toss:
        raise CheckSkipped
    board = start_text(talk.game)
    for sent, expected in ((f"{board},p2", "false"), (board, "true")):
        talk.expecting(f"response {expected}")
        if talk.ask(f"position fen {sent}", "p1turn") != expected:
            raise NotExpected


def _timed(talk: Conversation, go: str, milliseconds: int) -> None:
    """Have a move made, and fail if it takes longer."""
    limit = milliseconds / 1000 + LATE_SECONDS
    talk.expecting(f"bestmove within {limit:.3g} seconds")
    talk.begin_search(go)
    begun = time.monotonic()
    talk.expect("bestmove", limit + talk.seconds)
    taken = time.monotonic() - begun
    if taken > limit:
        raise NotExpected(f"after {taken:.2f} seconds")


def _limits(talk: Conversation) -> None:
    talk.expecting("bestmove, twice")
    for go in ("go depth 2", "go nodes 500"):
        talk.set_position(first_position(talk.game))
        talk.say(go)
        talk.expect("bestmove", 2 * talk.seconds)


def _infinite(talk: Conversation) -> None:
    talk.expecting("no bestmove before stop")
    talk.set_position(first_position(talk.game))
    talk.say("go infinite")
    if talk.hear("bestmove", 0.5) is not None:
        raise NotExpected
    talk.say("stop")
    if talk.hear("bestmove", talk.seconds) is None:  # which is the next check's question
        talk.close()  # or it might come there


def _stop(talk: Conversation) -> None:
    talk.expecting(f"bestmove within {LATE_SECONDS + 0.5:g} seconds of stop")
    talk.begin_search("go infinite")
    if talk.hear("bestmove", 0.2) is not None:
        return  # too early, which is another check's question
    talk.say("stop")
    talk.expect("bestmove", LATE_SECONDS + 0.5)


def _unknown(talk: Conversation) -> None:
    talk.expecting("info string …, then readyok")
    talk.start().forget_lines()
    talk.say("abracadabra 1 2 3", "isready")
    talk.expect("readyok")
    if not any(line.startswith("info string") for line in talk.check.got):
        raise NotExpected


def _output(talk: Conversation) -> None:
    talk.expecting(f"lines that begin with {', '.join(ANSWERS)}", got=talk.strange)
    if talk.strange:
        raise NotExpected


def _quit(talk: Conversation) -> None:
    limit = max(QUIT_SECONDS, talk.seconds)  # on a busy machine Python takes seconds to end
    talk.expecting(f"the process ends within {limit:g} seconds")
    talk.say("quit")
    try:
        talk.hear("\0", limit)  # no line begins like this
    except EngineFailed:
        return  # its output is closed: it has ended
    raise NotExpected("it still runs")


NONSENSE = ("position", "position fen %%%", "position startpos moves nonsense")
CLOCKS = f"go p1time {CLOCK_MS} p2time {CLOCK_MS} p1inc 0 p2inc 0"
OPTIONAL = ("legal", "fen")
TRUTHS: dict[str, Callable[[Position], str]] = {  # the moves of `legal` may be in any order
    "p1turn": lambda position: str(position.turn == 1).lower(),
    "gameover": lambda position: str(bool(position.outcome)).lower(),
    "result": lambda position: RESULT_WORDS[position.outcome.winner] if position.outcome else NONE,
    "legal": lambda position: " ".join(position.legal_moves),
    "fen": position_text,
}
HANDSHAKE = ("start", "ugi", "isready")  # the first ones; without these there is no going on
NEEDED = (*HANDSHAKE, "seed", "newgame", "bestmove")
CHECKS: dict[str, tuple[str, Callable[[Conversation], None]]] = {
    "start": ("The command starts a program", _start),
    "ugi": (
        "`ugi` is answered with `ugiok`",
        lambda talk: _answered(talk, "ugi", "ugiok", START_SECONDS),
    ),
    "isready": (
        "`isready` is answered with `readyok`",
        lambda talk: _answered(talk, "isready", "readyok", READY_SECONDS),
    ),
    "seed": ("An option Seed, which a match sets, can be set", _seed),
    "newgame": (
        "`uginewgame` is accepted",
        lambda talk: _accepted(talk, "uginewgame", seconds=START_SECONDS),
    ),
    "bestmove": ("`go movetime` is answered with a legal move", _best_move),
    # From here on it is good manners.
    "id": ("The answer to `ugi` has `id name` and `id author`", _identified),
    "options": ("Each option is written `option name NAME type TYPE …`", _options),
    "setoption": ("An option can be set to its default", _set_options),
    "startpos": ("`position startpos` is the board that stands for it", _start_position),
    "p1turn": (
        "`query p1turn` says whether Player 1 is to move",
        lambda talk: _query(talk, "p1turn"),
    ),
    "gameover": (
        "`query gameover` says whether the game is over",
        lambda talk: _query(talk, "gameover"),
    ),
    "result": ("`query result` says who has won, or none", lambda talk: _query(talk, "result")),
    "first": ("Where a coin decides who begins, `BOARD,p2` lets Player 2 begin", _first),
    "legal": (
        "`query legal`, where it is known, lists the legal moves",
        lambda talk: _query(talk, "legal"),
    ),
    "fen": (
        "`query fen`, where it is known, gives the board back",
        lambda talk: _query(talk, "fen"),
    ),
    "movetime": (
        "`go movetime` is answered in time",
        lambda talk: _timed(talk, f"go movetime {TIMED_MS}", TIMED_MS),
    ),
    "clock": (
        "`go` with clocks is answered before the clock runs out",
        lambda talk: _timed(talk, CLOCKS, CLOCK_MS),
    ),
    "limits": ("`go depth` and `go nodes` are answered", _limits),
    "infinite": ("`go infinite` thinks until it is stopped", _infinite),
    "stop": ("`stop` is answered with the move at once", _stop),
    "unknown": (
        "An unknown command is answered with `info string` and otherwise ignored",
        _unknown,
    ),
    "bad-position": (
        "A position that makes no sense does not end the engine",
        lambda talk: _accepted(talk, *NONSENSE),
    ),
    "output": ("Every line that was said begins with a word of the protocol", _output),
    "quit": ("`quit` ends the engine", _quit),
}
