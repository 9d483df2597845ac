"""Number Maze in the shape of gg-bench's environments."""

from gridwise.envs.gg_bench import environment


class CustomEnv(environment.CustomEnv):
    """Number Maze, made without arguments as gg-bench makes its environments."""

    key = "number-maze"
