"""Language models on trial: Inspect tasks, their scores and report, MCP, TextArena."""
