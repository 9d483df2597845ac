"""The API over HTTP and WebSockets, and what guards it."""
