"""The engine's conversation: lines in, lines out."""

from __future__ import annotations

import queue
import random
import re
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Match
from gridwise.core.bits import random_bit
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.bots import LEVELS, RandomBot
from gridwise.engine.chance.mcts import search_claims
from gridwise.engine.compiled.kernels import is_compiled
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate, prepare
from gridwise.engine.exact.forward_search import search_forced_win
from gridwise.engine.ugi import protocol as ugi
from gridwise.engine.ugi.position_text import parse_position, position_text, start_text
from gridwise.engine.ugi.protocol import LATE_SECONDS, Session, move_without_search, parse_go
from gridwise.errors import BadBoard, BadRequest, GridwiseError

CONNECT = "41/63/28"  # small enough to be searched to the end in no time
RUN = "31425/25134/42513/14252/53142"
DARK = "?????/?????/?????/?????/?????"
LOOKED_UP = "53152/24251/43453/?1523/?2214"  # the board of the worked example
CLAIMS = "C3 D4 D3 A1 B2 B4 C5"
SAYINGS = re.findall(
    r"\S+",
    "ugi isready position startpos fen moves query legal stop uginewgame setoption name Level "
    "value up down 0,1 -1 ..X../..... ,p2 movetime",
)


def shrug(position: Position, limits: Limits) -> Evaluation:
    """A search that finds all moves alike."""
    return Evaluation(
        tuple(MoveValue(action, position.name(action), "draw", 1) for action in position.legal)
    )


def until_stopped(position: Position, limits: Limits) -> Evaluation:
    """A search that goes on until it is told to stop, and listens every millisecond."""
    assert limits.stop
    while not limits.stop():
        time.sleep(0.001)
    return shrug(position, limits)


class Held:
    """A search or a preparation that cannot be stopped; it goes on until it is let go."""

    def __init__(self) -> None:
        self.asked: list[Position] = []
        self.go_on = threading.Event()

    def __call__(self, position: Position, limits: Limits | None = None) -> Evaluation:
        """Do not listen."""
        self.asked.append(position)
        assert self.go_on.wait(60)
        return shrug(position, limits or Limits())


@pytest.fixture
def held() -> Iterator[Held]:
    """One of them."""
    search = Held()
    yield search
    search.go_on.set()


class Talk:
    """A session and what it has said."""

    def __init__(self, key: str, **options: object) -> None:
        self._said: queue.Queue[str] = queue.Queue()
        options.setdefault("think", shrug)
        options.setdefault("prepare", None)
        self.session = Session(game_of(key), self._said.put, **options)  # type: ignore[arg-type]

    def send(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            self.session.receive(line)

    def say(self, *lines: str) -> list[str]:
        """Send lines; what has been said by now."""
        self.send(*lines)
        return self.heard()

    def heard(self) -> list[str]:
        """What has been said and not been listened to."""
        lines = []
        while not self._said.empty():
            lines.append(self._said.get())
        return lines

    def until(self, word: str) -> list[str]:
        """What is said up to the line that begins with a word."""
        lines = [self._said.get(timeout=30)]
        while lines[-1].split()[0] != word:
            lines.append(self._said.get(timeout=30))
        return lines

    def go(self, *words: str) -> str:
        """The move that a `go` is answered with."""
        self.send(" ".join(["go", *words]))
        return self.until("bestmove")[-1].removeprefix("bestmove ")

    def ask(self, question: str) -> str:
        """The response to a query."""
        (line,) = self.say(f"query {question}")
        return line.removeprefix("response").strip()


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """A way to begin talks that are ended after the test."""
    begun: list[Talk] = []

    def begin(key: str, **options: object) -> Talk:
        begun.append(Talk(key, **options))
        return begun[-1]

    yield begin
    for each in begun:
        each.session.close()


Begin = Callable[..., Talk]


# Getting to know each other


def test_an_engine_says_who_it_is(talk: Begin) -> None:
    """`ugi` is answered with a name, an author, the options and `ugiok`."""
    said = talk("grid-runner", name="Gridwise 1.2").say("ugi")
    assert said[:2] == ["id name Gridwise 1.2", "id author the Gridwise authors"]
    level, seed = said[2:4]
    choices = " ".join(f"var {name}" for name in LEVELS)
    assert level == f"option name Level type combo default perfect {choices}"
    assert re.fullmatch(r"option name Seed type spin default 0 min 0 max \d+", seed)
    assert said[4:] == ["ugiok"]
    set_to = talk("grid-runner")
    set_to.say("setoption name Level value novice")
    assert set_to.say("ugi")[2] == level  # the default, whatever has been set


def test_an_unknown_command_is_told_and_otherwise_ignored(talk: Begin) -> None:
    """Whatever is said, the conversation goes on."""
    each = talk("grid-runner")
    for line in ("xyzzy", "\x00\x01\ufffd", "ponderhit", "register later", "d" * 10_000):
        (said,) = each.say(line)
        assert said.startswith("info string There is no command ")
        assert len(said) < 200
    assert each.say("", "   ", "\t\r") == []
    assert each.say("isready") == ["readyok"]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(SAYINGS),
            st.text(max_size=8),
        ),
        max_size=6,
    )
)
def test_nothing_that_is_said_raises(words: list[str]) -> None:
    """Any words at all are answered, in whole lines, and leave a position that can be asked."""
    each = Talk("grid-runner")
    said = each.say(" ".join(words))
    assert all(len(line.splitlines()) == 1 for line in said)
    if not any(word.strip().casefold() == "quit" for word in words):
        assert each.say("isready") == ["readyok"]


