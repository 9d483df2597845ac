"""The games of this package. A new one is a folder here and a line below."""

from gridwise.core.registry import register_built_in

register_built_in(
    {
        "number-run": "gridwise.games.number_run",
        "number-maze": "gridwise.games.number_maze",
        "grid-runner": "gridwise.games.grid_runner",
        "grid-conquest": "gridwise.games.grid_conquest",
        "number-connect": "gridwise.games.number_connect",
    }
)
