"""The arena: players of every kind, many games between them, and what the results show.

Players are in `players`, the boards they play on in `boards`, pairs of games with sides swapped in
`paired_games`. `grading` compares every move with exact play, in games or on the positions of
`suites`; `grades` is what it is made of. `ladder` ranks the bots, and `statistics` has the
confidence intervals. `observation` is what a policy is shown of a position.
"""
