"""Why Player 1 can always win Number Run: the argument, checked with the rules themselves.

There are 5^25 boards, too many to try. Instead the rules are run on numbers that are sealed: they
can be added up, and looking at one is an error. What comes out without an error is true of every
board, because the rules cannot have noticed which one it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

from gridwise.core.bits import bit_indices
from gridwise.core.board import DOWN, RIGHT, Board
from gridwise.games.number_run import GAME, rules, text
from gridwise.games.number_run.rules import CHALLENGE, State
from research.proofs.claims import ProofFailed, heading, prose, require

CHALLENGES = (1 << rules.ACTIONS) - (1 << CHALLENGE)  # the set of actions with a challenge

# Boards on which the fastest win differs, with the ply it comes on.
FASTEST = {
    "31425/25134/42513/14252/53142": 11,
    "23451/23451/23451/23451/23451": 13,
    "12345/12345/12345/12345/12345": 15,
}
OTHER_SIZES = ((3, 3), (3, 5), (4, 4), (4, 6), (6, 6))
# Rows and columns of 3x4 add up to an odd number: who wins depends on the board.
ODD = {"1111/1111/1111": 1, "1234/1234/1234": 2}


# Sealed numbers


class Sealed:
    """A number that can be added to others, and nothing else."""

    def __add__(self, other: object) -> Sealed:
        return self

    __radd__ = __add__

    def __hash__(self) -> int:
        return 0  # positions are kept in sets; this says nothing about the number

    def __bool__(self) -> bool:
        raise ProofFailed("The proof fails: the rules looked at a number that is sealed.")

    def __eq__(self, other: object) -> bool:
        return bool(self)

    def __lt__(self, other: object) -> bool:
        return bool(self)

    def __gt__(self, other: object) -> bool:
        return bool(self)


class Decided(Sealed):
    """The score of a challenger for whom it is decided to win (1), tie (0) or lose (-1)."""

    def __init__(self, outcome: int) -> None:
        self.outcome = outcome

    def __lt__(self, other: object) -> bool:
        return self.outcome < 0

    def __gt__(self, other: object) -> bool:
        return self.outcome > 0


# The rules are written for ints. They get by with less, and that is the point.
SEALED = cast("int", Sealed())
OUTCOMES = tuple(cast("int", Decided(outcome)) for outcome in (1, 0, -1))


def sealed_board(rows: int, cols: int) -> Board:
    """A board that stands for all boards of a size."""
    return Board(rows, cols, (SEALED,) * (rows * cols))


def sealed(state: State) -> State:
    """The position without its scores."""
    return state._replace(my_score=SEALED, your_score=SEALED)


def begin(board: Board) -> State:
    """The first position, its scores sealed if the board is."""
    state = rules.start(board, 1)
    return sealed(state) if board.cells[0] is SEALED else state


def outcomes(board: Board, state: State, action: int) -> list[State]:
    """Where an action may lead: to one position, or to three by a challenge on sealed numbers."""
    if state.my_score is not SEALED:
        return [rules.play(board, state, action)]
    if action < CHALLENGE:
        return [sealed(rules.play(board, state, action))]
    decided = [state._replace(my_score=outcome) for outcome in OUTCOMES]
    return [sealed(rules.play(board, each, action)) for each in decided]


# The searches


class Walked(NamedTuple):
    """The result of a walk against every reply."""

    positions: int
    ends: Counter[int]  # ply -> in how many ways the game is won on it


def the_walk(board: Board) -> list[int]:
    """Player 1's steps: along the top, then down the side."""
    return [RIGHT] * (board.cols - 1) + [DOWN] * (board.rows - 1)


