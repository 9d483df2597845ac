"""Everything that takes time to think about, away from the event loop and in fair turns.

    Workers.quick (dealing, replaying), choose (a bot's move), ask (anything else)

A worker process imports `questions`, so nothing heavy is imported here.
"""

from gridwise.web.workers.fair_queue import Asker, asker
from gridwise.web.workers.workers import Workers

__all__ = ["Asker", "Workers", "asker"]
