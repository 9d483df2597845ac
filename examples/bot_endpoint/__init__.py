"""One of our bots behind an endpoint that speaks as OpenAI's does: a model without a network."""
