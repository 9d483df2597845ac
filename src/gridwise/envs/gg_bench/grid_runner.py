"""Grid Runner in the shape of gg-bench's environments."""

from gridwise.envs.gg_bench import environment


class CustomEnv(environment.CustomEnv):
    """Grid Runner, made without arguments as gg-bench makes its environments."""

    key = "grid-runner"