def test_readyok_comes_when_the_search_is_loaded(talk: Begin, held: Held) -> None:
    """Not before. It is loaded once, with a position of the game, and then is ready at once."""
    each = talk("grid-conquest", prepare=held)
    assert each.say("isready") == []
    time.sleep(0.05)
    assert each.heard() == []
    held.go_on.set()
    assert each.until("readyok") == ["readyok"]
    assert each.say("uginewgame", "isready") == ["readyok"]
    assert [position_text(position) for position in held.asked] == [DARK]


def test_lines_after_isready_are_answered_after_readyok(talk: Begin, held: Held) -> None:
    """A script that is read at once gets its answers in order."""
    each = talk("grid-runner", prepare=held)
    threading.Timer(0.1, held.go_on.set).start()
    each.send("isready", "isready", "query p1turn", "go movetime 500")
    assert each.until("bestmove")[:3] == ["readyok", "readyok", "response true"]


def test_stop_and_quit_do_not_wait_for_the_search_to_be_loaded(talk: Begin, held: Held) -> None:
    """There is nothing to stop, and whoever leaves does not want to wait."""
    each = talk("grid-runner", prepare=held)
    each.send("isready", "stop")
    assert not each.session.receive("quit")
    assert each.heard() == []
    held.go_on.set()


