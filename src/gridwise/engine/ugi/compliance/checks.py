"""The checks of an engine: each is a function, and its first line says what it is about.

A check looks at one thing only: the legality of a move in one, its time in another. So an engine
that does one thing wrong fails one check. What is expected comes from the rules of the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from gridwise.core.position import Position
from gridwise.engine.ugi.compliance.conversation import (
    ANSWERS,
    READY_SECONDS,
    START_SECONDS,
    CheckFailed,
    CheckSkipped,
    Conversation,
)
from gridwise.engine.ugi.compliance.positions import sample_positions
from gridwise.engine.ugi.position_text import parse_position, position_text, start_text
from gridwise.errors import EngineFailed, MoveError

LATE_SECONDS = 0.5  # that a move may come after its time: for the way there and back
MOVETIME = 200  # milliseconds
CLOCK = 2000  # milliseconds on the clock of both players
QUIT_SECONDS = 2.0  # at least, however little patience there is
OPTION_TYPES = ("check", "spin", "combo", "button", "string")
RESULTS = ("draw", "p1win", "p2win", "draw")  # by the winner; 0 where the game was stopped


def _game_position(position: Position) -> str:
    moves = f" moves {' '.join(position.moves)}" if position.history else ""
    return f"position fen {position_text(position)}{moves}"


def check_start(talk: Conversation) -> None:
    """The command starts a program."""
    talk.check.expected = "a process"
    talk.start()


def check_ugi(talk: Conversation) -> None:
    """`ugi` is answered with what the engine is, and `ugiok`."""

    def note(line: str) -> None:
        talk.note(line)
        words = line.split(" ", 2)
        if words[0] == "option":
            talk.options.append(line)
        if words[0] == "id" and len(words) == 3:
            talk.identity.setdefault(words[1], words[2])

    talk.check.expected = "ugiok"
    talk.check.sent.append("ugi")
    process = talk.start()
    process.send("ugi", talk.patience)
    if process.receive("ugiok", START_SECONDS, note) is None:
        raise CheckFailed(f"ugiok within {START_SECONDS:g} seconds")
    talk.check.got.append("ugiok")


def check_isready(talk: Conversation) -> None:
    """`isready` is answered with `readyok`."""
    talk.check.expected = "readyok"
    talk.say("isready")
    talk.expect("readyok", READY_SECONDS)


def check_id(talk: Conversation) -> None:
    """The answer to `ugi` has `id name` and `id author`."""
    talk.check.expected = "id name …, id author …"
    talk.check.sent.append("ugi")
    talk.check.got += [f"id {key} {value}" for key, value in talk.identity.items()]
    if not {"name", "author"} <= talk.identity.keys():
        raise CheckFailed(talk.check.expected)


def check_options(talk: Conversation) -> None:
    """Each option is written `option name NAME type TYPE …`."""
    talk.check.expected = f"option name … type {'|'.join(OPTION_TYPES)} …"
    talk.check.sent.append("ugi")
    talk.check.got += talk.options
    for line in talk.options:
        words = line.split()
        kind = words[words.index("type") + 1 :][:1] if "type" in words else []
        if words[1:2] != ["name"] or words[2:3] == ["type"] or not set(kind) & set(OPTION_TYPES):
            raise CheckFailed(talk.check.expected)


def check_setoption(talk: Conversation) -> None:
    """An option can be set to its default."""
    talk.check.expected = "readyok"
    for line in talk.options:
        name = line.partition("name ")[2].partition(" type ")[0]
        default = line.partition(" default ")[2]
        for word in (" min ", " max ", " var "):
            default = default.partition(word)[0]
        if default:
            talk.say(f"setoption name {name} value {default}")
    talk.ready()


def check_newgame(talk: Conversation) -> None:
    """`uginewgame` is accepted."""
    talk.check.expected = "readyok"
    talk.say("uginewgame")
    talk.ready()


def _query(talk: Conversation, question: str, answer: Callable[[Position], str]) -> None:
    """Compare the answers to a query with what is true, over sample positions."""
    startpos = parse_position(talk.game, start_text(talk.game))
    asked = [("position startpos", startpos)]
    asked += [(_game_position(each), each) for each in sample_positions(talk.game)]
    for sent, position in asked:
        talk.check.sent.clear()
        talk.check.got.clear()
        talk.check.expected = f"response {answer(position)}"
        if talk.ask(sent, question) != answer(position):
            raise CheckFailed(talk.check.expected)


def check_p1turn(talk: Conversation) -> None:
    """`query p1turn` says whether Player 1 is to move."""
    _query(talk, "p1turn", lambda position: str(position.turn == 1).lower())


def check_gameover(talk: Conversation) -> None:
    """`query gameover` says whether the game is over."""
    _query(talk, "gameover", lambda position: str(position.outcome is not None).lower())


def check_result(talk: Conversation) -> None:
    """`query result` says who has won, or none."""
    _query(
        talk,
        "result",
        lambda position: RESULTS[position.outcome.winner] if position.outcome else "none",
    )


def check_legal(talk: Conversation) -> None:
    """`query legal`, where it is known, lists the legal moves."""
    if talk.ask("position startpos", "legal") is None:
        raise CheckSkipped
    game = talk.game
    for position in sample_positions(game):
        talk.check.sent.clear()
        talk.check.got.clear()
        talk.check.expected = f"response {' '.join(position.legal_moves)}".rstrip()
        heard = talk.ask(_game_position(position), "legal")
        if heard is None or sorted(heard.split()) != sorted(position.legal_moves):
            raise CheckFailed(talk.check.expected)


def check_fen(talk: Conversation) -> None:
    """`query fen`, where it is known, gives the board back."""
    if talk.ask("position startpos", "fen") is None:
        raise CheckSkipped
    for position in sample_positions(talk.game):
        talk.check.sent.clear()
        talk.check.got.clear()
        talk.check.expected = f"response {position_text(position)}"
        if talk.ask(_game_position(position), "fen") != position_text(position):
            raise CheckFailed(talk.check.expected)


def check_bestmove(talk: Conversation) -> None:
    """`go` is answered with a legal move."""
    going = [each for each in sample_positions(talk.game) if not each.outcome]
    for position in going:
        talk.check.sent.clear()
        talk.check.got.clear()
        talk.check.expected = f"bestmove {'|'.join(position.legal_moves)}"
        talk.start().forget_lines()
        talk.say(_game_position(position))
        talk.say(f"go movetime {MOVETIME // 4}")
        heard = talk.expect("bestmove")
        try:
            position.read(heard.partition(" ponder")[0])
        except MoveError:
            raise CheckFailed(talk.check.expected) from None


def _timed(talk: Conversation, go: str, milliseconds: int) -> None:
    """Have a move made, and fail if it takes longer."""
    limit = milliseconds / 1000 + LATE_SECONDS
    talk.check.expected = f"bestmove within {limit:.3g} seconds"
    talk.start().forget_lines()
    talk.say("position startpos")
    talk.ready()
    talk.say(go)
    begun = time.monotonic()
    talk.expect("bestmove", limit + talk.patience)
    taken = time.monotonic() - begun
    if taken > limit:
        raise CheckFailed(talk.check.expected, f"after {taken:.2f} seconds")


def check_movetime(talk: Conversation) -> None:
    """`go movetime` is answered in time."""
    _timed(talk, f"go movetime {MOVETIME}", MOVETIME)


def check_clock(talk: Conversation) -> None:
    """`go` with clocks is answered before the clock runs out."""
    _timed(talk, f"go p1time {CLOCK} p2time {CLOCK} p1inc 0 p2inc 0", CLOCK)


def check_limits(talk: Conversation) -> None:
    """`go depth` and `go nodes` are answered."""
    talk.check.expected = "bestmove, twice"
    for go in ("go depth 2", "go nodes 500"):
        talk.start().forget_lines()
        talk.say("position startpos")
        talk.say(go)
        talk.expect("bestmove", 2 * talk.patience)


def check_infinite(talk: Conversation) -> None:
    """`go infinite` thinks until it is stopped."""
    talk.check.expected = "no bestmove before stop"
    talk.start().forget_lines()
    talk.say("position startpos")
    talk.say("go infinite")
    if talk.hear("bestmove", 0.5) is not None:
        raise CheckFailed(talk.check.expected)
    talk.say("stop")
    if talk.hear("bestmove") is None:  # which is the next check's question
        talk.close()  # or it might come there


def check_stop(talk: Conversation) -> None:
    """`stop` is answered with the move at once."""
    talk.check.expected = f"bestmove within {LATE_SECONDS + 0.5:g} seconds of stop"
    talk.start().forget_lines()
    talk.say("position startpos")
    talk.ready()
    talk.say("go infinite")
    if talk.hear("bestmove", 0.2) is not None:
        return  # too early, which is another check's question
    talk.say("stop")
    talk.expect("bestmove", LATE_SECONDS + 0.5)


def check_first(talk: Conversation) -> None:
    """Where a coin decides who begins, `BOARD,p2` lets Player 2 begin."""
    if not talk.game.coin_toss:
        raise CheckSkipped
    board = start_text(talk.game)
    for first, expected in (("p2", "false"), ("p1", "true")):
        talk.check.expected = f"response {expected}"
        sent = f"position fen {board},{first}" if first == "p2" else f"position fen {board}"
        if talk.ask(sent, "p1turn") != expected:
            raise CheckFailed(talk.check.expected)


def check_unknown(talk: Conversation) -> None:
    """An unknown command is answered with `info string` and otherwise ignored."""
    talk.check.expected = "info string …, then readyok"
    talk.start().forget_lines()
    talk.say("abracadabra 1 2 3")
    talk.ready()
    if not any(line.startswith("info string") for line in talk.check.got):
        raise CheckFailed(talk.check.expected)


def check_bad_position(talk: Conversation) -> None:
    """A position that makes no sense does not end the engine."""
    talk.check.expected = "readyok"
    for line in ("position", "position fen %%%", "position startpos moves nonsense"):
        talk.say(line)
    talk.ready()


def check_output(talk: Conversation) -> None:
    """Every line that was said begins with a word of the protocol."""
    talk.check.expected = f"lines that begin with {', '.join(ANSWERS)}"
    talk.check.got += talk.strange
    if talk.strange:
        raise CheckFailed(talk.check.expected)


def check_quit(talk: Conversation) -> None:
    """`quit` ends the engine."""
    limit = max(QUIT_SECONDS, talk.patience)  # on a busy machine Python takes seconds to end
    talk.check.expected = f"the process ends within {limit:g} seconds"
    talk.say("quit")
    try:
        talk.hear("\0", limit)  # no line begins like this
    except EngineFailed:
        return  # its output is closed: it has ended
    raise CheckFailed(talk.check.expected, "it still runs")


NEEDED = (check_start, check_ugi, check_isready)  # without these there is no going on
CHECKS = (
    *NEEDED,
    check_id,
    check_options,
    check_setoption,
    check_newgame,
    check_p1turn,
    check_gameover,
    check_result,
    check_first,
    check_legal,
    check_fen,
    check_bestmove,
    check_movetime,
    check_clock,
    check_limits,
    check_infinite,
    check_stop,
    check_unknown,
    check_bad_position,
    check_output,
    check_quit,
)
