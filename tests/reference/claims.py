"""What the games' texts and the rulings say of single positions, for both implementations.

Expected values come from the texts, the rulings or arithmetic, never from a run.
"""

import pytest

RUN = "31425/25134/42513/14252/53142"
RUN_RICH_RIGHT = "31425/25134/42525/14255/53142"
MAZE = "1324/2132/4213/3421"
RUNNER = "..X../...../X.X.X/...../..X.."
CONQUEST = "53152/24251/43453/?1523/?2214"
CONQUEST_GAME = "C3 D4 D3 A1 B2 B4 C5"
CONNECT = "4152/6371/2845/9162"
CONNECT_GAME = "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"
RUN_WIN = "0,1 3,4 0,2 2,4 1,2 1,4 1,3 0,4 2,3 0,3 3,3 0,2 3,2 0,1 4,2 1,1 4,3 1,0"
RUNNER_WIN = "right left down up down up down up right left right left down left"
CLOSING = "1,0 0,0 1,1 0,1 1,2 0,2 1,3 0,3"  # Player 1 fences Player 2 in on 4x4
REST = "2,0 2,1 2,2 2,3 3,0 3,1 3,2 3,3"


def named(cells: str) -> set[tuple[int, int]]:
    """Read Grid Conquest's cell names, separated by spaces."""
    return {("ABCDE".index(name[0]), int(name[1]) - 1) for name in cells.split()}


# What is true, on which board, after which moves: legal moves, scores, the cells of both players,
# the player to move and the result; None while a game goes on.
Claims = list[tuple[str, str, str, dict[str, object]]]

