"""Our bots in a model's place: they read the same prompts, and answer in words."""
