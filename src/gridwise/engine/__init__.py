"""What positions and moves are worth, and what follows from it.

`evaluation` is the front door. `analysis` (data in, data out), `bots`, `hints`, `review`, `puzzles`
and `deals` are built on it. The searches are in `exact` and `chance`, their machine code in
`compiled`, the protocol for other programs in `ugi`.
"""
