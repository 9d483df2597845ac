"""The games. A new one is a folder here and a line below."""

from gridwise.core.registry import register

register("number-run", "gridwise.games.number_run")
register("number-maze", "gridwise.games.number_maze")
register("grid-runner", "gridwise.games.grid_runner")
register("grid-conquest", "gridwise.games.grid_conquest")
register("number-connect", "gridwise.games.number_connect")
