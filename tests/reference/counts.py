"""Count every way the games can go for the first moves, by the reference implementation.

``python -m tests.reference.counts`` from the project's root writes ``tests/data/perft.json``: for
each board and each depth the number of move sequences of exactly that length, and how many of
them end the game right there, by result. A game that is over has no longer sequences. A board
listed with no depth is counted to the very end; its last row has no sequences left.

Plain walking of the tree: no positions are merged, nothing is remembered. It may not import the
product, whose counts are checked against these.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from . import REFERENCE, ReferenceGame

DATA = Path(__file__).parent.parent / "data" / "perft.json"


class Case(NamedTuple):
    """A board to count from, and how deep."""

    game: str
    board: str
    depth: int | None
    first: int = 1
    target: int | None = None


CASES = [
    # The worked example, one value everywhere, the highest value everywhere, a rectangle, a
    # larger board; then small boards to the end.
    Case("number-run", "31425/25134/42513/14252/53142", 15),
    Case("number-run", "11111/11111/11111/11111/11111", 15),
    Case("number-run", "55555/55555/55555/55555/55555", 15),
    Case("number-run", "31425/25134/42513", None),
    Case("number-run", "314253/251345/425132/142524/531421/245315", 14),
    Case("number-run", "314/251/425", None),
    Case("number-run", "111/111/111", None),
    Case("number-run", "12/34", None),
    Case("number-run", "3142/2513", None),
    Case("number-run", "31/42/25/13", None),
    Case("number-run", "31425", None),
    Case("number-run", "3142", None),
    Case("number-run", "12", None),
    Case("number-maze", "1324/2132/4213/3421", None),
    Case("number-maze", "1111/1111/1111/1111", 12),
    Case("number-maze", "4444/4444/4444/4444", None),
    Case("number-maze", "2222/2222/2222/2222", 16),
    Case("number-maze", "12132/21321/13212", 40),
    Case("number-maze", "213/121/212/131/112", 19),
    Case("number-maze", "213241/132413/241342/314213/124341/431242", 17),
    Case("number-maze", "11111", 30),
    Case("number-maze", "12211", None),
    Case("number-maze", "111", None),
    Case("grid-runner", "..X../...../X.X.X/...../..X..", 15),
    Case("grid-runner", "...../...../...../...../.....", 12),
    Case("grid-runner", ".../.../...", 15),
    Case("grid-runner", "..X../...../X.X..", 14),
    Case("grid-runner", "..X.../....X./X.X..X/.....X/.X..../...X..", 14),
    Case("grid-runner", "..X/.XX/...", 20),
    Case("grid-runner", "....", 20),
    Case("grid-runner", "...", None),
    Case("grid-runner", ".X/X.", None),
    Case("grid-conquest", "53152/24251/43453/11523/12214", 4),
    Case("grid-conquest", "53152/24251/43453/11523/12214", 4, first=2),
    Case("grid-conquest", "11111/11111/11111/11111/11111", 4),
    Case("grid-conquest", "55555/55555/55555/55555/55555", 4),
    Case("grid-conquest", "51342/24531/35124", 5),
    Case("grid-conquest", "513425/245311/351243/142535/231451/524132", 3),
    Case("grid-conquest", "531/242/515", None),
    Case("grid-conquest", "555/555/555", None),
    Case("grid-conquest", "111/111/111", 7),
    Case("grid-conquest", "524/315", None, target=9),
    Case("grid-conquest", "524/315", None, first=2),
    Case("grid-conquest", "53/42", None),
    Case("grid-conquest", "11/11", None, first=2),
    Case("grid-conquest", "3", None),
    Case("number-connect", "4152/6371/2845/9162", 7),
    Case("number-connect", "1111/1111/1111/1111", 7),
    Case("number-connect", "9999/9999/9999/9999", None),
    Case("number-connect", "5271/3648/9251/4736", 7),
    Case("number-connect", "41527/63718/28459", 7),
    Case("number-connect", "415273/637184/284591/916237/372815/548162", 4),
    Case("number-connect", "415/263/172", None),
    Case("number-connect", "111/111", None, target=3),
    Case("number-connect", "111/111", None),
    Case("number-connect", "11/11", None, target=2),
    Case("number-connect", "12/21", None, target=4),
    Case("number-connect", "3142/1213", None, target=9),
    Case("number-connect", "13121", None, target=5),
    Case("number-connect", "11111", None),
]


class Count(NamedTuple):
    """Sequences of one length, and those of them that end the game."""

    sequences: int
    p1: int
    p2: int
    draw: int


Seen = Counter[tuple[int, str]]


def walk(game: ReferenceGame, depth: int, deepest: int | None, seen: Seen) -> None:
    """Count the position reached after so many moves, then all that can follow."""
    seen[depth, "sequences"] += 1
    ending = game.result()
    if ending is not None:
        seen[depth, ending] += 1
    if depth == deepest:
        return
    for move in game.legal():
        after = game.copy()
        after.play(move)
        walk(after, depth + 1, deepest, seen)


def counted(case: Case) -> list[Count]:
    """Count one case, depth by depth from 1 on."""
    seen: Seen = Counter()
    walk(REFERENCE[case.game](case.board, case.first, case.target), 0, case.depth, seen)
    last = max(depth for depth, _ in seen) + 1 if case.depth is None else case.depth
    return [Count(*(seen[n, kind] for kind in Count._fields)) for n in range(1, last + 1)]


def rows(case: Case) -> list[dict[str, object]]:
    """Give the counts of one case as they are stored."""
    head = {"game": case.game, "board": case.board, "first": case.first, "target": case.target}
    found = enumerate(counted(case), start=1)
    return [{**head, "depth": depth, **count._asdict()} for depth, count in found]


def main() -> None:
    """Count all cases and write them, one row a line."""
    lines: list[str] = []
    for case in CASES:
        begun = time.perf_counter()
        found = rows(case)
        lines += [json.dumps(row) for row in found]
        seconds = time.perf_counter() - begun
        sys.stdout.write(f"{seconds:6.1f} s  {case.game} {case.board} {len(found)} deep\n")
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
