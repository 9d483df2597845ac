"""The program, loaded once: a process that forks a child for each run of it.

Python and the command line take a third of a second to load, the web server more than one. Each run
is a process of its own all the same, with its arguments, environment, folder, streams and limits,
from the first line of `main` to the interpreter's end; it is signalled, killed and waited for like
any other.

The loaded process is asked over a Unix socket: by a message that is the arguments of `run` as JSON,
with files: where to tell the child's number and later its exit status, and its three streams.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib.util
import json
import os
import resource
import select
import selectors
import signal
import socket
import subprocess
import sys
import termios
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn, TypedDict, Unpack

ROOT = Path(__file__).parents[1]
LOADING_SECONDS = 300.0  # on a first run something may have to be compiled
LARGEST_MESSAGE = 1 << 20  # bytes; the system allows fewer
NUMBER = 4  # bytes

# Modules that runs load on their way; none of them starts a thread, which a fork would not have.
COMMANDS = "gridwise.cli.commands"  # with all that are in it
COMMAND_LINE = (
    COMMANDS,
    "gridwise.cli.game_dialogue",
    "gridwise.engine.exact.solver",
    "gridwise.games.grid_conquest",
    "gridwise.games.grid_runner",
    "gridwise.games.number_connect",
    "gridwise.games.number_maze",
    "gridwise.games.number_run",
    "rich.markdown",
    "typer.rich_utils",
)
# Those that work with machine code load four times as much, which makes forking slower.
MACHINE_CODE = (
    "numba",
    "gridwise.lab.study.report",
    "gridwise.engine.chance.win_probability",
    "gridwise.engine.compiled.pointers",
    "gridwise.engine.exact.batch_solver",
    "matplotlib.figure",
)
WEB = (
    "gridwise.cli.main",
    "gridwise.cli.commands.serve",
    "gridwise.cli.commands.server",
    "gridwise.web.server",
    "gridwise.web.admin",
    "psycopg",
    "sqlalchemy.dialects.sqlite",
    "sqlalchemy.dialects.postgresql.psycopg",
)


class Loaded:
    """A process that has loaded modules, from its first child on."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._socket: socket.socket | None = None

    def fork(self, request: dict[str, Any], files: Sequence[int]) -> None:
        """Let it have a child."""
        if self._socket is None:
            self._socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            program = "import sys; from tests.loaded_program import serve; serve(*sys.argv[1:])"
            with its:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", program, str(its.fileno()), *self._modules],
                    pass_fds=[its.fileno()],
                    cwd=ROOT,
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                    start_new_session=True,  # Ctrl-C is for us
                )
            atexit.register(self._end)
        socket.send_fds(self._socket, [json.dumps(request).encode()], files)

    def _end(self) -> None:
        if self._socket:
            self._socket.close()
            self._process.wait()


LOADED, LOADED_NUMBA = Loaded(*COMMAND_LINE), Loaded(*COMMAND_LINE, *MACHINE_CODE)
LOADED_WEB = Loaded(*WEB)


class How(TypedDict, total=False):
    """How a child runs, if not as usual."""

    runs: str  # a function of a module, other than `main`
    folder: str
    at_terminal: bool  # its input is the terminal that it belongs to
    closed: Sequence[int]  # streams that it does not have
    limits: Mapping[str, int]  # of the system, by the names that `resource` has for them


