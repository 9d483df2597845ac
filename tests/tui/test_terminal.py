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
from pathlib import Path
from typing import NoReturn

import pytest
from textual.drivers._writer_thread import WriterThread

from gridwise.errors import GridwiseError
from gridwise.play.library import Library
from gridwise.tui.terminal import LastingOutput
from tests.quickest import fewest
from tests.tui.terminals import LEFT_SCREEN, PATIENCE, Terminal, kept_moves, running_with

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal and /proc")

HOME = "import sys; from gridwise.tui.app import run; sys.exit(run())"
GAME = """
import sys
from gridwise.arena.setup import MatchSetup
from gridwise.tui.app import run
board = "31425/25134/42513/14252/53142"
setup = MatchSetup(game="number-run", p1="human", p2={opponent!r}, board=board, seed=1)
sys.exit(run(setup, delay=0))
"""

ENDS = 12.0  # seconds for what takes one; a busy machine adds some, what hangs would never end
Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal() -> Iterator[Open]:
    """Start programs in terminals, and end them."""
    opened: list[Terminal] = []

    def start(code: str, env: dict[str, str] | None = None) -> Terminal:
        opened.append(Terminal(code, env))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def in_mid_game(open_terminal: Open, opponent: str = "bot:casual") -> Terminal:
    """A game with a move on either side."""
    terminal = open_terminal(GAME.format(opponent=opponent))
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")  # right, and Enter
    terminal.wait_for("2 Casual bot goes")
    return terminal


def test_ctrl_c_saves_the_game_and_says_how_to_come_back(open_terminal: Open) -> None:
    """The terminal is as it was, then comes the command; the status is 130."""
    terminal = in_mid_game(open_terminal)
    terminal.press("\x03")
    assert terminal.status() == 130
    after = terminal.text.rpartition(LEFT_SCREEN)[2]
    assert "\x1b[?25h" in terminal.text[terminal.text.rindex(LEFT_SCREEN) - 100 :]
    assert "play --resume" in after
    assert str(Library().last().path) in "".join(after.split())
    assert len(kept_moves()) == 2


def test_quitting_is_not_an_error(open_terminal: Open) -> None:
    """Ctrl-Q leaves with status 0, and names the way back too."""
    terminal = in_mid_game(open_terminal)
    terminal.press("\x11")
    assert terminal.status() == 0
    assert "play --resume" in terminal.text.rpartition(LEFT_SCREEN)[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=str)
def test_a_signal_ends_it_within_a_second_and_in_good_order(
    open_terminal: Open, number: signal.Signals
) -> None:
    """Nothing is lost, the terminal is restored, and no process is left."""

    def attempt() -> float:
        terminal = in_mid_game(open_terminal)
        terminal.send(number)
        began = time.monotonic()
        assert terminal.status() == 130
        took = time.monotonic() - began
        assert LEFT_SCREEN in terminal.text
        assert len(kept_moves()) == 2
        return took

    assert fewest(attempt, 3) < 3  # a second, and what a busy machine adds


def test_a_closed_terminal_ends_it(open_terminal: Open) -> None:
    """Nobody is there any more, and the game is kept."""
    terminal = in_mid_game(open_terminal)
    terminal.hang_up()
    terminal.status(ENDS)
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
    terminal.press("t" * 100)  # each draws the whole screen, and nobody reads it
    time.sleep(3)
    terminal.send(signal.SIGTERM)
    assert terminal.status_unread(ENDS) == 130
    assert len(kept_moves()) == 2


def test_bytes_that_are_no_text_do_no_harm(open_terminal: Open) -> None:
    """They come from a paste that went wrong; the game goes on."""
    terminal = in_mid_game(open_terminal)
    terminal.press_bytes(b"\xff\xfe\x80" * 10)
    time.sleep(0.5)
    seen = len(terminal.text)
    terminal.press("\r")
    terminal.wait_for("4 Casual bot", after=seen)


