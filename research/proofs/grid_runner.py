"""How Player 1 wins Grid Runner: a table to play by, found by a search and checked as printed.

The table is written, read back from the text, and only then followed against everything that
Player 2 can do. So what is checked is what a reader sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridwise.core.bits import bit_indices
from gridwise.core.board import DIRECTIONS, Board
from gridwise.games.grid_runner import GAME, rules, text
from gridwise.games.grid_runner.rules import OBSTACLE, State
from research.proofs.claims import ProofFailed, heading, prose, require

GOAL, BLOCKED = "goal", "X"  # what stands in the table where there is no step


# The value of every position


class Value(NamedTuple):
    """Who wins, and after how many plies if both do their best."""

    winner: int
    plies: int


ENDLESS = Value(0, 0)


def positions(board: Board) -> dict[State, list[State]]:
    """Every position that can come up, with those that can follow it."""
    start = rules.start(board, 1)
    positions: dict[State, list[State]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in positions:
            actions = bit_indices(rules.moves(board, state))
            positions[state] = [rules.play(board, state, action) for action in actions]
            waiting += positions[state]
    return positions


def position_values(board: Board) -> dict[State, Value]:
    """The value of every position, worked out backwards from the ends."""
    follow = positions(board)
    known = {
        state: Value(rules.winner(board, state), 0) for state, after in follow.items() if not after
    }
    plies, grown = 0, True
    while grown:
        plies += 1
        settled = {}
        for state, after in follow.items():
            if state not in known:
                winners = {known[to].winner if to in known else 0 for to in after}
                if state.turn in winners:
                    settled[state] = Value(state.turn, plies)
                elif winners == {3 - state.turn}:
                    settled[state] = Value(3 - state.turn, plies)
        known |= settled
        grown = bool(settled)
    return {state: known.get(state, ENDLESS) for state in follow}


# The table


class Table(NamedTuple):
    """A step for each cell to stand on, and other steps where the opponent's cell matters."""

    steps: dict[int, int]  # own cell -> direction
    exceptions: dict[tuple[int, int], int]  # own cell, opponent's cell -> direction

    def step(self, state: State) -> int:
        """The direction to take; -1 if the table has none."""
        usual = self.steps.get(state.my_cell, -1)
        return self.exceptions.get((state.my_cell, state.your_cell), usual)


def best_steps(board: Board, value_of: dict[State, Value]) -> dict[int, dict[int, list[int]]]:
    """Own cell -> opponent's cell -> the steps that win soonest, or at least do not lose."""
    best: dict[int, dict[int, list[int]]] = {}
    for state, value in value_of.items():
        if state.turn == 1 and value.winner != 2 and rules.moves(board, state):
            aim = value if value == ENDLESS else Value(1, value.plies - 1)
            actions = bit_indices(rules.moves(board, state))
            good = [each for each in actions if value_of[rules.play(board, state, each)] == aim]
            best.setdefault(state.my_cell, {})[state.your_cell] = good
    return best


def smallest_table(board: Board, value_of: dict[State, Value]) -> Table:
    """The best steps with as few exceptions as there can be: each cell gets its commonest step."""
    steps, exceptions = {}, {}
    for mine, replies in sorted(best_steps(board, value_of).items()):
        good = [sum(step in each for each in replies.values()) for step in range(rules.ACTIONS)]
        steps[mine] = good.index(max(good))
        for yours, each in sorted(replies.items()):
            if steps[mine] not in each:
                exceptions[mine, yours] = each[0]
    return Table(steps, exceptions)


