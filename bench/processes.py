"""What a second server process adds: moves a second on PostgreSQL, by one process and by two.

Clients, PostgreSQL and servers share this machine, so on two cores the rate by itself says little.
What decides on free cores is the processor time that the servers use for a move: if it is T seconds
with one process and S with two together, two make 2·T/S times the moves of one. Both are printed.

With `--workers 2` the supervisor hands all connections of a game to the same process. Beside it,
two servers by themselves, the players of each game together or apart: apart, both have to work out
each new state.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack

import httpx

from bench.web import SERVER, Pressed, close, play, seat_two
from bench.web_load.server import Server, percentile, running
from tests.web.postgres import Postgres


async def press(servers: list[Server], games: int, rounds: int, *, apart: bool) -> Pressed:
    """All games at once, as fast as they go; the two players of each together, or apart."""
    played, spent, cpu, times = 0, 0.0, 0.0, list[float]()
    clients = [httpx.AsyncClient(base_url=server.address, timeout=60) for server in servers]
    for turn in range(rounds):
        seated = [
            await seat_two(
                clients[number % len(servers)],
                turn * games + number,
                servers[(number + apart) % len(servers)].address,
            )
            for number in range(games)
        ]
        began, used = time.perf_counter(), sum(server.cpu() for server in servers)
        played += sum(await asyncio.gather(*(play(game, times) for game in seated)))
        spent += time.perf_counter() - began
        cpu += sum(server.cpu() for server in servers) - used
        await close(seated)
    for client in clients:
        await client.aclose()
    return Pressed(played / spent, cpu / played, times)


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100, help="at a time")
    options.add_argument("--rounds", type=int, default=2)
    chosen = options.parse_args()
    postgres = Postgres()
    try:
        one: Pressed | None = None
        for name, servers, workers, apart in (
            ("one process", 1, 1, False),
            ("--workers 2", 1, 2, False),
            ("two servers, players of a game together", 2, 1, False),
            ("two servers, players of a game apart", 2, 1, True),
        ):
            with ExitStack() as stack:
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                running_servers = [
                    stack.enter_context(running(SERVER, folder, postgres.url, str(workers)))
                    for _ in range(servers)
                ]
                work = press(running_servers, chosen.games, chosen.rounds, apart=apart)
                found = asyncio.run(work)
            one = one or found
            print(
                f"{name:42} {found.rate:6,.0f} moves a second, {found.cpu * 1e3:.2f} ms of CPU "
                f"each, p50 {percentile(found.times, 0.5):.0f} ms; on free cores "
                f"{servers * workers * one.cpu / found.cpu:.2f} times the moves of one",
                flush=True,
            )
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
