"""Checks that a game keeps the contract; games of other packages too.

    from gridwise.testing import check_game
    check_game(my_game)

On the command line it is `python -m gridwise.testing MODULE`, where MODULE has the game as `GAME`.
Each check plays random games and raises AssertionError with its own name, a sentence that says what
is wrong, and the board and moves that it failed on. They need no test framework.

| check | what must hold |
|---|---|
| `check_rules` | the bare rules: legal actions, winners, states, hidden cells, planes |
| `check_compiles` | rules and planes compile, and say the same compiled |
| `check_observation` | positions that differ look different to an agent |
| `check_text_round_trips` | boards, cells and moves are read back as they were written |
| `check_bad_moves` | whatever is not a legal move is refused and explained |
| `check_dialogue` | there are lines for every position, move and ending |
| `check_views` | every cell and every legal move is shown |
| `check_pages`, `check_lesson` | summary, rules page, example, heuristic, guided first game |
| `check_match`, `check_records` | Match and Position follow the rules; records are read back |
| `check_analysis` | `analyze` and `evaluate` know the game |
| `check_hidden` | nothing that a player holds has a hidden value in it |
"""

from collections.abc import Callable, Iterator

from gridwise.core.game import Game
from gridwise.testing.hidden_checks import check_hidden
from gridwise.testing.play_checks import check_analysis, check_match, check_records
from gridwise.testing.rules_checks import check_compiles, check_observation, check_rules
from gridwise.testing.samples import playable_sizes
from gridwise.testing.text_checks import (
    check_bad_moves,
    check_dialogue,
    check_lesson,
    check_pages,
    check_text_round_trips,
    check_views,
)

__all__ = [
    "check_analysis",
    "check_bad_moves",
    "check_compiles",
    "check_dialogue",
    "check_game",
    "check_hidden",
    "check_lesson",
    "check_match",
    "check_observation",
    "check_pages",
    "check_records",
    "check_rules",
    "check_text_round_trips",
    "check_views",
]

# Made on every size that the game can be played on.
_ON_EVERY_SIZE: tuple[Callable[..., object], ...] = (
    check_rules,
    check_compiles,
    check_observation,
    check_text_round_trips,
    check_bad_moves,
    check_dialogue,
    check_views,
    check_match,
    check_records,
)


def check_game(game: Game, *, games: int = 50, seed: int = 1) -> None:
    """Make every check; raises AssertionError at the first that fails."""
    for _ in each_check(game, games=games, seed=seed):
        pass


def each_check(game: Game, *, games: int = 50, seed: int = 1) -> Iterator[str]:
    """Make every check, one after the other; gives the name of each that holds."""
    for name, size in playable_sizes(game).items():
        for check in _ON_EVERY_SIZE:
            check(game, size, games=games, seed=seed)
            yield f"{check.__name__}, {name} size"
    for search in (check_hidden, check_analysis):  # fewer games: they search every position
        search(game, games=max(1, games // 10), seed=seed)
        yield search.__name__
    check_pages(game)
    yield check_pages.__name__
