"""What a second service adds: moves a second on PostgreSQL, by one service and by two.

Clients, PostgreSQL and services share this machine, so on two cores the rate by itself says little.
What decides on free cores is the processor time that the services use for a move: if it is T
seconds with one and S with two together, two make 2·T/S times the moves of one. Both are printed.

Each service has a port of its own. The players of a game are at the same one, where nginx sends
them by the game's address; or apart, and then both services have to work out each new state.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.web import Pressed, moves_a_second
from bench.web_load.server import Server, percentile, serving
from tests.web.postgres import Postgres


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100, help="at a time")
    options.add_argument("--rounds", type=int, default=2)
    chosen = options.parse_args()
    postgres = Postgres()
    one: Pressed | None = None
    with ExitStack() as stack:
        stack.callback(postgres.remove)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        services: list[Server] = []
        for name, count, apart in (
            ("one service", 1, False),
            ("two services, players of a game together", 2, False),
            ("two services, players of a game apart", 2, True),
        ):
            while len(services) < count:
                service = serving(folder, "--database", postgres.url)
                services.append(stack.enter_context(service))
            found = asyncio.run(moves_a_second(services, chosen.games, chosen.rounds, apart=apart))
            one = one or found
            print(
                f"{name:42} {found.rate:6,.0f} moves a second, {found.cpu * 1e3:.2f} ms of CPU "
                f"each, p50 {percentile(found.times, 0.5):.0f} ms; on free cores "
                f"{count * one.cpu / found.cpu:.2f} times the moves of one",
                flush=True,
            )


if __name__ == "__main__":
    main()