def test_what_takes_long_is_told(talk: Begin, held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling may take half a minute; nobody should think that the engine hangs."""
    monkeypatch.setattr(ugi, "SILENT_SECONDS", 0.05)
    each = talk("grid-conquest", prepare=held)
    each.send("isready")
    (said,) = each.until("info")
    assert said == "info string Compiling the search, once: it takes up to half a minute."
    held.go_on.set()
    assert each.until("readyok") == ["readyok"]


def test_an_engine_that_cannot_be_loaded_is_ready_all_the_same(talk: Begin) -> None:
    """It is told, and whoever waits for `readyok` gets it."""

    def fail(position: Position) -> None:
        raise ZeroDivisionError

    each = talk("grid-runner", prepare=fail)
    each.send("isready")
    said = each.until("readyok")
    assert said == ["info string The search could not be loaded (ZeroDivisionError).", "readyok"]


def test_a_level_that_does_not_search_is_ready_at_once(talk: Begin, held: Held) -> None:
    """Nothing is loaded for a bot that goes by how moves look."""
    each = talk("grid-conquest", prepare=held, level="casual")
    assert each.say("isready") == ["readyok"]
    assert held.asked == []


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_search_that_was_prepared_compiles_nothing(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the first of a process nor the next on another board has to load anything."""
    prepare(parse_position(game, start_text(game)))

    def load(self: object, args: object) -> None:
        raise AssertionError("a kernel is loaded")

    monkeypatch.setattr("gridwise.engine.compiled.kernels._Kernel._load", load)
    for seed in range(3):
        assert evaluate(Match(game, seed=seed), Limits(nodes=500)).moves or game.cyclic
    if game.has_hidden_cells:
        assert is_compiled(game, search_claims)
    elif not game.cyclic:
        assert is_compiled(game, search_forced_win)


# Options


def test_options_are_forgiving_about_case_and_strict_about_values(talk: Begin) -> None:
    """What cannot be set is told, with what could be."""
    each = talk("grid-runner")
    assert each.say("setoption name LEVEL value Random", "setoption name seed value 7") == []
    for line, told in {
        "setoption name Level value godlike": "There is no level",
        "setoption name Level": "There is no level",
        "setoption name Seed value -1": "Seed is a number from 0 to",
        "setoption name Seed value many": "Seed is a number from 0 to",
        f"setoption name Seed value {'9' * 5000}": "Seed is a number from 0 to",
        "setoption name Hash value 12": "The options are Level and Seed",
        "setoption": "setoption name NAME value VALUE",
    }.items():
        (said,) = each.say(line)
        assert said.startswith("info string ")
        assert told in said


def test_a_session_cannot_begin_at_a_level_that_does_not_exist() -> None:
    """The message names the levels."""
    with pytest.raises(BadRequest, match="The levels are random"):
        Session(game_of("grid-runner"), print, level="godlike")


def test_a_lower_level_plays_through_its_bot(talk: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below perfect nothing is searched here: the bot of that level chooses."""
    asked = []

    class Last:
        name = "bot:last"

        def choose(self, position: Position) -> int:
            return position.legal[-1]

    def bot(game: Game, level: str, seed: object) -> Last:
        asked.append((level, seed))
        return Last()

    monkeypatch.setattr(ugi, "bot", bot)
    each = talk("number-run", think=None)
    each.say("setoption name Level value random", f"position fen {RUN}")
    assert each.go() == "1,0"
    each.say("setoption name Seed value 9")
    assert each.go("movetime", "500") == "1,0"
    assert asked == [("random", None), ("random", "9 0")]


def test_the_same_seed_plays_the_same_moves(talk: Begin) -> None:
    """With a seed, a level answers a position always alike; other seeds answer otherwise."""

    def played(seed: int) -> list[str]:
        each = talk("number-connect", level="random")
        each.say(f"setoption name Seed value {seed}")
        return [each.go("movetime", "500") for _ in range(3)]

    assert len(set(played(5))) == 1
    assert played(5) == played(5)
    assert len({played(seed)[0] for seed in range(1, 12)}) > 1


# Positions


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_startpos_is_a_position_to_begin_from(game: Game, talk: Begin) -> None:
    """Every game has a `startpos`; it is where a conversation begins, and a new game too."""
    each = talk(game.key)
    legal, board = each.ask("legal"), each.ask("fen")
    assert board == (DARK if game.has_hidden_cells else start_text(game))
    assert each.say("position startpos") == []
    assert (each.ask("legal"), each.ask("fen"), each.ask("p1turn")) == (legal, board, "true")
    assert each.say(f"position startpos moves {legal.split()[0]}") == []
    assert each.ask("p1turn") == "false"
    each.say("uginewgame")
    assert (each.ask("legal"), each.ask("fen"), each.ask("p1turn")) == (legal, board, "true")


def test_startpos_of_each_game() -> None:
    """The one board, or the board of the game's text; always a full one."""
    assert {game.key: start_text(game) for game in games()} == {
        "number-run": RUN,
        "number-maze": "1324/2132/4213/3421",
        "grid-runner": "..X../...../X.X.X/...../..X..",
        "grid-conquest": "53152/24251/43453/31523/22214",
        "number-connect": "4152/6371/2845/9162",
    }


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_client_without_openings_can_play_any_game(game: Game, talk: Begin) -> None:
    """From `startpos`, by what `go` and `query` answer alone, a game comes to its end."""
    each = talk(game.key, level="casual")
    each.say("setoption name Seed value 3")
    moves: list[str] = []
    while each.ask("gameover") == "false":
        moves.append(each.go("movetime", "500"))
        assert each.say(f"position startpos moves {' '.join(moves)}") == []
    assert each.ask("result") in ("p1win", "p2win", "draw")


@settings(max_examples=60, deadline=None)
@given(key=st.sampled_from([game.key for game in games()]), seed=st.integers(0, 10**9))
def test_a_position_survives_being_written_and_read(key: str, seed: int) -> None:
    """Board, first player, target and moves as text give the same Position again."""
    game, rng = game_of(key), random.Random(seed)
    board = game.deal(rng, target=game.target + seed % 3 if game.target else None)
    match = Match(game, board, first=1 + seed % 2 if game.coin_toss else 1)
    for _ in range(seed % 9):
        if match.outcome is None:
            match.move(random_bit(match.position.legal_mask, rng.random))
    position = match.position
    assert parse_position(game, position_text(position), position.moves) == position


def test_a_fen_says_who_is_first_and_what_to_reach() -> None:
    """`,p2` where a coin decides who is first, `,target=N` where points are counted.

    `,handicap=N` where Player 2 begins with points.
    """
    for points in (1, 7):
        ahead = parse_position(game_of("number-run"), f"{RUN},handicap={points}")
        assert ahead.scores == (0, points)
        assert position_text(ahead) == f"{RUN},handicap={points}"
    conquest, connect = game_of("grid-conquest"), game_of("number-connect")
    assert parse_position(conquest, f"{DARK},p2").first == 2
    assert parse_position(conquest, f"{DARK}, P1").first == 1
    assert parse_position(conquest, f"{DARK},p2,target=20").board.target == 20
    assert parse_position(connect, CONNECT).board.target == 15
    for text in (f"{CONNECT},p2", f"{CONNECT},p3", f"{CONNECT},", f"{CONNECT},target=-1"):
        with pytest.raises(BadRequest):
            parse_position(connect, text)
    for text in (f"{CONNECT},target=0", "", ",p1"):
        with pytest.raises(BadBoard):
            parse_position(connect, text)
    with pytest.raises(GridwiseError):
        parse_position(game_of("grid-runner"), "...,target=3")


def test_what_cannot_be_played_leaves_the_position_as_it_was(talk: Begin) -> None:
    """A bad board or move is named, and the position before it still stands."""
    each = talk("number-run")
    each.say(f"position fen {RUN} moves 0,1 3,4 1,1")
    before = [each.ask(question) for question in ("legal", "fen", "p1turn")]
    for line, told in {
        f"position fen {RUN} moves 0,1 0,1": 'Move 2, "0,1"',
        f"position fen {RUN} moves 0,1 jump": 'Move 2, "jump"',
        "position fen 314/25": "different lengths",
        "position fen 999/999": "Row 1 of the board",
        f"position fen {RUN},p2": "Player 1 always goes first",
        "position": "position startpos",
        "position fen": "position startpos",
        "position startpos 0,1": "position startpos",
        "position moves 0,1": "position startpos",
        f"position {RUN}": "position startpos",
    }.items():
        (said,) = each.say(line)
        assert said.startswith("info string ")
        assert told in said
        assert [each.ask(question) for question in ("legal", "fen", "p1turn")] == before


@pytest.mark.parametrize(
    ("key", "position", "answers"),
    [
        ("grid-runner", "startpos", {"legal": "down right"}),
        ("grid-runner", "startpos moves right up", {"legal": "down left"}),
        (
            "number-run",
            f"fen {RUN} moves 0,1 3,4 1,1",
            {"legal": "2,4 3,3", "p1turn": "false", "gameover": "false", "result": "none"},
        ),
        (
            "number-maze",
            "fen 1324/2132/4213/3421 moves right left down up",
            {"gameover": "true", "result": "p2win", "legal": "", "p1turn": "false"},
        ),
        (
            "number-connect",
            "fen 4152/6371/2845/9162 moves 0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2",
            {"result": "p2win"},
        ),
        ("grid-conquest", f"fen {LOOKED_UP} moves {CLAIMS}", {"result": "p1win"}),
        ("grid-conquest", f"fen {LOOKED_UP},p2 moves {CLAIMS}", {"result": "p2win"}),
        ("grid-conquest", "fen 11 moves A1 A2", {"result": "draw", "gameover": "true"}),
    ],
)
def test_worked_examples_in_a_conversation(
    key: str, position: str, answers: dict[str, str], talk: Begin
) -> None:
    """The rulings' examples, asked for by query; `none` while nobody has won is not a draw."""
    each = talk(key)
    assert each.say(f"position {position}") == []
    assert {question: each.ask(question) for question in answers} == answers


def test_a_game_that_can_go_on_for_ever_is_a_draw_after_200_plies(talk: Begin) -> None:
    """Not a ply sooner. Then it is over like any other: no moves, and nobody's turn."""
    each, start = talk("grid-runner"), "position startpos"
    shuffle = ["down", "up", "up", "down"] * 50
    each.say(f"{start} moves {' '.join(shuffle[:199])}")
    assert (each.ask("gameover"), each.ask("result"), each.ask("p1turn")) == (
        "false",
        "none",
        "false",
    )
    assert each.go("movetime", "500") in each.ask("legal").split()
    for plies in (shuffle, shuffle + shuffle[:7]):
        assert each.say(f"{start} moves {' '.join(plies)}") == []
        assert (each.ask("gameover"), each.ask("result")) == ("true", "draw")
        assert (each.ask("legal"), each.ask("p1turn")) == ("", "false")
        assert each.say("go movetime 100") == [
            "info string The game is over: unfinished after 200 plies.",
            "bestmove none",
        ]


def test_a_question_that_nobody_can_ask_is_told(talk: Begin) -> None:
    """The message names the questions there are."""
    for line in ("query", "query weather", "query legal now"):
        (said,) = talk("grid-runner").say(line)
        assert said.startswith("info string There is no query ")
        assert said.endswith("The queries are p1turn gameover result legal fen.")


# Thinking


@pytest.mark.parametrize(
    ("down", "right", "chosen"),
    [
        (("loss", 4), ("win", 15), "right"),
        (("win", 3), ("win", 5), "down"),
        (("loss", 2), ("loss", 6), "right"),
        (("endless", None), ("loss", 6), "down"),
        (("endless", None), ("win", 15), "right"),
    ],
)
def test_the_best_move_is_played(
    down: tuple[str, int], right: tuple[str, int], chosen: str, talk: Begin
) -> None:
    """Of the moves, one that keeps the best result: the shortest win, the longest loss."""

    def think(position: Position, limits: Limits) -> Evaluation:
        return Evaluation((MoveValue(1, "down", *down), MoveValue(3, "right", *right)))

    assert talk("grid-runner", think=think).go("movetime", "300") == chosen


@pytest.mark.parametrize(
    ("key", "moves", "expected"),
    [
        (
            "grid-runner",
            (MoveValue(1, "down", "loss", 4), MoveValue(3, "right", "win", 15)),
            [
                "score cp 1000 value win distance 15 pv right",
                "score cp -1000 value loss distance 4 pv down",
            ],
        ),
        (
            "grid-conquest",
            (
                MoveValue(0, "A1", win=0.25, error=0.01),
                MoveValue(12, "C3", win=0.675, error=0.0042),
            ),
            [
                "score cp 350 win 0.6750 error 0.0042 pv C3",
                "score cp -500 win 0.2500 error 0.0100 pv A1",
            ],
        ),
    ],
)
def test_info_tells_what_every_move_is_worth(
    key: str, moves: tuple[MoveValue, ...], expected: list[str], talk: Begin
) -> None:
    """One line a move, the best first; a sampled probability comes with its standard error."""
    each = talk(key, think=lambda position, limits: Evaluation(moves))
    each.send("go movetime 300")
    *said, move = each.until("bestmove")
    assert [re.sub(r"^info time \d+ multipv \d ", "", line) for line in said] == expected
    assert [line.split()[4] for line in said] == ["1", "2"]
    assert move == f"bestmove {expected[0].split()[-1]}"


def test_limits_reach_the_search(talk: Begin) -> None:
    """movetime, depth, nodes, the clock of the player to move, and the seed."""
    seen: list[Limits] = []

    def think(position: Position, limits: Limits) -> Evaluation:
        seen.append(limits._replace(stop=None))
        return shrug(position, limits)

    each = talk("grid-runner", think=think)
    asked: dict[str, Limits] = {
        "go movetime 250": Limits(0.25),
        "go depth 4": Limits(depth=4),
        "go nodes 1000 movetime 90": Limits(0.09, 1000),
        "go": Limits(ugi.DEFAULT_SECONDS),
        "go movetime 0": Limits(0.001),
        "go movetime -5": Limits(0.001),
        "go p1time 10000 p2time 100 p1inc 1000 p2inc 0": Limits(1.8),
        "go p1time 100 p2time 90000 p1inc 5000 p2inc 5000": Limits(0.05),
        "go p2time 100": Limits(ugi.DEFAULT_SECONDS),
    }
    for line in asked:
        each.send(line)
        each.until("bestmove")
    assert seen == list(asked.values())
    each.send("setoption name Seed value 12", "position startpos moves down", "go p2time 100")
    each.until("bestmove")
    assert seen[-1] == Limits(0.01, seed=12)


def test_a_go_that_cannot_be_read_is_answered_all_the_same(talk: Begin) -> None:
    """A move is due; what was not understood is told and left out."""
    each = talk("grid-runner")
    for line in ("go movetime soon", "go movetime", f"go nodes {'9' * 5000}", "go wtime 5 ponder"):
        each.send(line)
        said = each.until("bestmove")
        assert said[0].startswith("info string ")
        assert said[-1] == "bestmove down"


def test_a_game_that_is_over_has_no_best_move(talk: Begin) -> None:
    """It is said why it is over, and `bestmove none`."""
    each = talk("number-maze")
    each.say("position fen 1324/2132/4213/3421 moves right left down up")
    for line in ("go movetime 100", "go infinite", "go"):
        assert each.say(line) == [
            "info string The game is over: the opponent has no valid moves.",
            "bestmove none",
        ]


def test_infinite_waits_for_stop(talk: Begin) -> None:
    """However soon the search is done, the answer comes after `stop` and not before."""
    each = talk("grid-runner", think=shrug)
    each.say("go infinite")
    time.sleep(0.15)
    assert each.heard() == []
    each.send("stop")
    assert each.until("bestmove")[-1] == "bestmove down"
    assert each.say("stop", "stop") == []


def test_the_engine_listens_while_it_thinks(talk: Begin) -> None:
    """Questions, options and positions are for now; the search goes on with what it was given."""
    each = talk("grid-runner", think=until_stopped)
    each.say("go infinite")
    assert each.say("isready") == ["readyok"]
    assert each.say("query legal") == ["response down right"]
    assert each.say("position startpos moves right", "query p1turn") == ["response false"]
    (said,) = each.say("go movetime 5")
    assert said == "info string Another go is still running; send stop first."
    each.send("stop")
    assert each.until("bestmove")[-1] == "bestmove down"
    assert each.go("movetime", "20") == "up"


def test_a_go_waits_for_the_one_before_it(talk: Begin) -> None:
    """A script that is read at once gets an answer to each of its questions, in order."""
    each = talk("grid-runner", think=until_stopped)
    each.send("go movetime 60", "position startpos moves down", "go movetime 60")
    moves = [each.until("bestmove")[-1] for _ in range(2)]
    assert moves == ["bestmove down", "bestmove up"]


def test_quit_gives_the_best_answer_so_far(talk: Begin) -> None:
    """Leaving while it thinks ends the search, with its answer."""
    each = talk("grid-runner", think=until_stopped)
    assert each.say("go infinite", "quit")[-1] == "bestmove down"


WITHOUT = "info string There was no time to search; this move was chosen without one."


@pytest.mark.parametrize("start", ["go infinite", "go movetime 60000"])
def test_stop_takes_effect_at_once(talk: Begin, held: Held, start: str) -> None:
    """Whether the search listens or not: then the answer does not wait for its end."""
    for think in (until_stopped, held):
        each = talk("grid-runner", think=think)
        each.send(start, "stop")
        said = each.until("bestmove")
        assert said[-1] == "bestmove down"
        assert (said[0] == WITHOUT) == (think is held)
    assert not held.go_on.is_set()


@pytest.mark.parametrize("go", ["movetime 100", "p1time 100 p1inc 1"])
def test_time_limits_take_effect_at_once(talk: Begin, held: Held, go: str) -> None:
    """A search that listens is told when its time is up, one that does not loses no game."""
    listening: list[bool] = []

    def think(position: Position, limits: Limits) -> Evaluation:
        assert limits.stop
        listening.append(limits.stop())
        return until_stopped(position, limits)

    assert talk("grid-runner", think=think).go(go) == "down"
    assert listening == [False]
    each = talk("grid-runner", think=held)
    each.send(f"go {go}")
    assert each.until("bestmove") == [WITHOUT, "bestmove down"]
    assert not held.go_on.is_set()


@pytest.mark.parametrize(
    ("go", "seconds", "grace"),
    [
        ("p1time 10 p2time 9 p1inc 1 p2inc 1", 0.001, 0.003),
        ("p1time 100 p2time 9 p1inc 1 p2inc 1", 0.01, 0.03),
        ("p1time 60000 p2time 9", 6.0, LATE_SECONDS),
        ("p1time 0 p2time 9", 0.001, 0.002),
        ("p2time 9", None, LATE_SECONDS),
        ("movetime 10", 0.01, 0.005),
        ("movetime 50", 0.05, 0.025),
        ("movetime 1000", 1.0, LATE_SECONDS),
        ("movetime 1000 p1time 50", 0.001, 0.0163),
        ("nodes 100", None, LATE_SECONDS),
        ("infinite", None, LATE_SECONDS),
        ("infinite p1time 1000 p2time 9 p1inc 1", None, LATE_SECONDS),  # clocks are sent along
    ],
)
def test_what_is_left_on_the_clock_bounds_the_grace(
    go: str, seconds: float | None, grace: float
) -> None:
    """Time and grace together leave most of the clock; a short time has a short grace."""
    request, _ = parse_go(go.split())
    assert request.seconds(1) == seconds
    assert request.grace(1) == pytest.approx(grace, abs=0.0002)
    assert grace < 0.1


@pytest.mark.parametrize("level", ["random", "perfect"])
def test_a_search_that_fails_costs_no_game(
    talk: Begin, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and a legal move is played."""

    def fail(position: Position, limits: Limits) -> Evaluation:
        raise ZeroDivisionError

    def choose(self: object, position: Position) -> int:
        raise BadRequest("I would\nrather not.")

    monkeypatch.setattr(RandomBot, "choose", choose)
    each = talk("grid-runner", think=fail, level=level)
    each.send("go movetime 200")
    told, move = each.until("bestmove")
    assert told.startswith("info string ")
    assert {"random": "I would rather not.", "perfect": "ZeroDivisionError"}[level] in told
    assert move == "bestmove down"


def test_a_move_without_a_search_wins_if_it_can_and_loses_only_if_it_must() -> None:
    """Without a search a move is taken that wins at once, or one that does not lose at once."""
    connect = game_of("number-connect")
    for board, chosen in {
        "69/91": "0,1",  # 6 + 9 is 15
        "63/91": "1,0",  # so it is here; 6 + 3 would only go on
        "89/51": "1,0",  # 8 + 9 is over 15
        "89/91": "0,1",  # both are
    }.items():
        position = parse_position(connect, board, ["0,0", "1,1"])
        assert position.name(move_without_search(position)) == chosen


# What may not be seen

HIDING = [game for game in games() if game.has_hidden_cells]


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**9), plies=st.integers(0, 12))
def test_the_engine_sees_only_what_the_moves_have_turned_up(
    game: Game, seed: int, plies: int
) -> None:
    """Other values under hidden cells change no answer and no position that is thought about."""
    rng = random.Random(seed)
    match = Match(game, seed=seed)
    for _ in range(plies):
        if match.outcome is None:
            match.move(random_bit(match.position.legal_mask, rng.random))
    if match.outcome:
        match.undo()
    first = ",p2" if match.first == 2 else ""
    moves = " ".join(match.moves)
    boards = [match.board, *(game.deal_unknown(match.board, rng) for _ in range(2))]
    answers = []
    for board in boards:
        thought: list[Position] = []

        def think(position: Position, limits: Limits, into: list[Position] = thought) -> Evaluation:
            into.append(position)
            return shrug(position, limits)

        each = Talk(game.key, think=think)
        said = each.say(f"position fen {game.board_text(board)}{first} moves {moves}")
        said += each.say(*(f"query {what}" for what in ("p1turn", "legal", "fen", "gameover")))
        said += each.say("position fen ?/? moves A1", f"position startpos moves {moves} Z9")
        moved = [each.go("movetime", "500")]
        each.say("setoption name Level value random", "setoption name Seed value 4")
        moved.append(each.go())
        answers.append((said, moved, thought))
    assert answers[0] == answers[1] == answers[2]
    assert [position.board for position in answers[0][2]] == [match.board]


def test_a_cell_that_was_turned_up_has_to_be_told(talk: Begin) -> None:
    """A `?` under a claimed cell is a bad position, and the message names the cell."""
    each = talk("grid-conquest")
    (said,) = each.say(f"position fen {DARK} moves C3")
    assert said.startswith('info string Move 1, "C3": Cell ')
    assert each.ask("p1turn") == "true"
