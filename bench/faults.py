"""Whether anything acknowledged is lost when the journal fails: `python -m bench.faults`.

Write errors, a full disk, a PostgreSQL that ends connections or is stopped, kill -9 of the server,
or of one of two services, while many games are played as fast as allowed. Players note every
move that was acknowledged or shown. Afterwards the database, and a fresh server on it, are compared
with their notes: nothing is missing, nothing was made twice, and every game goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bench.comparison import print_cells, print_heading
from bench.web_load.ledger import Ledger, Played, compare
from bench.web_load.player import Notes
from bench.web_load.server import Server, clean_up_when_told_to_end, free_port, percentile, serving
from tests.web.postgres import Postgres

GAMES = 20
WARM_UP_SECONDS = 3.0  # seconds of play before
SECONDS = 12.0  # of faults
RECOVERY_SECONDS = 60.0  # seconds in which every game must have gone on
DISK_MB = 24  # MB; SQLite keeps up to 4 MB beside the database

# `gridwise serve` whose writes fail.
FAILING = """
import runpy, sys
from bench.faults import failing
from gridwise.web.storage import GameStore
GameStore.write = failing(GameStore.write)
sys.argv[:1] = ["gridwise", "serve"]
runpy.run_module("gridwise", run_name="__main__")
"""
Write = Callable[[Any, Iterable[Any]], None]  # of a GameStore: changes


def failing(write: Write) -> Write:
    """Fails sometimes before anything is written, sometimes after all is."""
    rng = random.Random(1)

    def fail_at_times(store: object, changes: Iterable[object]) -> None:
        chance = rng.random()
        if chance < 0.1:
            raise OperationalError("INSERT", {}, Exception("injected"))
        write(store, changes)
        if chance < 0.2:
            raise OperationalError("COMMIT", {}, Exception("injected, after the commit"))

    return fail_at_times


@dataclass
class Scene:
    """A server on a database, and what can be done to them."""

    folder: Path
    seconds: float
    rng: random.Random
    postgres: Postgres | None = None
    services: int = 1
    program: str = ""
    faults: int = 0
    servers: dict[int, Server] = field(default_factory=dict)  # by port
    _running: dict[int, ExitStack] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ports = [free_port() for _ in range(self.services)]
        self.addresses = tuple(f"http://127.0.0.1:{port}" for port in self.ports)

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.postgres.url if self.postgres else f"sqlite:///{self.folder / 'games.db'}"

    async def start(self, *ports: int) -> None:
        """Start a service at each of some ports, or at all; it is ready when this returns."""
        for port in ports or self.ports:
            options = ["--port", str(port), "--database", self.database]
            context = serving(self.folder, *options, program=self.program)
            running = self._running[port] = ExitStack()
            self.servers[port] = await asyncio.to_thread(running.enter_context, context)

    async def kill(self, *ports: int) -> None:
        """End services with kill -9: those at some ports, or all."""
        for port in ports or self.ports:
            await asyncio.to_thread(self._running[port].close)

    def until(self) -> Iterator[float]:
        """Random pauses, for as long as there are to be faults; each begins one."""
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            self.faults += 1
            yield self.rng.uniform(0.5, 2.5)


async def write_errors(scene: Scene) -> None:
    """One write in ten fails before it is done, one in ten after."""
    await asyncio.sleep(scene.seconds)
    scene.faults = 1
    scene.program = ""
    await scene.kill()
    await scene.start()


async def full_disk(scene: Scene) -> None:
    """There is no room for a while."""
    ballast = scene.folder / "ballast"
    for pause in scene.until():
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4_096)):
                    pass
            except OSError:
                pass  # it is full
        await asyncio.sleep(pause)
        ballast.unlink()
        await asyncio.sleep(1)


async def killed(scene: Scene) -> None:
    """The server is killed and started again."""
    for pause in scene.until():
        await asyncio.sleep(pause)
        await scene.kill()
        await scene.start()


async def one_killed(scene: Scene) -> None:
    """One of two services is killed, and started again; meanwhile the other has all games."""
    for pause in scene.until():
        await asyncio.sleep(pause)
        port = scene.rng.choice(scene.ports)
        await scene.kill(port)
        await asyncio.sleep(pause)
        await scene.start(port)


async def thinkers_killed(scene: Scene) -> None:
    """The processes that deal boards and choose the moves of bots are killed."""
    for pause in scene.until():
        await asyncio.sleep(pause / 2)
        for each in scene.servers[scene.ports[0]].processes()[1:]:
            if not _has_sockets(each):
                os.kill(each, signal.SIGKILL)


def _has_sockets(process: int) -> bool:
    """Whether it talks to clients; others think, or keep count of what was started."""
    files = Path(f"/proc/{process}/fd").iterdir()
    return any(str(file.readlink()).startswith("socket:") for file in files)


async def connections_ended(scene: Scene) -> None:
    """PostgreSQL ends all connections of the server."""
    ending = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    engine = sa.create_engine(scene.database, poolclass=sa.NullPool)
    for pause in scene.until():
        await asyncio.sleep(pause / 2)
        with engine.begin() as connection:
            connection.execute(sa.text(ending))


async def database_stopped(scene: Scene) -> None:
    """PostgreSQL is stopped as by a failing machine, and started again."""
    assert scene.postgres
    for pause in scene.until():
        await asyncio.sleep(pause)
        await asyncio.to_thread(scene.postgres.stop)
        await asyncio.sleep(pause)
        await asyncio.to_thread(scene.postgres.start)


class Fault(NamedTuple):
    """A way to fail, and what it needs."""

    work: Callable[[Scene], Awaitable[None]]
    postgres: bool = False
    services: int = 1
    program: str = ""


FAULTS = {
    "write errors": Fault(write_errors, program=FAILING),
    "full disk": Fault(full_disk),
    "killed": Fault(killed),
    "thinkers killed": Fault(thinkers_killed),
    "connections ended": Fault(connections_ended, postgres=True),
    "PostgreSQL stopped": Fault(database_stopped, postgres=True),
    "killed, PostgreSQL": Fault(killed, postgres=True),
    "one of two killed": Fault(one_killed, postgres=True, services=2),
}


@dataclass
class Outcome:
    """What became of the games."""

    fault: str
    faults: int
    games: int
    acknowledged: int  # moves
    lost: int  # of them
    twice: int
    unlike: int  # games of which database, fresh server and players disagree
    stuck: int  # games that did not go on
    longest_wait_ms: float  # for a move
    noticed: dict[str, int]

    @property
    def wrong(self) -> int:
        """What must not happen, counted."""
        return self.lost + self.twice + self.unlike + self.stuck


async def measure(name: str, scene: Scene) -> Outcome:
    """Play, let it fail, and compare."""
    fault = FAULTS[name]
    scene.program = fault.program
    notes, ledger = Notes(), Ledger()
    await scene.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(scene.kill)
        plays = [Played(scene.addresses, number, ledger, notes) for number in range(GAMES)]
        tasks = [asyncio.create_task(play.go_on()) for play in plays]
        await asyncio.sleep(WARM_UP_SECONDS)
        await fault.work(scene)
        stuck = await _go_on(plays)
        for task in tasks:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for play in plays:
            await play.close()
        await scene.kill()
        await scene.start()
        compared = await compare(ledger, scene.database, scene.addresses[0])
    waits = notes.times(0, time.perf_counter())["move"]
    return Outcome(
        name,
        scene.faults,
        len(ledger.games),
        ledger.acknowledged,
        compared.lost,
        compared.twice,
        compared.unlike,
        stuck,
        round(percentile(waits, 1.0)),
        dict(notes.errors(0, time.perf_counter()).most_common(5)),
    )


async def _go_on(plays: list[Played]) -> int:
    """Wait until everybody has made three more moves; how many have not."""
    before = [play.moved for play in plays]
    until = time.monotonic() + RECOVERY_SECONDS
    while True:
        stuck = sum(play.moved < moved + 3 for play, moved in zip(plays, before, strict=True))
        if not stuck or time.monotonic() > until:
            return stuck
        await asyncio.sleep(0.1)


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """A file system of its own, which is soon full."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    assert mount
    assert umount
    command = [mount, "-t", "tmpfs", "-o", f"size={DISK_MB}m", "gridwise", str(folder)]
    subprocess.run(command, check=True)  # noqa: S603 - our own folder
    try:
        yield
    finally:
        subprocess.run([umount, "-l", str(folder)], check=True)  # noqa: S603 - the same


