"""The command line: it asks, prints and saves. It knows no game's rules."""
