"""What friendly people notice while somebody is hostile, and what it costs the server.

A real server with its usual limits, in a process of its own; friendly people in this process, from
many addresses; somebody hostile in a third, from others. `python -m bench.hostile` goes through all
patterns on one server, and on one each for those that need other limits; with --soak, for an hour
through the former. See docs/web-measured.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.hostile.attacks import ATTACKS, command
from bench.hostile.friends import Friends
from bench.hostile.prepare import database_of, prepare
from bench.hostile.report import Curve, Row, Usage, misses, print_curve, print_heading, print_row
from bench.web_load.server import Server, clean_up_when_told_to_end, limits, serving

WARM_UP_SECONDS = 10.0  # seconds until all friends play, and what thinks is loaded
SAMPLE_SECONDS = 0.25  # seconds between looks at the server's memory
CALM_SECONDS = (
    4.0  # seconds before a pattern, and at the end of the pause after it, that are measured
)


class Bench:
    """A server with friends on it, attacked in one way after the other."""

    def __init__(self, server: Server, friends: Friends, options: argparse.Namespace) -> None:
        self.server = server
        self.friends = friends
        self.options = options
        self.curve = Curve(time.perf_counter())
        self.usage: list[Usage] = []

    async def watch(self) -> None:
        """Note what the server uses, for ever."""
        while True:
            self.usage.append(_usage(self.server))
            self.curve.add(self.usage[-1])
            await asyncio.sleep(SAMPLE_SECONDS)

    async def attacked(self, name: str, more: dict[str, Any]) -> Row:
        """Let one pattern run, wait, and say what was noticed."""
        options = self.options
        if name == "refs":
            await self.friends.meet_victims()
            more = {"games": self.friends.victims}
        before, first = _usage(self.server), len(self.usage)
        self.curve.mark(name)
        began = time.perf_counter()
        seconds = max(options.seconds, ATTACKS[name].seconds)
        more = {"seconds": seconds, "seed": options.seed, **ATTACKS[name].caps, **more}
        hostile = await asyncio.create_subprocess_exec(
            *command(name, self.server.address, more), stdout=asyncio.subprocess.PIPE
        )
        output, _ = await hostile.communicate()
        ended = time.perf_counter()
        self.curve.mark("")
        await asyncio.sleep(options.settle)
        now = time.perf_counter()
        notes = self.friends.notes
        row = Row(
            pattern=name,
            calm=notes.times(began - CALM_SECONDS, began),
            times=notes.times(began, ended),
            later=notes.times(now - CALM_SECONDS, now),
            errors=notes.errors(began, ended),
            later_errors=notes.errors(now - CALM_SECONDS, now),
            before=before,
            worst=Usage.highest([before, *self.usage[first:]]),
            after=_usage(self.server),
            own_lag=self.friends.lag,
            **json.loads(output.splitlines()[-1]),
        )
        row.misses = misses(row)
        return row


def _usage(server: Server) -> Usage:
    return Usage(server.memory(), server.open_files())


async def measure(names: list[str], folder: Path, options: argparse.Namespace) -> list[Row]:
    """The patterns in turn on one server that is started for them; what was noticed of each."""
    settings = limits(ATTACKS[names[0]].caps)
    if options.source:
        settings["PYTHONPATH"] = str(options.source.resolve() / "src")
    prepared = prepare(folder, names, options.seed, settings)
    rows: list[Row] = []
    began = time.perf_counter()
    with serving(folder, *options.serve, settings=settings) as server:
        start = time.perf_counter() - began
        friends = Friends(server.address, options.seed)
        bench = Bench(server, friends, options)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(friends.playing())
            watching = asyncio.create_task(bench.watch())
            stack.callback(watching.cancel)
            await asyncio.sleep(WARM_UP_SECONDS)
            until = time.perf_counter() + (options.soak or 0)
            while not rows or time.perf_counter() < until:
                for name in names:
                    more = {"database": str(database_of(folder)), **prepared.get(name, {})}
                    rows.append(await bench.attacked(name, more))
                    rows[-1].start = start
                    print_row(rows[-1], sys.stderr if options.json else sys.stdout)
            friends.check()
        if options.soak:
            print_curve(bench.curve)
    return rows


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--pattern", action="append", choices=ATTACKS, help="only this one")
    parser.add_argument("--source", type=Path, help="a checkout whose server is attacked instead")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each pattern, at least")
    parser.add_argument("--settle", type=float, default=6.0, help="seconds after it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--strict", action="store_true", help="end with 1 if a bound is missed")
    parser.add_argument("--soak", type=float, nargs="?", const=3_600.0, metavar="SECONDS")
    parser.add_argument("serve", nargs="*", help="more options of `gridwise serve`, after --")
    options = parser.parse_args()
    clean_up_when_told_to_end()
    names = options.pattern or list(ATTACKS)
    usual = [name for name in names if not ATTACKS[name].caps]
    apart = [[name] for name in names if ATTACKS[name].caps and not options.soak]
    rows: list[Row] = []
    print_heading(sys.stderr if options.json else sys.stdout)
    for share in filter(None, [usual, *apart]):
        with tempfile.TemporaryDirectory(prefix="gridwise-hostile-") as folder:
            rows += asyncio.run(measure(share, Path(folder), options))
    if options.json:
        print(json.dumps([row.as_json() for row in rows], indent=1))
    else:
        print(f"load average {', '.join(f'{each:.1f}' for each in os.getloadavg())}")
    sys.exit(bool(options.strict and any(row.misses for row in rows)))


if __name__ == "__main__":
    main()
