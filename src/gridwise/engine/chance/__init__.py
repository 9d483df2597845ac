"""Search where cells are face down: winning probabilities, exact or sampled.

From outside, use `gridwise.evaluate`, or `win_probability.win_probabilities` itself. `race` is the
position as the search sees it, with first estimates; `expectimax` solves exactly, `mcts` samples.
"""
