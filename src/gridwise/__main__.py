"""The way in: `gridwise`, and `python -m gridwise`.

Nothing is imported before `main` runs, so that Ctrl-C is answered politely from the first moment.
"""


def main() -> None:
    """Run the command line."""
    try:
        from gridwise.cli.main import run  # noqa: PLC0415 - see above

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
