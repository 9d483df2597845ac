"""The games as tools for a language model's client: `gridwise mcp`.

`server.py` puts the parts together and serves them, `tools.py` has what a client can call,
`arguments.py` and `answers.py` what goes in and comes out, `games_store.py` the games on disk,
`engine_pool.py` the processes in which bots and reviews think.

Nothing is remembered between two calls: every call names its game by its id and reads it from disk,
so a server can be restarted in the middle of a game, and several can serve the same games.
"""
