"""Search where cells are face down: winning probabilities, exact or sampled.

From outside, use `gridwise.engine.evaluate`, or `win_probability.win_probabilities` itself. The
rest belongs together: `race` is the position as the search sees it, `relaxation` gives first
estimates, `expectimax` (with `chance_nodes`, `decided`, `search_stack`) solves exactly, `mcts`
(with `tree`) samples.
"""