NUMBER_RUN: Claims = [
    ("each has the two cells next to the own corner", RUN, "", {"legal": "1,0 0,1"}),
    ("so has Player 2", RUN, "0,1", {"legal": "3,4 4,3", "scores": (1, 0)}),
    ("the own start is closed", RUN, "0,1 3,4", {"legal": "1,1 0,2", "scores": (1, 2)}),
    (
        "after three moves of the text the scores are 6 and 2, and Player 2 has two cells",
        *(RUN, "0,1 3,4 1,1"),
        {"scores": (6, 2), "legal": "2,4 3,3", "to_move": 2, "cells": ({(1, 1)}, {(3, 4)})},
    ),
    (
        "next to the opponent a step comes with and without a challenge",
        *(RUN_RICH_RIGHT, "1,0 3,4 1,1 2,4 2,1 2,3"),
        {"legal": "3,1 2,0 2,2 2,2!"},
    ),
    (
        "with 14 against 12 the challenger stays and the opponent goes home with nothing",
        *(RUN_RICH_RIGHT, "1,0 3,4 1,1 2,4 2,1 2,3 2,2!"),
        {"scores": (14, 0), "cells": ({(2, 2)}, {(4, 4)}), "legal": "4,3"},
    ),
    (
        "the same step without a challenge leaves the opponent and both scores alone",
        *(RUN_RICH_RIGHT, "1,0 3,4 1,1 2,4 2,1 2,3 2,2"),
        {"scores": (14, 12), "cells": ({(2, 2)}, {(2, 3)})},
    ),
    (
        "a challenger with less goes home, and the turn passes",
        *("111/115/111", "0,1 1,2 1,1!"),
        {"scores": (0, 5), "cells": ({(0, 0)}, {(1, 2)}), "to_move": 2},
    ),
    ("and keeps the trail", "111/115/111", "0,1 1,2 1,1! 0,2", {"legal": "1,0"}),
    (
        "with equal scores a challenge changes nothing but the turn",
        *("111/112/111", "0,1 1,2 1,1!"),
        {"scores": (2, 2), "cells": ({(1, 1)}, {(1, 2)}), "to_move": 2},
    ),
    (
        "Player 2 can challenge and win as well",
        *("1111/1151/1111", "0,1 2,2 0,2 1,2!"),
        {"scores": (0, 6), "cells": ({(0, 0)}, {(1, 2)})},
    ),
    ("from (4,3) only the corner is left", RUN, RUN_WIN, {"legal": "4,4", "scores": (22, 28)}),
    ("which wins with 24", RUN, f"{RUN_WIN} 4,4", {"scores": (24, 28), "result": "p1"}),
    (
        "Player 2 wins by entering the top left corner once it is empty",
        *("111/111/111", "0,1 2,1 0,2 2,0 1,2 1,0 1,1 0,0"),
        {"result": "p2", "to_move": None},
    ),
    (
        "entering the corner next to the opponent offers no challenge",
        *("111/111/111", "1,0 2,1 2,0 1,1 2,1 1,2"),
        {"legal": "1,1 2,2 1,1!"},
    ),
    (
        "between the own trail and the opponent there is no move, and that loses",
        *("111/111/111", "0,1 1,2 0,2 1,1 1,2 2,1 1,1 2,0 1,0"),
        {"result": "p1", "legal": ""},
    ),
    (
        "a loser of a challenge whose own trail fills the way out loses the game",
        *("11111", "0,1 0,3 0,2!"),
        {"result": "p1", "cells": ({(0, 2)}, {(0, 4)})},
    ),
    ("this game is won", "11151", "0,1 0,3 0,2", {"result": "p1"}),
    (
        "and a rash challenge throws it away",
        *("11151", "0,1 0,3 0,2!"),
        {"cells": ({(0, 0)}, {(0, 3)}), "legal": "0,2"},
    ),
    ("to Player 2", "11151", "0,1 0,3 0,2! 0,2", {"result": "p2"}),
    ("on two cells Player 1 is blocked from the start and has lost", "12", "", {"result": "p2"}),
    ("on four in a row the second in the middle wins", "3142", "0,1 0,2", {"result": "p2"}),
    ("also with a challenge", "3142", "0,1 0,2!", {"result": "p2"}),
    ("unless the challenge is lost", "1542", "0,1 0,2!", {"scores": (5, 0), "result": None}),
    ("and then Player 1 does", "1542", "0,1 0,2! 0,2", {"result": "p1"}),
]
NUMBER_MAZE: Claims = [
    (
        "the text's game leaves Player 1 on a four without a move, so Player 2 wins",
        *(MAZE, "right left down up"),
        {"result": "p2", "cells": ({(3, 1)}, {(1, 2)}), "legal": ""},
    ),
    ("a one in the corner leads down and right", MAZE, "", {"legal": "down right"}),
    ("and up and left for the other side", MAZE, "right", {"legal": "up left"}),
    ("a three in the top row leads down", MAZE, "right left", {"legal": "down"}),
    (
        "on the text's third turn up and left are open",
        MAZE,
        "right left down",
        {"legal": "up left"},
    ),
    (
        "a four at the start loses without a move",
        f"4{MAZE[1:]}",
        "",
        {"result": "p2", "to_move": None},
    ),
    ("two tokens in a row", "13111", "right left", {"cells": ({(0, 1)}, {(0, 3)})}),
    ("can pass each other", "13111", "right left right", {"result": "p1"}),
    ("a landing under the opponent's token is no move", "211", "", {"result": "p2"}),
    (
        "nor is it with another way",
        *("111/211/111", "down left"),
        {"cells": ({(1, 0)}, {(2, 1)}), "legal": "right"},
    ),
    ("and without one it loses", "111/211/111", "down up", {"result": "p2"}),
    ("before the corner the game goes on", "211/111/211", "down up", {"result": None}),
    ("landing on the empty corner wins", "211/111/211", "down up right", {"result": "p1"}),
    ("so for Player 2, who is not there yet", "112/111/112", "right up down", {"result": None}),
    ("and now is", "112/111/112", "right up down left", {"result": "p2"}),
    ("Player 2 loses without a move as well", "11/12", "right", {"legal": "", "result": "p1"}),
    (
        "coming back to the own corner is a move like any other",
        *("1111/1111/1111/1111", "right left left"),
        {"cells": ({(0, 0)}, {(3, 2)}), "result": None},
    ),
]
GRID_RUNNER: Claims = [
    ("Player 1 begins with down and right", RUNNER, "", {"legal": "down right"}),
    ("and goes on from B1 with down and left", RUNNER, "right up", {"legal": "down left"}),
    (
        "the text's second turn comes out",
        *(RUNNER, "right up down"),
        {"cells": ({(1, 1)}, {(3, 4)}), "legal": "down left"},
    ),
    (
        "Player 2 may go back to the own corner",
        *(RUNNER, "right up down down"),
        {"cells": ({(1, 1)}, {(4, 4)}), "result": None},
    ),
    (
        "the text's last turn: D5, with Player 2 on A2",
        *(RUNNER, RUNNER_WIN),
        {"cells": ({(4, 3)}, {(1, 0)}), "legal": "up right"},
    ),
    ("right reaches E5 and wins", RUNNER, f"{RUNNER_WIN} right", {"result": "p1", "scores": None}),
    ("Player 2 wins on A1, which Player 1 left", RUNNER, f"{RUNNER_WIN} up up", {"result": "p2"}),
    ("the opponent's cell is closed", "....", "right left", {"legal": "left"}),
    ("a player without a move loses", "...", "right", {"result": "p1"}),
    ("even behind obstacles before the first", ".X/X.", "", {"result": "p2"}),
    ("and on two cells", "..", "", {"result": "p2"}),
]
GRID_CONQUEST: Claims = [
    (
        "the text's game ends 16 to 12 for Player 1",
        *(CONQUEST, CONQUEST_GAME),
        {
            "scores": (16, 12),
            "result": "p1",
            "cells": (named("C3 D3 B2 C5"), named("D4 A1 B4")),
        },
    ),
    ("after a lost toss Player 2 starts", CONQUEST, "", {"first": 2, "to_move": 2}),
    ("and scores", CONQUEST, "C3", {"first": 2, "scores": (0, 4), "to_move": 1}),
    (
        "fifteen is enough",
        *("555/555/555", "A1 A2 A3 B1 B2"),
        {"scores": (15, 10), "result": "p1"},
    ),
    (
        "Player 2 can be the first to reach the target",
        *("555/111/555", "B1 A1 B2 A2 B3 A3"),
        {"scores": (3, 15), "result": "p2"},
    ),
    ("on a full board the higher score wins", "12/34", "A1 B2 A2 B1", {"result": "p2"}),
    ("for Player 1 too", "12/34", "B2 A1 B1 A2", {"result": "p1"}),
    ("and equal scores are a draw", "12/34", "A1 A2 B2 B1", {"result": "draw"}),
    ("the last cell may reach the target", "1225", "A1 A3 A2 A4", {"target": 7, "result": "p2"}),
    ("or an early one", "11/11", "A1 A2 B1", {"target": 2, "result": "p1"}),
]
NUMBER_CONNECT: Claims = [
    ("the text's game ends 14 to 15", CONNECT, CONNECT_GAME, {"scores": (14, 15), "result": "p2"}),
    ("a player who can claim must", "99/99", "0,0 0,1", {"legal": "1,0"}),
    ("and going over loses at once", "99/99", "0,0 0,1 1,0", {"scores": (18, 9), "result": "p2"}),
    ("for Player 2 as well", "1999/1999", "0,0 0,3 1,0 0,2", {"result": "p1"}),
    ("exactly the target wins", "69/12", "0,0 1,0 0,1", {"scores": (15, 1), "result": "p1"}),
    ("who is closed in passes", "11111", "0,1 0,0 0,2", {"to_move": 1, "legal": "0,3"}),
    ("again and again", "11111", "0,1 0,0 0,2 0,3", {"to_move": 1, "legal": "0,4"}),
    (
        "and the other claims all",
        *("11111", "0,1 0,0 0,2 0,3 0,4"),
        {"scores": (4, 1), "result": "p1"},
    ),
    ("Player 1 can be closed in as well", "119", "0,0 0,1", {"to_move": 2, "legal": "0,2"}),
    ("and the last cell counts", "119", "0,0 0,1 0,2", {"result": "p2"}),
    ("unless it is too much", "119", "0,0 0,1 0,2", {"target": 9, "result": "p1"}),
    (
        "a player who closes the other in claims all the rest",
        *("1111/1111/1111/1111", f"{CLOSING} {REST}"),
        {"scores": (12, 4), "result": "p1"},
    ),
    (
        "up to the target",
        *("1111/1111/1111/1111", f"{CLOSING} {REST[:19]}"),
        {"target": 9, "scores": (9, 4), "result": "p1"},
    ),
    ("on a full board the higher total wins", "12/34", "1,1 0,0 1,0 0,1", {"result": "p1"}),
    ("for Player 2 too", "12/34", "0,0 1,1 0,1 1,0", {"result": "p2"}),
    ("and equal totals are a draw", "12/21", "0,0 1,1 0,1 1,0", {"result": "draw"}),
    ("one cell is a game", "3", "0,0", {"result": "p1"}),
]
CLAIMS = {
    "number-run": NUMBER_RUN,
    "number-maze": NUMBER_MAZE,
    "grid-runner": GRID_RUNNER,
    "grid-conquest": GRID_CONQUEST,
    "number-connect": NUMBER_CONNECT,
}

each_claim = pytest.mark.parametrize(
    ("key", "board", "moves", "expected"),
    [
        pytest.param(key, *claim[1:], id=f"{key}: {claim[0]}")
        for key, claims in CLAIMS.items()
        for claim in claims
    ],
)