def run(name: str, options: argparse.Namespace) -> Outcome | str:
    """One fault in a place of its own; or why it cannot be tried here."""
    fault = FAULTS[name]
    rng = random.Random(options.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gridwise-faults-")))
        if fault.work is full_disk:
            if os.geteuid() != 0:
                return "only root can mount a small file system"
            stack.enter_context(_small_disk(folder))
        postgres = Postgres() if fault.postgres else None
        if postgres:
            stack.callback(postgres.remove)
        scene = Scene(folder, options.seconds, rng, postgres, fault.services)
        return asyncio.run(measure(name, scene))


def main() -> None:
    """Let it fail in every way, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this one")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strict", action="store_true", help="end with 1 if anything is wrong")
    options = parser.parse_args()
    clean_up_when_told_to_end()
    wrong = 0
    print_heading(*(field.name.replace("_", " ") for field in fields(Outcome)))
    for name in options.fault or FAULTS:
        outcome = run(name, options)
        if isinstance(outcome, str):
            print(f"{name}: left out, {outcome}", file=sys.stderr)
            continue
        wrong += outcome.wrong
        *values, errors = asdict(outcome).values()
        print_cells(*values, ", ".join(f"{n} {what}" for what, n in errors.items()) or "-")
    sys.exit(bool(options.strict and wrong))


if __name__ == "__main__":
    main()
