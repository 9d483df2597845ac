"""The general kinds: who wins with best play, and how soon. Judged by listing all positions."""

from __future__ import annotations

from functools import cache

from tests.engine.brute import Cell, after_claim
from tests.engine.reasons.claims import IN, MOVE, PLAYER, Claims, counts
from tests.engine.reasons.told import Told, Unknown, after
from tests.reference import ReferenceGame
from tests.reference.grid_conquest import GridConquest, cell_name

CLAIMS = Claims()
says = CLAIMS.says

BOTH = "(, counting both players)?"
MAX_CELLS = 6  # of a board on which everything is tried
MAX_HIDDEN = 3  # cells face down, up to which all that can turn up is tried
ABOUT = 0.1  # so far off is a number of a thousand simulations at the most


def other_of(told: Told, player: str) -> None:
    """Whoever is spoken of is the other player."""
    assert int(player) == told.other


@says(r"It is the only move\.")
def only_move(told: Told) -> None:
    """There is no other."""
    assert told.before.legal() == [told.move]


@says(r"It wins at once\.")
def wins_at_once(told: Told) -> None:
    """The game is over, and won."""
    assert told.after.result() == f"p{told.mover}"


@says(rf"Only {MOVE} wins, {IN}\.")
def only_win(told: Told, best: str, number: str, both: str | None) -> None:
    """Every other move does not."""
    assert list(told.winning) == [best]
    assert counts(number, both, told.winning[best])


@says(rf"Only {MOVE} wins at once\.")
def only_win_at_once(told: Told, best: str) -> None:
    """As above, and the game is over then."""
    assert list(map(str.lower, told.winning)) == [best.lower()]
    assert after(told.before, best).result() == f"p{told.mover}"


@says(rf"(?!Only)(?!It){MOVE} wins at once\.")
def missed_win_at_once(told: Told, best: str) -> None:
    """There was a move that ends the game, and more that win."""
    best = legal(told, best)
    assert after(told.before, best).result() == f"p{told.mover}"
    assert len(told.winning) > 1
    assert told.move not in told.winning


@says(rf"(?!It)(?!Every){MOVE} wins {IN}\.")
def missed_win(told: Told, best: str, number: str, both: str | None) -> None:
    """There was a faster win than any other, and more wins than that; the move made is none."""
    best = legal(told, best)
    assert told.winning[best] == min(told.winning.values())
    assert counts(number, both, told.winning[best])
    assert len(told.winning) > 1
    assert told.move not in told.winning


@says(rf"It wins {IN}\.")
def wins(told: Told, number: str, both: str | None) -> None:
    """It does, as fast as can be, and another does as well."""
    assert told.winning[told.move] == min(told.winning.values())
    assert counts(number, both, told.winning[told.move])
    assert 1 < len(told.winning) < len(told.options)


@says(rf"Every move wins, this one {IN}\.")
def every_move_wins(told: Told, number: str, both: str | None) -> None:
    """All of them do."""
    assert len(told.winning) == len(told.options) > 1
    assert counts(number, both, told.winning[told.move])


@says(rf"Only {MOVE} keeps {PLAYER} from winning\.")
def only_hold(told: Told, best: str, player: str) -> None:
    """After every other move the other one can force a win."""
    other_of(told, player)
    assert not told.winning
    assert told.holding == [best]


@says(rf"It keeps {PLAYER} from winning\.")
def holds(told: Told, player: str) -> None:
    """As do others."""
    other_of(told, player)
    assert not told.winning
    assert told.move in told.holding
    assert len(told.holding) > 1


@says(rf"(?!It)(?!Only){MOVE} keeps {PLAYER} from winning\.")
def missed_hold(told: Told, best: str, player: str) -> None:
    """And the move made does not."""
    other_of(told, player)
    assert not told.winning
    assert legal(told, best) in told.holding
    assert len(told.holding) > 1
    assert told.move not in told.holding


@says(rf"Only {MOVE} holds the draw\.")
def only_draw(told: Told, best: str) -> None:
    """Every other move loses."""
    assert not told.winning
    assert told.holding == [best]
    assert not told.position.game.cyclic


@says(r"It holds the draw\.")
def draws(told: Told) -> None:
    """As do others."""
    assert not told.winning
    assert told.move in told.holding
    assert len(told.holding) > 1
    assert not told.position.game.cyclic


@says(rf"(?!It)(?!Only){MOVE} holds the draw\.")
def missed_draw(told: Told, best: str) -> None:
    """And the move made does not."""
    assert not told.winning
    assert best in told.holding
    assert len(told.holding) > 1
    assert told.move not in told.holding
    assert not told.position.game.cyclic


@says(rf"{MOVE} lets the win go: neither side can force one now\.")
def lets_go(told: Told, move: str) -> None:
    """There was one."""
    assert legal(told, move) == told.move
    assert told.winning
    assert told.move in told.holding
    assert told.move not in told.winning
    assert told.position.game.cyclic


