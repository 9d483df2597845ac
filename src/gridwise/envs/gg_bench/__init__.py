"""The games in the shape of gg-bench's environments: a drop-in `CustomEnv` for each.

    from gridwise.envs.gg_bench.number_run import CustomEnv
    env = CustomEnv()

`gridwise.envs.gg_bench.CustomEnv` takes any game by its key. docs/gg-bench.md has what gg-bench's
own environments of these names do, and how ours differ.
"""

from gridwise.envs.gg_bench.environment import CustomEnv
from gridwise.envs.gg_bench.observations import Layout

__all__ = ["CustomEnv", "Layout"]
