"""A study: how a game or a variant of it behaves, measured on many boards.

`variant` says which game is played, `plan` which tasks that makes, `sampling` what a worker does,
`figures` adds results up, `page` and `plots` show them. `study` runs all of it; `even` looks for
the variant that is nearest to fair, and `openings` makes the opening book of a game with face-down
cells.
"""
