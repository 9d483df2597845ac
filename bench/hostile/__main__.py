"""What friendly people notice while somebody is hostile, and what it costs the server.

A real server with its usual limits, in a process of its own; friendly people in this process, from
many addresses; somebody hostile in a third, from others. `python -m bench.hostile` goes through all
patterns on one server, and on one each for those that need other limits; with --soak, for an hour
through the former, a row for each time. See docs/web-measured.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench.comparison import print_cells, print_heading
from bench.hostile.attacks import ATTACKS, LOCKED, command
from bench.hostile.friends import Friends
from bench.hostile.prepare import database_of, prepare
from bench.web_load.server import Server, clean_up_when_told_to_end, limits, percentile, serving

WARM_UP_SECONDS = 10.0  # seconds until all friends play, and what thinks is loaded
SAMPLE_SECONDS = 0.25  # seconds between looks at the server's memory
# Before a pattern, and at the end of the pause after it, so many seconds are measured.
CALM_SECONDS = 4.0

MOVE_MS, NEW_GAME_MS = 100.0, 1_000.0  # the 99th percentile, and the worst
GROWTH_MB = 150.0  # that one hostile client may cost
LEFT_MB = 60.0  # of them that may stay: Python does not give back everything
FILES = 30  # open files more than before; friends come and go
# Who takes the database away does not come over the network: people wait, and then it goes on.
OUTAGES_MS = {"lock": (LOCKED + 1) * 1_000}

HEADING = (
    "pattern", "a move before, p50 / p99 / worst, ms", "meanwhile", "later", "a new game before",
    "meanwhile", "start page", "question", "errors", "memory before / worst / later, MB",
    "open files", "what others could do", "misses",
)  # fmt: skip


class Usage(NamedTuple):
    """What the server uses."""

    memory: float  # MB
    files: int


@dataclass
class Row:
    """What was noticed of one pattern; times in seconds, by what took them."""

    pattern: str
    calm: dict[str, list[float]]  # the friends, before it
    times: dict[str, list[float]]
    later: dict[str, list[float]]
    errors: Counter[str]
    later_errors: Counter[str]
    before: Usage
    worst: Usage
    after: Usage
    did: dict[str, float]  # what somebody hostile did, and how often
    took: dict[str, list[float]]  # what it took those whom the pattern was about
    claims: dict[str, tuple[int, int]]  # what others should be able to do: how often it was so, of

    @property
    def misses(self) -> list[str]:
        """Which bounds do not hold."""
        outage = OUTAGES_MS.get(self.pattern, 0.0)
        move, new_game = self.times["move"], self.times["new game"]
        missed = {
            "a move": not percentile(move, 0.99) < MOVE_MS + outage,
            "a new game": not percentile(new_game, 1.0) < NEW_GAME_MS + outage,
            "errors": bool(self.errors) and not outage,
            "memory": self.worst.memory > self.before.memory + GROWTH_MB,
            "a move afterwards": not percentile(self.later["move"], 0.99) < MOVE_MS,
            "errors afterwards": bool(self.later_errors),
            "memory afterwards": self.after.memory > self.before.memory + LEFT_MB,
            "open files afterwards": self.after.files > self.before.files + FILES,
        } | {what: held < tried or not tried for what, (held, tried) in self.claims.items()}
        return [name for name, is_missed in missed.items() if is_missed]

    def print(self) -> None:
        """Print it as a row under HEADING."""
        usages = (self.before, self.worst, self.after)
        tried = [f"{what}: {held} of {tried}" for what, (held, tried) in self.claims.items()]
        tried += [f"{what}: {_summary(times)} ms" for what, times in self.took.items()]
        print_cells(
            self.pattern,
            *(_summary(times["move"]) for times in (self.calm, self.times, self.later)),
            *(_summary(times["new game"]) for times in (self.calm, self.times)),
            *(_summary(self.times[what]) for what in ("page", "question")),
            ", ".join(f"{count} {what}" for what, count in self.errors.most_common(3)) or "0",
            " / ".join(f"{usage.memory:,.0f}" for usage in usages),
            " / ".join(f"{usage.files:,}" for usage in usages),
            "; ".join(tried) or "-",
            ", ".join(self.misses) or "-",
        )


def _summary(times: list[float]) -> str:
    return " / ".join(f"{percentile(times, share):,.0f}" for share in (0.5, 0.99, 1.0))


class Bench:
    """A server with friends on it, attacked in one way after the other."""

    def __init__(self, server: Server, friends: Friends, options: argparse.Namespace) -> None:
        self.server = server
        self.friends = friends
        self.options = options
        self.usage: list[Usage] = []

    async def watch(self) -> None:
        """Note what the server uses, for ever."""
        while True:
            self.usage.append(_usage(self.server))
            await asyncio.sleep(SAMPLE_SECONDS)

    async def attacked(self, name: str, more: dict[str, Any]) -> Row:
        """Let one pattern run, wait, and say what was noticed."""
        options = self.options
        if name == "refs":
            await self.friends.meet_victims()
            more = {"games": self.friends.victims}
        before, first = _usage(self.server), len(self.usage)
        began = time.perf_counter()
        seconds = max(options.seconds, ATTACKS[name].seconds)
        more = {"seconds": seconds, "seed": options.seed, **ATTACKS[name].caps, **more}
        hostile = await asyncio.create_subprocess_exec(
            *command(name, self.server.address, more), stdout=asyncio.subprocess.PIPE
        )
        output, _ = await hostile.communicate()
        ended = time.perf_counter()
        await asyncio.sleep(options.settle)
        now = time.perf_counter()
        notes = self.friends.notes
        measured = [before, *self.usage[first:]]
        return Row(
            pattern=name,
            calm=notes.times(began - CALM_SECONDS, began),
            times=notes.times(began, ended),
            later=notes.times(now - CALM_SECONDS, now),
            errors=notes.errors(began, ended),
            later_errors=notes.errors(now - CALM_SECONDS, now),
            before=before,
            worst=Usage(*map(max, zip(*measured, strict=True))),
            after=_usage(self.server),
            **json.loads(output.splitlines()[-1]),
        )


def _usage(server: Server) -> Usage:
    return Usage(server.memory(), server.open_files())


async def measure(names: list[str], folder: Path, options: argparse.Namespace) -> list[Row]:
    """The patterns in turn on one server that is started for them; what was noticed of each."""
    settings = limits(ATTACKS[names[0]].caps)
    if options.source:
        settings["PYTHONPATH"] = str(options.source.resolve() / "src")
    prepared = prepare(folder, names, options.seed, settings)
    rows: list[Row] = []
    with serving(folder, *options.serve, settings=settings) as server:
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
                    rows[-1].print()
            friends.check()
    return rows


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--pattern", action="append", choices=ATTACKS, help="only this one")
    parser.add_argument("--source", type=Path, help="a checkout whose server is attacked instead")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each pattern, at least")
    parser.add_argument("--settle", type=float, default=6.0, help="seconds after it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strict", action="store_true", help="end with 1 if a bound is missed")
    parser.add_argument("--soak", type=float, nargs="?", const=3_600.0, metavar="SECONDS")
    parser.add_argument("serve", nargs="*", help="more options of `gridwise serve`, after --")
    options = parser.parse_args()
    clean_up_when_told_to_end()
    names = options.pattern or list(ATTACKS)
    usual = [name for name in names if not ATTACKS[name].caps]
    apart = [[name] for name in names if ATTACKS[name].caps and not options.soak]
    rows: list[Row] = []
    print_heading(*HEADING)
    for share in filter(None, [usual, *apart]):
        with tempfile.TemporaryDirectory(prefix="gridwise-hostile-") as folder:
            rows += asyncio.run(measure(share, Path(folder), options))
    print(f"load average {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    sys.exit(bool(options.strict and any(row.misses for row in rows)))


if __name__ == "__main__":
    main()
