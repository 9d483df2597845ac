"""Proofs about games: each prints the argument, every line after it was checked with the rules.

`PROOFS` has the function of each game that is proved. What they print is what is in the package as
`why.txt` in the game's folder, which `gridwise rules GAME --why` shows.
"""

from collections.abc import Callable, Iterator

from research.proofs import grid_runner, number_run

PROOFS: dict[str, Callable[[], Iterator[str]]] = {
    "number-run": number_run.prove,
    "grid-runner": grid_runner.prove,
}
