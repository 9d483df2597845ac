"""Everything that can take a seat: people, bots, other engines, Python objects, language models."""
