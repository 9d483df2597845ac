"""What friendly people notice while one client is hostile, and what it costs the server.

A real server with its usual limits, in a process of its own; friendly people in this process, from
many addresses; somebody hostile in a third, from one address. `python -m bench.hostile`; a run with
--soak goes through all patterns for an hour on one server. See docs/web.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.hostile import prepare
from bench.hostile.attacks import ATTACKS, command
from bench.hostile.friends import Friends
from bench.hostile.report import Curve, Row, Usage, misses, print_curve, print_table
from bench.web_load.server import Server, clean_up_when_told_to_end, serving

WARM_UP = 10.0  # seconds until all friends play, and what thinks is loaded
SAMPLE = 0.25  # seconds between looks at the server's memory
LAST = 10.0  # seconds at the end of a pause in which all must be as before

PREPARED: dict[str, Callable[[Path], None]] = {
    "fill": prepare.unjoined_games,
    "start-page": prepare.finished_games,
}


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
            await asyncio.sleep(SAMPLE)

    async def attacked(self, name: str, more: dict[str, Any]) -> Row:
        """Let one pattern run, wait, and say what was noticed."""
        options = self.options
        if name == "refs":
            await self.friends.meet_victims()
            more = {"games": self.friends.victims}
        before, first = _usage(self.server), len(self.usage)
        self.curve.mark(name)
        began = time.perf_counter()
        more = {"seconds": options.seconds, "seed": options.seed, **more}
        hostile = await asyncio.create_subprocess_exec(
            *command(name, self.server.address, more), stdout=asyncio.subprocess.PIPE
        )
        output, _ = await hostile.communicate()
        ended = time.perf_counter()
        self.curve.mark("")
        await asyncio.sleep(options.settle)
        now = time.perf_counter()
        notes = self.friends.notes
        after = _usage(self.server)
        await asyncio.sleep(0)
        late = max(ended, now - LAST)
        return Row(
            pattern=name,
            did=json.loads(output.splitlines()[-1]),
            moves=notes.times("move", began, ended),
            bots=notes.times("bot", began, ended),
            new_games=notes.times("new game", began, ended),
            questions=notes.times("question", began, ended),
            pages=notes.times("page", began, ended),
            errors=notes.errors(began, ended),
            later_moves=notes.times("move", late, now),
            later_errors=notes.errors(late, now),
            before=before,
            worst=Usage.highest([before, *self.usage[first:]]),
            after=after,
            own_lag=self.friends.lag,
        )


def _usage(server: Server) -> Usage:
    return Usage(server.memory(), server.open_files())


async def measure(names: list[str], folder: Path, options: argparse.Namespace) -> list[Row]:
    """The patterns in turn on one server that is started for them; what was noticed of each."""
    more: dict[str, Any] = {"database": str(prepare.database_of(folder))}
    if "poison" in names:
        more["games"] = prepare.poison(folder, options.seed)
    if "look-back" in names:
        more["long"] = prepare.long_game(folder, options.seed)
    for name, make in PREPARED.items():
        if names == [name] or (options.soak and name != "fill"):
            make(folder)
    began = time.perf_counter()
    rows: list[Row] = []
    with serving(folder, *options.serve) as server:
        start = time.perf_counter() - began
        friends = Friends(server.address, options.seed)
        bench = Bench(server, friends, options)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(friends.playing())
            watching = asyncio.create_task(bench.watch())
            stack.callback(watching.cancel)
            await asyncio.sleep(WARM_UP)
            until = time.perf_counter() + (options.soak or 0)
            while True:
                for name in names:
                    row = await bench.attacked(name, dict(more))
                    row.start = start
                    row.misses = misses(row)
                    rows.append(row)
                    if options.soak:
                        print_table([row], heading=len(rows) == 1, where=sys.stderr)
                        bench.curve.save(options.curve)
                if time.perf_counter() >= until:
                    break
            friends.check()
        if options.soak:
            print_curve(bench.curve)
    return rows


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--pattern", action="append", choices=ATTACKS, help="only this one")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each pattern")
    parser.add_argument("--settle", type=float, default=60.0, help="seconds after it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--strict", action="store_true", help="end with 1 if a bound is missed")
    parser.add_argument("--soak", type=float, nargs="?", const=3_600.0, metavar="SECONDS")
    parser.add_argument("--curve", type=Path, help="where a soak keeps its memory curve, as JSON")
    parser.add_argument("serve", nargs="*", help="more options of `gridwise serve`, after --")
    options = parser.parse_args()
    clean_up_when_told_to_end()
    names = options.pattern or list(ATTACKS)
    rows: list[Row] = []
    for share in [names] if options.soak else [[name] for name in names]:
        with tempfile.TemporaryDirectory(prefix="gridwise-hostile-") as folder:
            rows += asyncio.run(measure(share, Path(folder), options))
        if not options.json and not options.soak:
            print_table(rows[-1:], heading=len(rows) == 1)
    if options.json:
        print(json.dumps([row.as_json() for row in rows], indent=1))
    else:
        print(f"load average {', '.join(f'{each:.1f}' for each in os.getloadavg())}")
    sys.exit(bool(options.strict and any(row.misses for row in rows)))


if __name__ == "__main__":
    main()
