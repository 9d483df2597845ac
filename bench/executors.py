"""What a second worker adds: the same tasks on one process and on two.

On free cores two workers should make at least 1.7 times the tasks of one. Whether cores are free is
measured too: a loop that only counts, in one process and in two at once. If two of those do not
make twice as much either, the machine had other work, and the share of what was possible is what
counts. The overhead of the executor is the time of one worker against the same tasks called in
this process.

    python -m bench.executors
"""

from __future__ import annotations

import argparse
import time

from gridwise.core.registry import game
from gridwise.lab.run import Executor, LocalProcesses, Task
from gridwise.lab.study.blocks import Plan, board_tasks
from gridwise.lab.study.variant import Variant

BOARDS = 8_192 * 12
COUNTED = 20_000_000


def count(number: int) -> int:
    """Count, and nothing else: work that shares nothing but the processors."""
    for _ in range(number):
        pass
    return number


def seconds(executor: Executor, tasks: list[Task]) -> float:
    """How long the tasks take."""
    began = time.perf_counter()
    for _ in executor.run(tasks):
        pass
    return time.perf_counter() - began


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    rounds = options.parse_args().rounds
    variant = Variant.standard(game("number-connect"))
    tasks = board_tasks(variant, Plan(boards=BOARDS))
    counting = [Task(f"count-{n}", count, {"number": COUNTED}) for n in range(4)]
    here, one, two = Executor(), LocalProcesses(1), LocalProcesses(2)
    try:
        for executor in (here, one, two):  # processes started, kernels loaded
            seconds(executor, tasks[:4])
        print("round  here   one    two    gain   overhead  counting gains")
        gains, possible = [], []
        for number in range(rounds):
            bare, alone, both = (seconds(executor, tasks) for executor in (here, one, two))
            free = seconds(one, counting) / seconds(two, counting)
            gains.append(alone / both)
            possible.append(free)
            print(
                f"{number + 1:5}  {bare:5.2f}  {alone:5.2f}  {both:5.2f}  {alone / both:5.2f}  "
                f"{alone / bare - 1:8.1%}  {free:14.2f}",
                flush=True,
            )
    finally:
        for executor in (one, two):
            executor.close()
    gain, free = sorted(gains)[rounds // 2], sorted(possible)[rounds // 2]
    print(f"Two workers make {gain:.2f} times the tasks of one; counting made {free:.2f}.")
    if free < 1.8:
        print("Two cores were not free: the machine had other work.")


if __name__ == "__main__":
    main()
