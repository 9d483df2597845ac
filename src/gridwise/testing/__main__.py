"""`python -m gridwise.testing MODULE`: check the game that a module has as `GAME`."""

import argparse
import sys

from gridwise.core.registry import add_module
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, GridwiseError, UnknownGame
from gridwise.testing import each_check


def main() -> int:
    """Run every check and say which hold; 1 if one does not."""
    parser = argparse.ArgumentParser(prog="python -m gridwise.testing", description=__doc__)
    parser.add_argument(
        "module", help="a folder, file or module with GAME, or the key of a registered game"
    )
    parser.add_argument("--games", type=int, default=50, help="random games for each check")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other games")
    wanted = parser.parse_args()
    try:
        game = game_named(wanted.module)
    except UnknownGame:
        try:
            game = add_module(wanted.module)[0]
        except BadRequest as error:
            parser.error(str(error))
    try:
        for name in each_check(game, games=wanted.games, seed=wanted.seed):
            print(f"ok    {name}")
    except (AssertionError, GridwiseError) as error:
        print(f"{game.title} does not pass: {error}", file=sys.stderr)
        return 1
    print(f"{game.title} passes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