def follow(board: Board, steps: list[int]) -> Walked:
    """Let Player 1 take these steps against everything that Player 2 can do."""
    positions, ends = 0, Counter[int]()
    now = Counter([begin(board)])  # position -> in how many ways it comes about
    for ply in range(2 * len(steps)):
        positions += len(now)
        after = Counter[State]()
        for state, ways in now.items():
            legal = rules.moves(board, state)
            if not legal:
                require(rules.winner(board, state) == 1, "Player 1 wins every game")
                ends[ply] += ways
                continue
            if state.turn == 1:
                require(bool(legal >> steps[ply // 2] & 1), "Player 1 can take the next step")
                legal = 1 << steps[ply // 2]
            require(not legal & CHALLENGES, "Player 2 never has a challenge to make")
            for action in bit_indices(legal):
                after[sealed(rules.play(board, state, action))] += ways
        now = after
    require(not now, "every game is over when the walk is")
    return Walked(positions, ends)


class Search:
    """What Player 1 can force on a board, trying everything.

    On sealed numbers Player 1 may even choose how each challenge ends, on either side: what
    cannot be forced then cannot be forced on any board.
    """

    def __init__(self, board: Board, barred: int = 0) -> None:
        """`barred` is a set of actions that Player 1 leaves alone."""
        self.board = board
        self.allowed = (~barred, -1)
        self._known: dict[tuple[State, int], bool] = {}

    def forces(self, state: State, plies: int) -> bool:
        """Whether Player 1 can force a win within that many plies."""
        legal = rules.moves(self.board, state)
        if not legal:
            return rules.winner(self.board, state) == 1
        if not plies:
            return False
        key = (state, plies)
        if key not in self._known:
            # The last actions first: right, down and challenges win soonest.
            tried = reversed(bit_indices(legal & self.allowed[state.turn - 1]))
            results = (
                any(self.forces(to, plies - 1) for to in outcomes(self.board, state, action))
                for action in tried
            )
            self._known[key] = any(results) if state.turn == 1 else all(results)
        return self._known[key]

    def fewest(self, state: State, most: int) -> int:
        """The ply, counted from this position, that best play wins on; `most` if not sooner."""
        return next((plies for plies in range(most) if self.forces(state, plies)), most)

    def line(self, most: int) -> Iterator[str]:
        """Best play from the beginning, on a board with numbers, as moves in text."""
        board, state = self.board, begin(self.board)
        while legal := rules.moves(board, state):
            plies_after = {
                action: self.fewest(rules.play(board, state, action), most)
                for action in bit_indices(legal)
            }
            best = min(plies_after.values()) if state.turn == 1 else max(plies_after.values())
            action = next(action for action in bit_indices(legal) if plies_after[action] == best)
            yield text.action_name(board, state, action)
            state, most = rules.play(board, state, action), best

    @property
    def positions(self) -> int:
        """How many different positions were searched."""
        return len({state for state, _ in self._known})


# The proof


def prove() -> Iterator[str]:
    """The argument and what was counted."""
    board = sealed_board(GAME.rows, GAME.cols)
    plies = 2 * len(the_walk(board)) - 1
    yield "Number Run: Player 1 wins on every board"
    yield "========================================"
    yield ""
    yield from prose(
        f"""Claim. On each of the {rules.HIGH}^{board.size} boards of {board.rows}x{board.cols}
        cells, Player 1 wins on ply {plies} at the latest, whatever Player 2 does. (A ply is one
        move of one player.) The way to do it is the same on all of them: walk right to the
        corner, then down to the other corner, and never challenge."""
    )
    yield from _colours(board)
    yield from _walk(board, plies)
    yield from _no_sooner(board, plies)
    yield from _with_challenges(board, plies)
    yield from _other_sizes()


def _colour(board: Board, cell: int) -> int:
    return sum(divmod(cell, board.cols)) % 2


def _colours(board: Board) -> Iterator[str]:
    yield from heading("1. Colours")
    yield from prose("Colour the cells like a chessboard:")
    yield ""
    for row in range(board.rows):
        shades = [".#"[_colour(board, row * board.cols + col)] for col in range(board.cols)]
        yield "    " + " ".join(shades)
    yield ""
    one, two = board.starts[1], board.starts[2]
    require(_colour(board, one) == _colour(board, two), "the tokens start on one colour")
    steps = [(cell, to) for cell in range(board.size) for to in board.steps[cell] if to >= 0]
    require(
        all(_colour(board, cell) != _colour(board, to) for cell, to in steps),
        "every step changes colour",
    )
    yield from prose(
        f"""The tokens start on ({text.cell_name(board, one)}) and
        ({text.cell_name(board, two)}), which have the same colour. Each of the {len(steps)} steps
        there are goes from one colour to the other. So, as long as nobody is sent back:"""
    )
    yield from prose(
        """When Player 1 is to move, both tokens are on the same colour. Neighbours never are. So
        Player 2 is not next to Player 1, and cannot be in the way.""",
        "  - ",
    )
    yield from prose(
        """After a step of Player 2 they are on the same colour again, and not neighbours. So
        Player 2 can never challenge.""",
        "  - ",
    )
    yield from prose(
        """Only a step of Player 1 can bring the tokens together. Player 1 does not challenge, so
        nobody is ever sent back, and this stays true to the end.""",
        "  - ",
    )


def _walk(board: Board, plies: int) -> Iterator[str]:
    steps = the_walk(board)
    walked = follow(board, steps)
    require(max(walked.ends) == plies, f"the walk takes {plies} plies")
    games = sum(walked.ends.values())
    yield from heading("2. The walk, against everything")
    yield from prose(
        f"""Player 1 needs {len(steps)} steps, and takes the last one on ply {plies}. Player 2 needs
        just as many, and would take the last one on ply {plies + 1}. By part 1 nothing stops
        Player 1. That is the whole proof. What follows checks it with the rules of this program,
        move by move."""
    )
    yield ""
    yield from prose(
        """In this check all numbers are sealed: the rules can add them up, but as soon as they
        look at one, the proof stops with an error. They never do, so the numbers on the board
        make no difference, and one run stands for all boards. Player 2 tries everything:"""
    )
    yield ""
    yield f"    {walked.positions:6,}  positions"
    yield "         0  of them in which Player 2 could challenge"
    yield f"    {games:6,}  ways in which the game can go, all won by Player 1"
    yield f"    {walked.ends[plies]:6,}  of them on ply {plies}, in the corner"
    yield f"    {games - walked.ends[plies]:6,}  of them sooner: Player 2 had nowhere left to go"
    yield ""
    yield from prose("This proves the claim.")


def _no_sooner(board: Board, plies: int) -> Iterator[str]:
    search = Search(board, barred=CHALLENGES)
    require(
        not search.forces(begin(board), plies - 1),
        f"without challenges Player 2 holds out until ply {plies}",
    )
    yield from heading("3. Without challenges there is no faster win")
    yield from prose(
        f"""Before ply {plies} Player 1 cannot be in the corner, and could only win if Player 2 had
        nowhere to go. A search through everything that Player 1 can do without challenging
        ({search.positions:,} positions, numbers sealed) finds that Player 2 can always avoid that.
        So without challenges the win takes exactly {plies} plies, on every board."""
    )


def _with_challenges(board: Board, plies: int) -> Iterator[str]:
    search = Search(board)
    soonest = min(FASTEST.values())
    require(
        not search.forces(begin(board), soonest - 1),
        f"no board is won before ply {soonest}",
    )
    yield from heading("4. With challenges there is a faster win on some boards")
    yield from prose(
        f"""A player who is sent back keeps all visited cells, and may have nowhere to go from
        the start. Player 1 can play for that. How fast it works depends on the numbers, but before
        ply {soonest} it works on no board: even if Player 1 could choose how every challenge ends,
        Player 2 could hold out until then ({search.positions:,} positions, numbers sealed). A full
        search of three boards, with their numbers, shows that ply {soonest} can be reached and
        that there are boards where nothing beats the walk:"""
    )
    yield ""
    for numbers, expected in FASTEST.items():
        real = GAME.parse_board(numbers)
        fastest = Search(real).fewest(begin(real), plies)
        require(fastest == expected, f"{numbers} is won on ply {expected}")
        yield f"    {numbers}   won on ply {fastest}"
    yield ""
    numbers, fastest = next(iter(FASTEST.items()))
    line = list(Search(GAME.parse_board(numbers)).line(fastest))
    require(len(line) == fastest, f"best play on {numbers} lasts {fastest} plies")
    yield from prose("Best play on the first of them (! is a challenge):")
    yield from prose(" ".join(line), "    ")


def _other_sizes() -> Iterator[str]:
    yield from heading("5. Other sizes")
    yield from prose(
        """Parts 1 and 2 hold for every board whose rows and columns add up to an even number: the
        corners then have the same colour. The same check for some other sizes:"""
    )
    yield ""
    yield "    size   won at the latest on ply   positions"
    for rows, cols in OTHER_SIZES:
        board = sealed_board(rows, cols)
        walked = follow(board, the_walk(board))
        yield f"    {rows}x{cols}   {max(walked.ends):24}   {walked.positions:9,}"
    yield ""
    results = []
    for numbers, expected in ODD.items():
        real = GAME.parse_board(numbers)
        # Nobody can enter more cells than there are, so this many plies are a whole game.
        won = Search(real).forces(begin(real), 2 * real.size)
        require(won == (expected == 1), f"Player {expected} wins on {numbers}")
        results.append(f"{numbers} is won by Player {expected}")
    yield from prose(
        f"""Where the sum is odd the corners have different colours, it is Player 2 who can bring
        the tokens together, and the numbers decide: {" and ".join(results)}."""
    )
