"""A tournament as text: a block of figures for each match, and a table for a pool of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridwise.arena.tournament.elo import Bounded, signed
from gridwise.arena.tournament.ratings import MISSING
from gridwise.arena.tournament.run import Tournament
from gridwise.arena.tournament.sprt import Verdict
from gridwise.arena.tournament.standings import Standings, Tally
from gridwise.core.outcome import Termination
from gridwise.core.registry import game as game_named

FAULT_NAMES = {
    Termination.CRASH: ("crash", "crashes"),
    Termination.TIME_OUT: ("time-out", "time-outs"),
    Termination.ILLEGAL_MOVE: ("illegal move", "illegal moves"),
}
LONGEST_NAME = 40


def table(tournament: Tournament) -> str:
    """The whole result."""
    standings = tournament.standings
    parts = [match_lines(each, standings.names) for each in standings.matches()]
    if len(standings.names) > 2:
        parts = [pool_lines(tournament), *parts]
    if len(standings.games) > 1:
        parts += [game_lines(standings)]
    parts += [sprt_lines(tournament), fault_lines(standings)]
    parts += [[f"Seed {tournament.schedule.seed}: --seed plays on the same boards again."]]
    return "\n\n".join("\n".join(part) for part in parts if part)


def short(name: str) -> str:
    """A player's name for a table; of a long one the end, where engines differ."""
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"


def title(tally: Tally) -> str:
    """The game of a tally; nothing for several."""
    return f" at {game_named(tally.game).title}" if tally.game else ""


def match_lines(tally: Tally, names: Sequence[str]) -> list[str]:
    """A match as engine testers read it."""
    one, two = short(names[tally.one]), short(names[tally.two])
    pairs = tally.pairs
    ll, ld, middle, wd, ww = pairs.pentanomial
    lines = [
        f"{one} against {two}{title(tally)}: {pairs.total} pair{'s'[: pairs.total != 1]}, "
        f"{tally.games} games",
        f"  Score   {_share(tally.score)}",
        f"  Elo     {tally.elo}, ± {signed(tally.elo.error).lstrip('+')}",
        f"  nElo    {tally.nelo}, ± {signed(tally.nelo.error).lstrip('+')}",
        f"  LOS     {tally.los:.1%}",
        f"  Games   {tally.wins} won, {tally.losses} lost, {tally.draws} drawn "
        f"({tally.draw_ratio:.1%})",
        f"  Pairs   LL {ll}, LD {ld}, WL+DD {middle}, WD {wd}, WW {ww}",
        f"  Sides   {sides(tally)}",
    ]
    return lines + [f"  {line}" for line in information_lines(tally)]


def sides(tally: Tally) -> str:
    """How often each side won."""
    games = max(1, tally.games)
    parts = [f"Player {side} won {tally.sides[f'p{side}'] / games:.1%}" for side in (1, 2)]
    if tally.sides["unfinished"]:
        parts.append(f"{tally.sides['unfinished']} stopped unfinished")
    return ", ".join(parts)


def information_lines(tally: Tally) -> list[str]:
    """What to say where pairs tell little or nothing about the players."""
    if tally.repeated:
        return [
            "All pairs are the same two games: both players always play alike on this board.",
            "However many there are, they say no more than one pair does.",
        ]
    if not tally.pairs.all_split:
        return []
    if tally.same_side:
        number, order = ("1", "first") if tally.same_side == "p1" else ("2", "second")
        return [
            f"Player {number} won every game: moving {order} decided them all.",
            "Every pair is shared, so these pairs say nothing about who is stronger.",
        ]
    return ["Every pair is shared, so these pairs say nothing about who is stronger."]


def game_lines(standings: Standings) -> list[str]:
    """Each pairing at each game, a line each."""
    tallies = [each for _, each in sorted(standings.tallies.items())]
    width = max((len(_versus(each, standings)) for each in tallies), default=0)
    lines = [f"By game{'':{width + 11}}  pairs   score  Elo"]
    for tally in tallies:
        elo = "every pair shared" if tally.pairs.all_split else str(tally.elo)
        lines.append(
            f"  {tally.game:14}  {_versus(tally, standings):{width}}  {tally.pairs.total:5}  "
            f"{tally.score.value:6.1%}  {elo}"
        )
    return lines