@says(rf"{MOVE} only draws\.")
def only_draws(told: Told, move: str) -> None:
    """Another move would have won."""
    assert move == told.move
    assert told.winning
    assert told.move in told.holding
    assert not told.position.game.cyclic


@says(rf"{MOVE} lets {PLAYER} win at once with {MOVE}\.")
def allows_win_at_once(told: Told, move: str, player: str, answer: str) -> None:
    """It is that player's turn, and the answer ends the game."""
    other_of(told, player)
    assert legal(told, move) == told.move
    ends_with(told, answer)


@says(rf"{MOVE} lets {PLAYER} win {IN}(?:, beginning with {MOVE})?\.")
def allows_win(
    told: Told, move: str, player: str, number: str, both: str | None, answer: str | None
) -> None:
    """In so many moves, no sooner, and with that answer; without one there is none."""
    other_of(told, player)
    assert legal(told, move) == told.move
    plies = told.losing[told.move] - 1
    assert counts(number, both, plies)
    if answer is None:
        assert told.after.to_move() != told.other
    else:
        assert told.after.to_move() == told.other
        assert told.worth(after(told.after, answer)) == (told.other, plies - 1)


@says(rf"{PLAYER} can win at once with {MOVE}; (only )?{MOVE} stops that\.")
def threat(told: Told, player: str, answer: str, only: str | None, best: str) -> None:
    """After the best move nothing wins at once; other moves may do so, too."""
    other_of(told, player)
    ends_with(told, answer)

    def stops(move: str) -> bool:
        then = after(told.before, move)
        if then.result() == f"p{told.other}":
            return False
        wins = f"p{told.other}"
        return then.to_move() != told.other or all(
            after(then, reply).result() != wins for reply in then.legal()
        )

    stopping = [move for move in told.before.legal() if stops(move)]
    assert legal(told, best) in stopping
    assert bool(only) == (len(stopping) == 1)


@says(rf"It wins, but {MOVE} wins (\d+) moves? sooner{BOTH}\.")
def slower(told: Told, best: str, number: str, both: str | None) -> None:
    """So much sooner than this one, and nothing is faster."""
    assert told.winning[best] == min(told.winning.values())
    assert sooner(both, told.winning[told.move] - told.winning[best]) == int(number) > 0
    assert bool(both) == told.position.game.passes


@says(rf"The game is lost, but {MOVE} holds out (\d+) moves? longer{BOTH}\.")
def holds_out(told: Told, best: str, number: str, both: str | None) -> None:
    """All moves lose, and none later than that one."""
    assert len(told.losing) == len(told.options)
    assert told.losing[best] == max(told.losing.values())
    assert sooner(both, told.losing[best] - told.losing[told.move]) == int(number) > 0
    assert bool(both) == told.position.game.passes


@says(r"Every move loses( to the very next answer)?\.")
def all_alike_and_soon(told: Told, answer: str | None) -> None:
    """It is over after this move, or the one after it."""
    assert len(told.losing) == len(told.options)
    assert set(told.losing.values()) == {2 if answer else 1}
    if answer:
        assert all(after(told.before, move).to_move() == told.other for move in told.losing)


@says(rf"Every move loses with best play, {IN}\.")
def all_alike(told: Told, number: str, both: str | None) -> None:
    """None holds out longer."""
    assert len(told.losing) == len(told.options)
    assert len(set(told.losing.values())) == 1
    assert counts(number, both, told.losing[told.move])


@says(rf"Lost with best play, but this holds out longest \({IN.removeprefix('in ')}\)\.")
def longest(told: Told, number: str, both: str | None) -> None:
    """And not every move does."""
    assert len(told.losing) == len(told.options)
    assert told.losing[told.move] == max(told.losing.values()) > min(told.losing.values())
    assert counts(number, both, told.losing[told.move])


@says(rf"Lost with best play, {IN}\.")
def lost(told: Told, number: str, both: str | None) -> None:
    """Another holds out longer, but this one is the best try."""
    assert len(told.losing) == len(told.options)
    assert told.losing[told.move] < max(told.losing.values())
    assert hardest(told) >= {told.move}
    assert counts(number, both, told.losing[told.move])


@says(rf"{PLAYER}'s best try is {MOVE}: only (\d+) of (\d+) answers wins?\.")
def best_try(told: Told, player: str, move: str, keeping: str, answers: str) -> None:
    """So many of them do, and no move has a smaller share of them that does not lose at once."""
    assert (int(player), move) == (told.mover, told.move)
    assert len(told.losing) == len(told.options)
    assert told.after.to_move() == told.other
    assert keeping_answers(told, told.after) == int(keeping) < int(answers)
    assert len(told.after.legal()) == int(answers)
    assert told.move in hardest(told)


@says(rf"{PLAYER}'s best try is {MOVE}: all but (\d+) of (\d+) answers win\.")
def best_of_few_tries(told: Told, player: str, move: str, losing: str, answers: str) -> None:
    """The same where most answers do: then the others are counted."""
    best_try(told, player, move, str(int(answers) - int(losing)), answers)
    assert 2 * int(losing) < int(answers)


