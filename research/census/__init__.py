"""The census: every board of a size, counted exactly, without going through them one by one.

`take_census` counts, on an executor if it is given one; `census_tasks` are its parts. `find_leaves`
says what single boards are counted as, so that the count can be checked against a solver.
`move_table` reads off a game's rules what the count needs to know, and refuses other games.
`partial_board`, `certainty` and `tree` are the kernels.
"""

from research.census.count import Census, Leaf, census_tasks, find_leaves, take_census

__all__ = ["Census", "Leaf", "census_tasks", "find_leaves", "take_census"]
