"""The games as tools for a language model's client: `gridwise mcp`.

`server.py` puts the parts together and serves them, `tools.py` has what a client can call,
`answers.py` what it answers, `games_store.py` the games on disk.

Nothing is remembered between two calls: every call names its game by its id and reads it from disk,
so a server can be restarted in the middle of a game, and several can serve the same games.
"""
