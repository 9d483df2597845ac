"""Search where nothing is hidden: exact values and distances.

From outside, use `gridwise.evaluate`, or `solver.solve` for one position and
`batch_solver.solve_boards` for many boards. `forward_search` is for games that always end,
`retrograde` for those that can go on for ever.
"""
