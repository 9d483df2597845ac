"""What Inspect finds by the entry point: the tasks, and the bots as models (`gridwise/perfect`)."""

from gridwise.evals.bot_model import bot_model
from gridwise.evals.tasks import play, positions, rules

__all__ = ["bot_model", "play", "positions", "rules"]
