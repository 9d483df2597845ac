"""The games as environments for agents: PettingZoo, Gymnasium, OpenSpiel.

Nothing heavy is imported here; each module below imports its own framework.
"""