@says(r"It sets a trap: (\d+) of (\d+) answers loses?\.")
def trap(told: Told, losing: str, answers: str) -> None:
    """After so many of them the mover can force a win, who could not before."""
    assert not told.winning
    assert told.after.to_move() == told.other
    replies = [told.worth(after(told.after, reply)) for reply in told.after.legal()]
    assert sum(winner == told.mover for winner, _ in replies) == int(losing) > 0
    assert len(replies) == int(answers)
    assert told.move in hardest(told)


@says(r"It wins (about )?(\d+) % of the time, and no move (wins|is known to win) (much )?more\.")
def best_chance(told: Told, about: str | None, win: str, known: str, much: str | None) -> None:
    """So it is, or so it is nearly where that was sampled."""
    assert bool(about) == (known == "is known to win")
    chances = chances_of(told, about)
    assert close(chances[told.move], win, about)
    most, mine = max(chances.values()), chances[told.move]
    assert most < mine + (0.03 if much else 1e-9) + (3 * ABOUT if about else 0)


@says(r"It wins every time\.")
def certain(told: Told) -> None:
    """Whatever turns up; not every move does."""
    chances = chances_of(told, None)
    assert chances[told.move] == 1 > min(chances.values())


@says(r"Every move (wins|loses with best play)\.")
def all_certain(told: Told, result: str) -> None:
    """Whatever turns up, and whatever is claimed."""
    assert set(chances_of(told, None).values()) == {float(result == "wins")}


@says(rf"{MOVE} wins (about )?(?:every time|(\d+) % of the time), {MOVE} (?:never|only (\d+) %)\.")
def worse_chance(
    told: Told, best: str, about: str | None, best_win: str | None, move: str, win: str | None
) -> None:
    """The one wins as often as is said, and the other, too, which is a best move."""
    chances = chances_of(told, about)
    assert move == told.move
    assert close(chances[move], win or "0", about)
    assert win or not chances[move]
    assert close(chances[best], best_win or "100", about)
    if not about:
        assert chances[best] >= max(chances.values()) - 1e-9
        assert chances[move] < chances[best]


def legal(told: Told, move: str) -> str:
    """A move that begins a sentence, as it is written elsewhere."""
    written = move if move in told.before.legal() else move[:1].lower() + move[1:]
    assert written in told.before.legal()
    return written


def ends_with(told: Told, answer: str) -> None:
    """The answer to the move wins the game at once."""
    assert told.after.to_move() == told.other
    assert after(told.after, answer).result() == f"p{told.other}"


def sooner(both: str | None, plies: int) -> int:
    """A difference in moves: those of one player, who take turns, or of both."""
    if both:
        return plies
    assert plies % 2 == 0
    return plies // 2


def keeping_answers(told: Told, then: ReferenceGame) -> int:
    """How many answers keep what the other player has."""
    winner, _ = told.worth(then)
    replies = [told.worth(after(then, reply))[0] for reply in then.legal()]
    if winner == told.other:
        return sum(reply == told.other for reply in replies)
    return sum(reply != told.mover for reply in replies)


def hardest(told: Told) -> set[str]:
    """The best tries: not lost to the very next answer, most mistakes, then the slowest loss."""

    def rank(move: str) -> tuple[float, ...]:
        then = after(told.before, move)
        share = 0.0
        if then.to_move() == told.other:
            share = 1 - keeping_answers(told, then) / len(then.legal())
        winner, plies = told.options[move]
        return (plies > 2, share, plies) if winner == told.other else (share,)

    among = told.holding or list(told.losing)
    ranks = {move: rank(move) for move in among}
    return {move for move in among if ranks[move] == max(ranks.values())}


def chances_of(told: Told, about: str | None) -> dict[str, float]:
    """The chance of every move, the slow way; what was sampled on a large board is believed."""
    if about:
        return {move.move: move.points for move in told.evaluation.moves}
    game = told.before
    assert isinstance(game, GridConquest)
    if len(game._cells) > MAX_CELLS or len(game._cells) - len(game.visible()) > MAX_HIDDEN:
        raise Unknown
    needs = [game._target - points for points in game.scores()]
    free = {
        cell: int(game._cells[cell]) if cell in game.visible() else None
        for cell in game._cells
        if cell not in game._owner
    }
    return by_brute_force(tuple(free.items()), needs[told.mover - 1], needs[told.other - 1])


def close(chance: float, said: str, about: str | None) -> bool:
    """Whether a chance is what was said of it; nothing certain is said of what is not."""
    said_exactly = round(100 * chance) if chance in (0, 1) else min(max(round(100 * chance), 1), 99)
    return abs(said_exactly - int(said)) <= (0 if about else 1e-9)


@cache
def by_brute_force(
    free: tuple[tuple[Cell, int | None], ...], mine: int, yours: int
) -> dict[str, float]:
    """The chance of every claim: every number that may turn up, every answer."""
    cells = dict(free)
    return {
        cell_name(cell): after_claim(cells, cell, mine, yours, (1, 2, 3, 4, 5)) for cell in cells
    }