class Child:
    """A run; what `subprocess.Popen` is to a program that is started anew."""

    def __init__(
        self,
        parent: Loaded,
        arguments: Sequence[str],
        environment: Mapping[str, str] = os.environ,
        streams: Sequence[int] = (),
        **how: Unpack[How],
    ) -> None:
        """Without streams of ours, it has no input, and what it says can be read here."""
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        self.returncode: int | None = None
        self._told, tell = os.pipe()
        its = [tell]
        if not streams:
            (out, its_out), (err, its_err) = os.pipe(), os.pipe()
            self.stdout, self.stderr = (os.fdopen(each, encoding="utf-8") for each in (out, err))
            streams = (os.open(os.devnull, os.O_RDONLY), its_out, its_err)
            its += streams
        request = {"arguments": list(arguments), "environment": dict(environment), **how}
        try:
            parent.fork(request, [tell, *streams])
        finally:
            for file in its:
                os.close(file)
        self.pid = self._number(LOADING_SECONDS)

    def _number(self, timeout: float) -> int:
        """What is told next."""
        if not select.select([self._told], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("gridwise", timeout)
        said = os.read(self._told, NUMBER)
        assert said, "the process that has loaded the program is gone"
        return int.from_bytes(said, "little", signed=True)

    def wait(self, timeout: float = LOADING_SECONDS) -> int:
        """Wait for its end; its exit status."""
        if self.returncode is None:
            self.returncode = self._number(timeout)
            os.close(self._told)
        return self.returncode

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it ends now, and that is not told yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for its end; what else it has said."""
        assert self.stdout
        assert self.stderr
        said: dict[IO[str], str] = {}
        readers = [
            threading.Thread(target=lambda each=each: said.update({each: each.read()}), daemon=True)
            for each in (self.stdout, self.stderr)
        ]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
        out, err = said[self.stdout], said[self.stderr]
        self.stdout.close()
        self.stderr.close()
        return out, err


# In the loaded process.


def serve(number: str, *modules: str) -> NoReturn:
    """Start children, and tell how they ended, until nobody asks any more; then end them."""
    load(modules)
    asked = socket.socket(fileno=int(number))
    selector = selectors.DefaultSelector()
    selector.register(asked, selectors.EVENT_READ)
    children: dict[int, int] = {}  # where each one's end is told
    while True:
        for key, _ in selector.select():
            if ended := key.data:
                selector.unregister(key.fd)
                os.close(key.fd)
                tell(children[ended], os.waitstatus_to_exitcode(os.waitpid(ended, 0)[1]))
                os.close(children.pop(ended))
                continue
            message, files, _, _ = socket.recv_fds(asked, LARGEST_MESSAGE, 4)
            if not message:
                for child in children:
                    os.kill(child, signal.SIGKILL)
                os._exit(0)
            child = os.fork()
            if not child:
                ours = [each.fd for each in selector.get_map().values()]
                for file in (*ours, *children.values(), files[0]):
                    os.close(file)
                selector.close()
                run(files[1:], **json.loads(message))
            children[child] = files[0]
            selector.register(os.pidfd_open(child), selectors.EVENT_READ, child)
            tell(files[0], child)
            for file in files[1:]:
                os.close(file)


def load(modules: Sequence[str]) -> None:
    """Load what children would, as far as it is installed."""
    names = [name for name in modules if importlib.util.find_spec(name.partition(".")[0])]
    if COMMANDS in names:
        from gridwise.cli import main  # noqa: PLC0415 - not in the process that runs the tests

        names += [main.module_name(name) for name in main.COMMANDS]
    for name in names:
        importlib.import_module(name)
    if "numba" in names:
        import numba  # noqa: PLC0415 - as above

        numba.njit("int64()")(lambda: 0)  # compiling anything loads all that numba knows: 0.6 s
    gc.collect()
    gc.freeze()  # pages that the collector does not touch stay shared


def tell(where: int, number: int) -> None:
    """Write a number, if anybody still wants to know it."""
    with suppress(BrokenPipeError):
        os.write(where, number.to_bytes(NUMBER, "little", signed=True))


def run(
    streams: Sequence[int],
    arguments: Sequence[str],
    environment: Mapping[str, str],
    runs: str = "gridwise.__main__:main",
    folder: str = str(ROOT),
    at_terminal: bool = False,
    closed: Sequence[int] = (),
    limits: Mapping[str, int] = {},
) -> NoReturn:
    """Run a function as the interpreter does, but for freeing all memory piece by piece."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if at_terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, name), (limit, limit))
    os.chdir(folder)
    # As after `python -m`.
    sys.path[:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["gridwise", *arguments]
    encoding, _, errors = environment.get("PYTHONIOENCODING", "utf-8").partition(":")
    kind: dict[str, Any] = {"encoding": encoding, "errors": errors or "strict", "closefd": False}
    sys.stdin = open(0, **kind)  # noqa: SIM115 - until its end
    sys.stdout = open(1, "w", **kind)  # noqa: SIM115
    kind["errors"] = "backslashreplace"
    sys.stderr = open(2, "w", buffering=1, **kind)  # noqa: SIM115
    for number in closed:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    status = 0
    try:
        module, _, function = runs.partition(":")
        getattr(importlib.import_module(module), function)()
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - whatever it is
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined] # waits for threads
    atexit._run_exitfuncs()
    for output in filter(None, (sys.stdout, sys.stderr)):
        try:
            output.flush()
        except OSError:
            status = 120  # what Python leaves with
    os._exit(status)
