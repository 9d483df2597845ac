"""The lab: many games between players of every kind, and what the results show.

`run` hands out tasks, to this machine or a cluster, and `store` keeps their results. `paired_games`
plays each board twice with sides swapped; `grading` compares every move with exact play, in games
or on the positions of `suites`; `tournament` plays matches and computes Elo, SPRT and ratings;
`study` measures a game or a variant of it. `statistics` has the confidence intervals, `report` the
tables, charts, pages and files of all of them.
"""
