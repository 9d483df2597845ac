"""Two services on PostgreSQL behind nginx as in deploy/: no kill and no hang costs a game."""

from __future__ import annotations

import signal
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .postgres import Postgres
from .servers import TIMEOUT, Program, eventually, receive, send
from .test_deploy import NEEDS_NGINX, free_port, proxied, sockets_at, visitor, watch

SILENCE = 3.0  # seconds after which a process is ended; deploy/ has 10
LONGEST_WAIT = SILENCE + 7.0  # seconds for a move: until it is ended, and on a busy machine
THINKING = 0.1  # seconds
BACK = {"left": "right", "right": "left", "up": "down", "down": "up"}
NAMES = ("play.example.org", "localhost", "127.0.0.1")
HOSTS = tuple(word for name in NAMES for word in ("--allowed-host", name))


class Service:
    """A process at a port, which this looks after as systemd does by deploy/gridwise@.service.

    One that gives no sign of life, because it is dead or hangs, is killed, and another follows.
    """

    def __init__(self, folder: Path, database: str) -> None:
        self._folder, self._database, self._port = folder, database, free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self.restarts = 0
        self._notify = folder / f"notify-{self._port}"
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._told.bind(str(self._notify))
        self._told.settimeout(SILENCE)
        self._stopped = False
        self.program = self._started()
        self._looking_after = threading.Thread(target=self._look_after)
        self._looking_after.start()

    def _started(self) -> Program:
        variables = {
            "NOTIFY_SOCKET": str(self._notify),
            "WATCHDOG_USEC": str(round(1e6 * SILENCE)),
        }
        options = ("--port", str(self._port), *HOSTS)
        return Program(self._folder, *options, database=self._database, variables=variables)

    def _look_after(self) -> None:
        while not self._stopped:
            try:
                self._told.recv(100)
            except TimeoutError:
                self.program.end(signal.SIGKILL)
                self.program = self._started()
                self.restarts += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._looking_after.join(TIMEOUT)
        self._told.close()
        self.program.__exit__()


def serving(services: tuple[Service, Service], sockets: int) -> Service:
    """The one of two services that all sockets are at."""
    eventually(lambda: sum(sockets_at(each.address) for each in services) == sockets)
    (one,) = [each for each in services if sockets_at(each.address) == sockets]
    return one


class Player:
    """Somebody at the socket of a game who connects again, as a page does, and loses nothing."""

    def __init__(self, port: int, game_id: str, cookie: str) -> None:
        self._port, self._game_id, self._cookie = port, game_id, cookie
        self.state: dict[str, Any] = {"moves": []}
        self.longest, self._seen_at = 0.0, time.monotonic()  # seconds between two moves
        self.enough = False
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._play)
        self.thread.start()

    def _play(self) -> None:
        try:
            while not self.enough:
                with suppress(ConnectionClosed, OSError, TimeoutError, InvalidStatus):
                    self._play_until_it_breaks()
                time.sleep(0.5)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test says so
            self.failure = error

    def _play_until_it_breaks(self) -> None:
        with watch(self._port, self._game_id, self._cookie) as at:
            self._note(receive(at, "state"))
            while not self.enough:
                if self.state["turn"] in self.state["you"]:
                    time.sleep(THINKING)
                    version = self.state["version"]
                    send(at, "move", move=self._next_move(), version=version, ref=f"{version}")
                self._note(receive(at, "state"))

    def _next_move(self) -> str:
        """To and fro, so that nobody wins."""
        own = [each["move"] for each in self.state["moves"][-2::-2]]
        legal: list[str] = self.state["legal"]
        return BACK[own[0]] if own and BACK[own[0]] in legal else legal[0]

    def _note(self, state: dict[str, Any]) -> None:
        seen = self.state["moves"]
        assert state["moves"][: len(seen)] == seen, "a move that was shown is missing"
        assert state["status"] == "playing", state["status_text"]
        self.state = state
        self.longest = max(self.longest, time.monotonic() - self._seen_at)
        self._seen_at = time.monotonic()


@NEEDS_NGINX
@pytest.mark.long("servers are killed, started again, and waited for: half a minute")
def test_neither_a_kill_nor_a_hang_costs_a_game(tmp_path: Path, cluster: Postgres) -> None:
    """Two people with a clock: their process is killed, and the one that they come to hangs.

    Each time they are soon at the other process, no move is lost, and nobody's time runs out.
    """
    database = cluster.database()
    with (
        Service(tmp_path, database) as one,
        Service(tmp_path, database) as other,
        proxied(tmp_path, one.address, other.address) as port,
        visitor(port, "127.0.0.2") as ann,
        visitor(port, "127.0.0.3") as bob,
    ):
        asked = {"game": "grid-runner", "clock": {"minutes": 1}, "name": "Ann"}
        game_id = ann.post("/api/games", json=asked).json()["id"]
        assert bob.post(f"/api/games/{game_id}/seats", json={"name": "Bob"}).is_success
        players = [
            Player(
                port, game_id, "; ".join(f"{name}={value}" for name, value in each.cookies.items())
            )
            for each in (ann, bob)
        ]

        def play(more: int) -> None:
            wanted = len(players[0].state["moves"]) + more
            eventually(
                lambda: all(each.failure or len(each.state["moves"]) >= wanted for each in players)
            )
            assert [each.failure for each in players] == [None, None]

        play(6)
        killed = serving((one, other), 2)
        killed.program.process.send_signal(signal.SIGKILL)
        play(6)
        eventually(lambda: killed.restarts == 1, "it is not started again")
        hung = serving((one, other), 2)
        assert hung is not killed
        hung.program.process.send_signal(signal.SIGSTOP)
        play(6)
        eventually(lambda: hung.restarts == 1, "it is not started again")
        assert serving((one, other), 2) is killed
        for each in players:
            each.enough = True
        for each in players:
            each.thread.join(TIMEOUT)
            assert each.failure is None
            assert each.longest < LONGEST_WAIT
        state = ann.get(f"/api/games/{game_id}").json()
        assert state["status"] == "playing"
        assert len(state["moves"]) >= 18
        assert [each.restarts for each in (one, other)] == [1, 1]


@NEEDS_NGINX
@pytest.mark.long("nginx waits for half a minute before it asks the other process")
def test_a_page_comes_from_the_other_process_though_nobody_ends_one_that_hangs(
    tmp_path: Path, cluster: Postgres
) -> None:
    """Without systemd: what only reads is asked of the other process, after a while."""
    database = cluster.database()
    with (
        Program(tmp_path, *HOSTS, database=database) as one,
        Program(tmp_path, *HOSTS, database=database) as other,
        proxied(tmp_path, one.address, other.address) as port,
        visitor(port, "127.0.0.2") as ann,
    ):
        game_id = ann.post("/api/games", json={"game": "grid-runner"}).json()["id"]
        for each in (one, other):
            each.process.send_signal(signal.SIGSTOP)
            assert ann.get(f"/g/{game_id}").status_code == 200
            each.process.send_signal(signal.SIGCONT)