def write_table(board: Board, table: Table) -> list[str]:
    """The table as a grid of steps, and a list of exceptions under it."""
    row_labels, col_labels = text.NOTATION.labels(board)
    lines = ["       " + "".join(f"{label:^7}" for label in col_labels).rstrip()]
    for row, label in enumerate(row_labels):
        cells = range(row * board.cols, (row + 1) * board.cols)
        entries = "".join(f"{_entry(board, table, cell):^7}" for cell in cells)
        lines.append(f"  {label:>3}  {entries.rstrip()}")
    lines += ["", "  except:  you on   opponent on   go"]
    for (mine, yours), step in table.exceptions.items():
        here, there = text.cell_name(board, mine), text.cell_name(board, yours)
        lines.append(f"           {here:6}   {there:11}   {DIRECTIONS[step]}")
    return lines


def _entry(board: Board, table: Table, cell: int) -> str:
    if cell == board.starts[2]:
        return GOAL
    if board.cells[cell] == OBSTACLE:
        return BLOCKED
    return DIRECTIONS[table.steps[cell]] if cell in table.steps else "-"


def read_table(board: Board, lines: list[str]) -> Table:
    """The table that `write_table` wrote."""
    middle = lines.index("")
    steps, exceptions = {}, {}
    for line in lines[1:middle]:
        row, *entries = line.split()
        for col, entry in enumerate(entries):
            if entry in DIRECTIONS:
                steps[(int(row) - 1) * board.cols + col] = DIRECTIONS.index(entry)
    for line in lines[middle + 2 :]:
        here, there, step = line.split()
        cells = text.NOTATION.parse_cell(board, here), text.NOTATION.parse_cell(board, there)
        exceptions[cells] = DIRECTIONS.index(step)
    return Table(steps, exceptions)


# The checks


class Followed(NamedTuple):
    """The result of following a table against everything the opponent can do."""

    positions: int
    games: int  # in how many ways the game can go
    shortest: int  # plies
    longest: int


def follow(board: Board, table: Table, start: State) -> Followed:
    """Let Player 1 follow the table from here; raises ProofFailed unless all games are won."""
    known: dict[State, tuple[int, int, int]] = {}
    under_way: set[State] = set()

    def games(state: State) -> tuple[int, int, int]:
        if state in known:
            return known[state]
        require(state not in under_way, "the table never goes in a circle")
        under_way.add(state)
        after = replies(board, table, state)
        if after:
            ways, shortest, longest = zip(*map(games, after), strict=True)
            known[state] = sum(ways), min(shortest) + 1, max(longest) + 1
        else:
            require(rules.winner(board, state) == 1, "the table wins every game")
            known[state] = 1, 0, 0
        return known[state]

    ways, shortest, longest = games(start)
    return Followed(len(known), ways, shortest, longest)


def replies(board: Board, table: Table, state: State) -> list[State]:
    """What can follow when Player 1 does as the table says."""
    legal = rules.moves(board, state)
    if legal and state.turn == 1:
        step = table.step(state)
        require(step >= 0 and bool(legal >> step & 1), "the table has a legal step every time")
        legal = 1 << step
    return [rules.play(board, state, action) for action in bit_indices(legal)]


def holds(board: Board, table: Table, start: State) -> bool:
    """Whether Player 1, following the table from here, can never lose."""
    seen, waiting = set(), [start]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            try:
                waiting += replies(board, table, state)
            except ProofFailed:
                return False
    return all(rules.winner(board, state) != 2 for state in seen)


def walk(board: Board, table: Table) -> list[int]:
    """The steps of the table from the start, as long as the opponent's cell does not matter."""
    cell = board.starts[1]
    steps: list[int] = []
    while cell != board.starts[2] and len(steps) < board.size:
        steps.append(table.steps[cell])
        cell = board.steps[cell][steps[-1]]
    return steps


# The proof


def prove() -> Iterator[str]:
    """The table, why it works, and what was checked."""
    board = GAME.parse_board(GAME.fixed)
    value_of = position_values(board)
    start = rules.start(board, 1)
    value = value_of[start]
    require(value.winner == 1, "Player 1 wins")
    yield "Grid Runner: how Player 1 wins"
    yield "=============================="
    yield ""
    yield from prose(
        f"""Claim. On the standard board Player 1 wins on ply {value.plies}, whatever Player 2
        does, and cannot win sooner if Player 2 plays well. (A ply is one move of one player.)
        Following this table does it:"""
    )
    lines = write_table(board, smallest_table(board, value_of))
    table = read_table(board, lines)
    yield from heading("1. The table")
    yield from lines
    yield ""
    yield from _how_to_play(board, table)
    yield from _why(board, table, value_of)
    yield from _checked(board, table, value_of)


