"""The Inspect tasks, one module each."""
