"""The games as environments for learning agents: PettingZoo, Gymnasium, OpenSpiel, gg-bench.

Nothing heavy is imported here; each module below imports its own framework.
"""
