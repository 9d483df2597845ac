"""TerminalDriver: Textual's driver, for terminals that close or send what is no text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TextIO

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Textual's driver, which outlasts the terminal.

    Textual writes in a thread that ends with the first write that fails. Then nobody empties its
    queue, the app waits for room in it for ever and hears no signal: 5 of 12 games whose terminal
    was closed went on without one.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Textual's own
        super().__init__(*args, **options)
        self._file: Any = LastingOutput(self._file)

    def run_input_thread(self) -> None:
        """Read keys; bytes that are no text, which somebody has pasted, are left out."""
        while not self.exit_event.is_set():
            with suppress(UnicodeDecodeError):
                super().run_input_thread()
                return


class LastingOutput:
    """A terminal to write to; what cannot be written any more is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        """Let the terminal have what was written."""
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """The number of the file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._file.isatty()