def _how_to_play(board: Board, table: Table) -> Iterator[str]:
    steps = walk(board, table)
    start = rules.start(board, 1)
    blind = Table(table.steps, {})
    require(follow(board, blind, start) == follow(board, table, start), "exceptions do not come up")
    yield from prose(
        """You are Player 1. Find the cell you are on: it says where to go. If the opponent is on
        the cell named in an exception, go where the exception says."""
    )
    yield ""
    yield from prose(
        f"""From the start that is always the same walk, and the exceptions do not come up:
        {", ".join(DIRECTIONS[step] for step in steps)}. They are for a Player 1 who has left
        that walk: the table is right in every position that is not lost."""
    )


def _why(board: Board, table: Table, value_of: dict[State, Value]) -> Iterator[str]:
    steps = walk(board, table)
    asked = [state for state in value_of if state.turn == 1 and rules.moves(board, state)]
    require(
        all(not board.neighbours4[state.my_cell] >> state.your_cell & 1 for state in asked),
        "Player 2 is never next to Player 1 when Player 1 is to move",
    )
    require(len(steps) == board.rows + board.cols - 2, "the walk is as short as can be")
    yield from heading("2. Why it works")
    yield from prose(
        f"""Colour the cells like a chessboard. Both tokens start on the same colour and each step
        changes it, so whenever Player 1 is to move both stand on the same colour. Neighbours
        never do: Player 2 cannot be in the way. (Checked in all {len(asked)} positions where
        Player 1 is to move.)""",
        "  - ",
    )
    yield from prose(
        f"""The corners are {len(steps)} steps apart, and the walk takes no more. Player 1 is never
        held up and takes the last step on ply {2 * len(steps) - 1}; Player 2 cannot arrive before
        ply {2 * len(steps)}.""",
        "  - ",
    )


def _checked(board: Board, table: Table, value_of: dict[State, Value]) -> Iterator[str]:
    start = rules.start(board, 1)
    plies = value_of[start].plies
    followed = follow(board, table, start)
    require(followed.shortest == followed.longest == plies, f"every game ends on ply {plies}")
    count = [sum(value.winner == winner for value in value_of.values()) for winner in range(3)]
    asked = [state for state in value_of if state.turn == 1 and rules.moves(board, state)]
    won = [state for state in asked if value_of[state].winner == 1]
    open_ended = [state for state in asked if value_of[state] == ENDLESS]
    for state in won:
        longest = follow(board, table, state).longest
        require(
            longest == value_of[state].plies, "the table wins as fast as possible, from everywhere"
        )
    for state in open_ended:
        require(holds(board, table, state), "the table never loses a position that is not lost")
    yield from heading("3. What was checked")
    yield from prose(
        f"""{len(value_of)} positions can come up. Worked out backwards from the ends, {count[1]}
        are won for Player 1, {count[2]} for Player 2, and {count[0]} are endless: neither side can
        force a win. The start is won on ply {plies}, neither sooner nor later.""",
        "  - ",
    )
    yield from prose(
        f"""The table as printed above, read back from its text, was followed from the start
        against every move of Player 2: {followed.positions} positions, {followed.games:,} ways in
        which the game can go, all won on ply {plies}.""",
        "  - ",
    )
    yield from prose(
        f"""It was also followed from all {len(won)} positions in which Player 1 is to move and can
        win. It wins them all, each as fast as possible. In the {len(open_ended)} endless ones it
        never loses. The other {len(asked) - len(won) - len(open_ended)} are lost if Player 2
        plays well.""",
        "  - ",
    )
