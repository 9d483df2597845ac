"""Everything that takes time to think about, away from the event loop and in fair turns.

    Workers.quick (dealing, replaying), choose (a bot's move), ask (anything else)

A worker process imports `questions` and this, so nothing is imported here.
"""
