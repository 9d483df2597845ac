"""The arena: players of every kind, many games between them, and what the results show.

Players are in `players`, the boards they play on in `boards`, pairs of games with sides swapped in
`paired_games`. `grading` compares every move with exact play, in games or on the positions of
`suites`; `grades` is what it is made of. `tournament` plays matches between players of any kind and
computes Elo, SPRT and ratings. `census` counts every board of a size. `ladder` ranks the bots, and
`statistics` has the confidence intervals. `observation` is what a policy is shown of a position.
"""