def _versus(tally: Tally, standings: Standings) -> str:
    """Who plays whom, in as few characters as possible."""
    one, two = (standings.names[each].removeprefix("bot:") for each in (tally.one, tally.two))
    return f"{short(one)} - {short(two)}"


def pool_lines(tournament: Tournament) -> list[str]:
    """Everybody in order, with ratings if evalica is there."""
    standings = tournament.standings
    rated = tournament.ratings
    rows = []
    for number, name in enumerate(standings.names):
        own = standings.of_player(number)
        rating = rated[number] if rated else None
        rows.append((rating.value if rating else own.pairs.score, name, own, rating))
    rows.sort(key=lambda row: -row[0])
    width = max(len(short(name)) for _, name, _, _ in rows)
    head = (
        f"     {'player':{width}}  {'rating':>7} {'95 % interval':>20}  {'score':>6}  {'games':>6}"
    )
    lines = [head]
    for place, (_, name, own, rating) in enumerate(rows, 1):
        figures = f"{'-':>7} {'':>20}"
        if rating:
            span = f"{signed(rating.low, 0)} to {signed(rating.high, 0)}"
            figures = f"{signed(rating.value, 0):>7} {span:>20}"
        score = f"{own.pairs.score:6.1%}"
        lines.append(f"{place:3}. {short(name):{width}}  {figures}  {score}  {own.games:6}")
    return lines if rated else [*lines, MISSING]


def sprt_lines(tournament: Tournament) -> list[str]:
    """How far the test is, or how it ended."""
    test = tournament.sprt
    if test is None:
        return []
    low, high = test.bounds
    one, two = (short(name) for name in tournament.standings.names)
    ratio = (
        f"SPRT    LLR {tournament.llr:.2f} ({low:.2f} to {high:.2f}), "
        f"{test.model} Elo [{test.elo0:g}, {test.elo1:g}]"
    )
    verdicts = {
        Verdict.H1: f"H1 accepted: {one} is {test.elo1:+g} Elo from {two} rather than "
        f"{test.elo0:+g}.",
        Verdict.H0: f"H0 accepted: {one} is {test.elo0:+g} Elo from {two} rather than "
        f"{test.elo1:+g}.",
        Verdict.NO_INFORMATION: "Stopped without a decision: more pairs like these would not "
        "bring one.",
        Verdict.CONTINUE: f"Not decided after {tournament.standings.pairs} pairs; more --pairs "
        "may decide it.",
    }
    return [ratio, f"        {verdicts[tournament.verdict or Verdict.CONTINUE]}"]


def fault_lines(standings: Standings) -> list[str]:
    """What programs did wrong."""
    lines = list(_faults(standings))
    return ["Games lost by fault", *lines] if lines else []


def _faults(standings: Standings) -> Iterator[str]:
    for number, name in enumerate(standings.names):
        faults = standings.of_player(number).faults
        if not faults:
            continue
        parts = []
        for (_, ending), count in sorted(faults.items()):
            single, several = FAULT_NAMES[Termination(ending)]
            parts.append(f"{count} {single if count == 1 else several}")
        yield f"  {short(name)}: {', '.join(parts)}"


def _share(figure: Bounded) -> str:
    return f"{figure.value:.1%} ({figure.low:.1%} to {figure.high:.1%})"


def live_table(tournament: Tournament) -> str:
    """A line for each match, and how far it is: for a table that changes while games are played."""
    standings = tournament.standings
    matches = list(standings.matches())
    width = max((len(_versus(each, standings)) for each in matches), default=0)
    lines = [f"{standings.pairs} of {tournament.total} pairs"]
    if matches:
        lines.append(f"  {'':{width}}   pairs   score      Elo             LOS  LL LD = WD WW")
    lines += [
        f"  {_versus(tally, standings):{width}}  {tally.pairs.total:6}  "
        f"{tally.score.value:6.1%}  {signed(tally.elo.value):>7} ± {tally.elo.error:<6.1f} "
        f"{tally.los:6.1%}  {' '.join(map(str, tally.pairs.pentanomial))}"
        for tally in matches
    ]
    if tournament.sprt:
        low, high = tournament.sprt.bounds
        lines.append(f"  LLR {tournament.llr:.2f} ({low:.2f} to {high:.2f})")
    return "\n".join([*lines, *fault_lines(standings)])
