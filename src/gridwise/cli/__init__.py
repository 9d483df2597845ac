"""The command line. It asks, tells and saves; it knows no rule."""
