"""A study: how a game or a variant of it behaves, measured on many boards.

`variant` says which game is played, `blocks` which tasks that makes and what a worker does in them,
`batch_games` plays many games at once, `figures` adds results up, and `report` shows them. `even`
looks for the variant that is nearest to fair.
"""