def test_a_game_that_was_killed_is_offered_at_the_next_start(open_terminal: Open) -> None:
    """Every move was on disk before it was shown."""
    terminal = in_mid_game(open_terminal)
    terminal.send(signal.SIGKILL)
    assert terminal.status() == -signal.SIGKILL
    assert len(kept_moves()) == 2
    again = open_terminal(HOME)
    again.wait_for("Continue")
    again.press("c")
    again.wait_for("2 Casual bot goes")


def test_it_can_be_suspended_and_resumed(open_terminal: Open) -> None:
    """Ctrl-Z gives the terminal back; afterwards the game is there again and can be played."""
    terminal = in_mid_game(open_terminal)
    terminal.press("\x1a")
    end = time.monotonic() + PATIENCE
    while LEFT_SCREEN not in terminal.text or _state(terminal.pid) != "T":
        assert time.monotonic() < end, "it has not stopped"
        terminal.read(0.1)
    seen = len(terminal.text)
    terminal.send(signal.SIGCONT)
    terminal.wait_for("Number Run", after=seen)
    terminal.press("\r")
    terminal.wait_for("4 Casual bot", after=seen)


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


# Escape sequences that set a colour: 3x, 4x, 9x, 10x, but not 39 and 49, which set none.
_COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")


def test_without_colour_there_is_none(open_terminal: Open) -> None:
    """NO_COLOR is respected, and the game can be played all the same."""
    terminal = open_terminal(GAME.format(opponent="bot:casual"), {"NO_COLOR": "1"})
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("2 Casual bot goes")
    assert not _COLOURS.findall(terminal.text)


def test_a_terminal_of_sixteen_colours_gets_no_others(open_terminal: Open) -> None:
    """No colour is asked for that the terminal does not have."""
    terminal = open_terminal(GAME.format(opponent="bot:casual"), {"TERM": "xterm"})
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("2 Casual bot goes")
    assert _COLOURS.findall(terminal.text)
    assert not re.findall(r"\x1b\[[0-9;]*[34]8;[25];", terminal.text)


# Engines

SILENT = "import time; time.sleep(1000)"
DYING = "import sys; sys.exit('no licence')"


def test_an_engine_that_dies_is_told_about_and_the_game_is_kept(open_terminal: Open) -> None:
    """In a sentence, with a way to go on."""
    terminal = open_terminal(GAME.format(opponent=f'ugi:{sys.executable} -c "{DYING}"'))
    terminal.wait_for("Your turn")
    terminal.press("\x1b[C\r")
    terminal.wait_for("no licence")
    assert kept_moves() == ["0,1"]
    terminal.press("u")
    terminal.wait_for("taken back")
    terminal.press("\x11")
    assert terminal.status() == 0


def test_an_engine_that_hangs_keeps_nobody_and_leaves_no_process(open_terminal: Open) -> None:
    """Keys are answered while it hangs; Ctrl-C ends everything at once."""

    def attempt() -> float:
        word = f"hanging{time.monotonic_ns()}"
        command = f'ugi:{sys.executable} -c "{SILENT}" {word}'
        terminal = open_terminal(GAME.format(opponent=command))
        terminal.wait_for("Your turn")
        terminal.press("\x1b[C\r")
        terminal.wait_for("is thinking")
        assert running_with(word)
        terminal.press("?")
        terminal.wait_for("hjkl")
        began = time.monotonic()
        terminal.press("\x03")
        assert terminal.status() == 130
        took = time.monotonic() - began
        assert not running_with(word)
        assert kept_moves() == ["0,1"]
        return took

    assert fewest(attempt, 3) < 3


def test_nothing_is_kept_of_a_game_without_a_move(open_terminal: Open) -> None:
    """Looking at a board is not playing."""
    terminal = open_terminal(GAME.format(opponent="bot:casual"))
    terminal.wait_for("Your turn")
    terminal.press("\x11")
    assert terminal.status() == 0
    assert "play --resume" not in terminal.text
    with pytest.raises(GridwiseError):
        Library().last()
