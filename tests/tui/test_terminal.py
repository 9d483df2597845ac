"""The app in a real terminal: left, killed, suspended, without colour, with bad engines."""

from __future__ import annotations

import errno
import io
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import pytest
from textual.drivers._writer_thread import WriterThread

from gridwise.play.library import Library
from gridwise.tui.terminal import LastingOutput
from tests.cli.program import PATIENCE, wait_for
from tests.tui.terminals import LEFT_SCREEN, AppTerminal, kept_moves, running_with

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal and /proc")

Open = Callable[..., AppTerminal]


@pytest.fixture
def open_terminal(home: Path) -> Iterator[Open]:
    """Start the app in terminals, and end it; with an opponent in a game against it."""
    home.mkdir()
    game = ("play", "run", "--board", "31425/25134/42513/14252/53142", "--seed", "1")
    with ExitStack() as opened:

        def start(opponent: str = "", env: dict[str, str] | None = None) -> AppTerminal:
            args = (*game, "--delay", "0", "--p2", opponent) if opponent else ()
            terminal = AppTerminal(*args, home=home, env=env)
            opened.enter_context(terminal)
            return terminal

        yield start


def in_mid_game(open_terminal: Open) -> AppTerminal:
    """A game with a move on either side."""
    terminal = open_terminal("bot:casual")
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")  # right, and Enter
    terminal.wait_for("Casual bot goes")
    return terminal


def assert_left_in_good_order(terminal: AppTerminal) -> None:
    """The terminal is as it was, its cursor too; then comes the command that goes on."""
    assert "\x1b[?25h" in terminal.text[terminal.text.rindex(LEFT_SCREEN) - 100 :]
    after = terminal.text.rpartition(LEFT_SCREEN)[2]
    assert "play --resume" in after
    assert str(Library().last().path) in "".join(after.split())


def test_a_game_goes_on_through_rubbish_and_suspension_until_it_is_left(
    open_terminal: Open,
) -> None:
    """Bytes that are no text come from a paste that went wrong, and do no harm.

    Ctrl-Z gives the terminal back; afterwards the game is there again and can be played. Ctrl-Q
    leaves it, which is no error.
    """
    terminal = in_mid_game(open_terminal)
    seen = len(terminal.text)
    terminal.press(b"\xff\xfe\x80" * 10)
    time.sleep(0.5)  # what comes at once with them is left out, too
    terminal.press("\r")
    wait_for(lambda: len(kept_moves()) == 4)
    terminal.wait_for("2.", after=seen)
    terminal.press("\x1a")
    terminal.expect(LEFT_SCREEN)
    wait_for(lambda: terminal.state() == "T")
    seen = len(terminal.text)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("Number Run", after=seen)
    terminal.press("\r")
    terminal.wait_for("3.", after=seen)
    wait_for(lambda: len(kept_moves()) == 6)
    terminal.press("\x11")
    assert terminal.finish() == 0
    assert_left_in_good_order(terminal)
    assert len(kept_moves()) == 6


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=str)
def test_a_signal_ends_it_in_good_order(open_terminal: Open, number: signal.Signals) -> None:
    """Nothing is lost, and the terminal is restored."""
    terminal = in_mid_game(open_terminal)
    terminal.process.send_signal(number)
    assert terminal.finish() == 130
    assert_left_in_good_order(terminal)
    assert len(kept_moves()) == 2


def test_a_closed_terminal_ends_it(open_terminal: Open) -> None:
    """Nobody is there any more, and the game is kept."""
    terminal = in_mid_game(open_terminal)
    terminal.hang_up()
    terminal.process.wait(PATIENCE)
    assert len(kept_moves()) == 2


class Gone(io.StringIO):
    """A terminal that was closed."""

    def write(self, text: str) -> NoReturn:
        """What happens then."""
        raise OSError(errno.EIO, text)


def test_nobody_waits_for_a_terminal_that_is_gone() -> None:
    """Textual's writer takes what comes, although it can be written nowhere."""
    writer = WriterThread(LastingOutput(Gone()))  # type: ignore[arg-type] # it is no whole file
    writer.start()

    def draw() -> None:
        for _ in range(1000):
            writer.write("x")

    drawing = threading.Thread(target=draw, daemon=True)
    drawing.start()
    drawing.join(PATIENCE)
    assert not drawing.is_alive()
    writer.stop()


def test_a_signal_ends_it_though_the_terminal_has_stopped_reading(open_terminal: Open) -> None:
    """What cannot be drawn is not waited for."""
    terminal = in_mid_game(open_terminal)
    terminal.stop_reading()
    terminal.press("\x1b[B\x1b[C" * 60)  # each draws the cursor, more than Textual will queue
    terminal.wait_while_it_works()
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(PATIENCE) == 130
    assert len(kept_moves()) == 2


def test_a_game_that_was_killed_is_offered_at_the_next_start(open_terminal: Open) -> None:
    """Every move was on disk before it was shown."""
    terminal = in_mid_game(open_terminal)
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.finish() == -signal.SIGKILL
    assert len(kept_moves()) == 2
    again = open_terminal()
    again.wait_for("Continue")
    again.press("c")
    again.wait_for("Casual bot goes")


# Escape sequences that set a colour: 3x, 4x, 9x, 10x, but not 39 and 49, which set none.
_COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")


def test_without_colour_there_is_none(open_terminal: Open) -> None:
    """NO_COLOR is respected, and the game can be played all the same."""
    terminal = open_terminal("human", {"NO_COLOR": "1"})
    terminal.wait_for("Blue's turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("Red's turn")
    assert not _COLOURS.findall(terminal.text)


def test_a_terminal_of_sixteen_colours_gets_no_others(open_terminal: Open) -> None:
    """No colour is asked for that the terminal does not have."""
    terminal = open_terminal("human", {"TERM": "xterm"})
    terminal.wait_for("Blue's turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("Red's turn")
    assert _COLOURS.findall(terminal.text)
    assert not re.findall(r"\x1b\[[0-9;]*[34]8;[25];", terminal.text)


# Engines

SILENT = "import time; time.sleep(1000)"
DYING = "import sys; sys.exit('no licence')"


def test_an_engine_that_dies_is_told_about_and_the_game_is_kept(open_terminal: Open) -> None:
    """In a sentence, with a way to go on."""
    terminal = open_terminal(f'ugi:{sys.executable} -c "{DYING}"')
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("no licence")
    assert kept_moves() == ["0,1"]
    terminal.press("z")
    terminal.wait_for("taken back")
    terminal.press("\x11")
    assert terminal.finish() == 0


def test_an_engine_that_hangs_keeps_nobody_and_leaves_no_process(open_terminal: Open) -> None:
    """Keys are answered while it hangs; Ctrl-C ends everything, and the way back is named.

    Left to itself the engine would hang for a quarter of an hour.
    """
    word = f"hanging{time.monotonic_ns()}"
    terminal = open_terminal(f'ugi:{sys.executable} -c "{SILENT}" {word}')
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("is thinking")
    wait_for(lambda: running_with(word))
    terminal.press("?")
    terminal.wait_for("Swap sides")
    terminal.press("\x03")
    assert terminal.finish() == 130
    assert_left_in_good_order(terminal)
    assert not running_with(word)
    assert kept_moves() == ["0,1"]
