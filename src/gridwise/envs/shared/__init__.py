"""What several environments share: their options, spaces and render modes."""
