"""One seed, one deal: `play --seed` deals what `Match(seed=…)` deals, and nothing gives it away."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from gridwise import Match
from gridwise import game as game_named
from gridwise.play.setup import Setup
from tests.sizes import sample

from .program import GAMES, gridwise, tag_in

RANGES = {
    "number-run": (1, 5),
    "number-maze": (1, 4),
    "grid-conquest": (1, 5),
    "number-connect": (1, 9),
}


def dealt(home: Path, game: str, seed: int, *options: str) -> tuple[str, int]:
    """The whole board and who began, read off the record of a game that was given up."""
    file = home / f"{game}-{seed}.gwr"
    asked = ("play", game, "--seed", str(seed), "--deal", "uniform", "--record", str(file))
    gridwise(*asked, *options, home=home, typed=["resign", "no"])
    return tag_in(file, "Board"), int(tag_in(file, "First"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", sample([7, -3], long=[0, 7, 8, -3]))
def test_play_and_match_deal_the_same(home: Path, game: str, seed: int) -> None:
    """Board and coin toss, for people and for bots, whatever the seed."""
    match = Match(game, seed=seed)
    expected = game_named(game).board_text(match.true_board), match.first
    assert dealt(home, game, seed) == expected
    assert dealt(home, game, seed, "--p2", "bot:random") == expected


def numbers(seed: int) -> list[float]:
    """Thirty numbers of the documented generator: splitmix64, then Knuth's 64-bit generator."""
    mask = (1 << 64) - 1
    source = (seed + 0x9E3779B97F4A7C15) & mask
    source = ((source ^ (source >> 30)) * 0xBF58476D1CE4E5B9) & mask
    source = ((source ^ (source >> 27)) * 0x94D049BB133111EB) & mask
    source ^= source >> 31
    found = []
    for _ in range(30):
        source = (source * 6364136223846793005 + 1442695040888963407) & mask
        found.append((source >> 33) / 2**31)
    return found


@pytest.mark.parametrize("game", RANGES)
def test_the_deal_is_the_documented_one(home: Path, game: str) -> None:
    """Each cell is one number of the generator, row by row; the coin toss is the next."""
    low, high = RANGES[game]
    board, first = dealt(home, game, 7)
    cells = board.replace("/", "")
    stream = numbers(7)
    expected = [low + int(stream[at] * (high - low + 1)) for at in range(len(cells))]
    assert [int(cell) for cell in cells] == expected
    assert first == (1 + int(stream[len(cells)] * 2) if game == "grid-conquest" else 1)


def test_the_next_round_has_another_board(home: Path) -> None:
    """Playing again with the same seed is not the same game again, but the same second game."""
    boards = []
    for name in ("a", "b"):
        gridwise(
            *("play", "number-connect", "--seed", "7", "--record", home / f"{name}.gwr"),
            home=home,
            typed=["resign", "yes", "resign", "no"],
        )
        boards.append([tag_in(home / f"{name}{end}.gwr", "Board") for end in ("", "-2")])
    assert boards[0] == boards[1]
    assert boards[0][0] != boards[0][1]


TELLS_SEED = """\
import sys
heard = open(sys.argv[1], "a")
for line in sys.stdin:
    line = line.strip()
    if line == "ugi":
        print("option name Seed type spin default 0 min 0 max 2147483647\\nugiok")
    elif line == "isready":
        print("readyok")
    elif line.startswith("setoption"):
        print(line, file=heard, flush=True)
    sys.stdout.flush()
"""


def told(home: Path, game: str, seed: int) -> str:
    """What an engine hears of the seed of a game in which it plays."""
    script, heard = home / "engine.py", home / f"{game}{seed}.txt"
    script.write_text(TELLS_SEED)
    command = shlex.join([sys.executable, str(script), str(heard)])
    asked = ("play", game, "--seed", str(seed), "--first", "1", "--p2", f"ugi:{command}")
    gridwise(*asked, home=home, typed=["quit"])
    return heard.read_text()


def test_an_engine_cannot_try_seeds_where_cells_are_face_down(home: Path) -> None:
    """What it is told does not depend on the seed at all, so no seed fits better than another."""
    heard = {told(home, "grid-conquest", seed) for seed in (1, 2, 3)}
    assert len(heard) == 1
    assert heard.pop().startswith("setoption name Seed value ")


def test_an_engine_plays_other_games_for_other_seeds(home: Path) -> None:
    """Where nothing is hidden its seed comes from ours, by way of a hash: never ours itself."""
    numbers = [int(told(home, "grid-runner", seed).split()[-1]) for seed in (1, 2, 1)]
    assert numbers[0] != numbers[1]
    assert numbers[0] not in (1, numbers[1])


def test_what_players_draw_is_not_drawn_from_the_deal() -> None:
    """Deal, players and what is dealt after an undo have seeds of which none gives another away."""
    setup = Setup(game="grid-conquest", seed=7)
    seeds = [setup.seed_for(purpose) for purpose in ("player 1", "player 2", "undo")]
    seeds += [setup.next_round(game_named("grid-conquest"), ("human", "human")).seed_for("undo")]
    assert len(set(seeds)) == len(seeds)
    assert all(seed and re.fullmatch("[0-9a-f]{64}", seed) for seed in seeds)
    assert setup.deal_seed == 7
    assert Setup(game="grid-conquest").seed_for("player 1") is None
