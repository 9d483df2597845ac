"""What a tournament shows: as text, as a page, as pictures, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from gridwise.core.outcome import Termination
from gridwise.extras import missing
from gridwise.lab.report.charts import (
    GREY,
    Figure,
    Line,
    Panel,
    as_svg,
    draw_intervals,
    draw_lines,
    new_figure,
    write_chart,
)
from gridwise.lab.report.document import (
    Heading,
    Paragraph,
    Part,
    Picture,
    Table,
    as_html,
    stacked,
)
from gridwise.lab.report.provenance import date_and_version, today, versions
from gridwise.lab.statistics import Estimate, signed
from gridwise.lab.tournament.ratings import (
    elo,
    likelihood_of_superiority,
    normalised_elo,
    score_interval,
)
from gridwise.lab.tournament.run import Standings, Tally, Tournament
from gridwise.lab.tournament.sprt import SprtVerdict

FAULT_NAMES = {
    Termination.CRASH: ("crash", "crashes"),
    Termination.TIME_OUT: ("time-out", "time-outs"),
    Termination.ILLEGAL_MOVE: ("illegal move", "illegal moves"),
}
LONGEST_NAME = 40
RATINGS, LLR = "ratings.svg", "llr.svg"  # the pictures of a page
LEGEND = (
    "LL LD = WD WW: how many pairs the first player lost twice, lost and drew, shared, won and "
    "drew, and won twice. P1 : P2 is how often each side won."
)


def _short(name: str) -> str:
    """A player's name for a table; of a long one the end, where engines differ."""
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"


def _versus(tally: Tally, standings: Standings) -> str:
    """Who plays whom, in as few characters as possible."""
    one, two = (standings.names[each].removeprefix("bot:") for each in (tally.one, tally.two))
    return f"{_short(one)} - {_short(two)}"


def _titles(tournament: Tournament) -> dict[str, str]:
    """What each game is called, by key, with what is not as the rules have it."""
    return {boards.game.key: boards.title for boards in tournament.schedule.games}


def _by_game(standings: Standings) -> list[Tally]:
    return [tally for _, tally in sorted(standings.tallies.items())]


def _ends_text(estimate: Estimate, digits: int = 1) -> str:
    """An interval on the Elo scale; one that is open, by what the games do limit."""
    _, low, high, _ = estimate
    if isfinite(low) and isfinite(high):
        return f"{signed(low, digits)} to {signed(high, digits)}"
    if isfinite(low) or isfinite(high):
        return f"> {signed(low, digits)}" if isfinite(low) else f"< {signed(high, digits)}"
    return "open"


def _elo_text(estimate: Estimate) -> str:
    """A figure on the Elo scale, and its interval."""
    return f"{signed(estimate.value)} ({_ends_text(estimate)})"


# Text


def as_text(tournament: Tournament) -> str:
    """The whole result."""
    standings = tournament.standings
    titles = _titles(tournament)
    parts = ["\n".join(_match_lines(each, standings, titles)) for each in standings.matches()]
    if len(standings.names) > 2:
        unrated = missing("lab", "evalica")
        parts = [f"{_pool_table(tournament).text()}\n{unrated}".strip(), *parts]
    if len(standings.games) > 1:
        parts.append(_game_table(standings, titles).text())
    parts += ["\n".join(sprt_lines(tournament)), "\n".join(_fault_lines(standings))]
    seed = f"Seed {tournament.schedule.seed}: --seed plays on the same boards again."
    parts.append(f"{seed}\nMade {date_and_version()}.")
    return "\n\n".join(part for part in parts if part)


def live_text(tournament: Tournament) -> str:
    """A line for each match, and how far it is: for a table that changes while games are played."""
    standings = tournament.standings
    lines = [f"{standings.pairs} of {tournament.total} pairs"]
    rows = [
        [
            f"  {_versus(tally, standings)}",
            str(tally.pairs.total),
            f"{tally.pairs.score:.1%}",
            _elo_text(elo(tally.pairs)),
            f"{likelihood_of_superiority(tally.pairs):.1%}",
            " ".join(map(str, tally.pairs.pentanomial)),
        ]
        for tally in standings.matches()
    ]
    if rows:
        lines.append(Table(["", "pairs", "score", "Elo", "LOS", "LL LD = WD WW"], rows).text())
    if tournament.sprt:
        low, high = tournament.sprt.bounds
        lines.append(f"  LLR {tournament.llr:.2f} ({low:.2f} to {high:.2f})")
    return "\n".join([*lines, *_fault_lines(standings)])


def _match_lines(tally: Tally, standings: Standings, titles: Mapping[str, str]) -> list[str]:
    """A match as engine testers read it."""
    one, two = (_short(standings.names[each]) for each in (tally.one, tally.two))
    where = f" at {titles[tally.game]}" if tally.game else ""
    pairs = tally.pairs
    ll, ld, middle, wd, ww = pairs.pentanomial
    unfinished = f", {tally.unfinished} unfinished" if tally.unfinished else ""
    lines = [
        f"{one} against {two}{where}: {tally.played} pair{'s'[: tally.played != 1]}, "
        f"{tally.games} games",
        f"  Score   {score_interval(pairs)}",
        f"  Elo     {_elo_text(elo(pairs))}",
        f"  nElo    {_elo_text(normalised_elo(pairs))}",
        f"  LOS     {likelihood_of_superiority(pairs):.1%}",
        f"  Games   {tally.wins} won, {tally.losses} lost, {tally.draws} drawn "
        f"({tally.draw_ratio:.1%}){unfinished}",
        f"  Pairs   LL {ll}, LD {ld}, WL+DD {middle}, WD {wd}, WW {ww}",
        f"  Sides   {_sides(tally)}",
    ]
    return lines + [f"  {line}" for line in information_lines(tally)]


def _sides(tally: Tally) -> str:
    """How often each side won."""
    games = max(1, tally.games)
    return ", ".join(f"Player {side} won {tally.sides[f'p{side}'] / games:.1%}" for side in (1, 2))


def information_lines(tally: Tally) -> list[str]:
    """What to say where pairs tell little or nothing about the players."""
    lines = []
    if copies := tally.copies.total:
        lines = [
            f"{copies} of {tally.played} pairs are copies: on a board both always play alike.",
            "Games and sides are of all pairs; all other figures count each board once.",
        ]
    if not tally.pairs.all_split:
        return lines
    if tally.same_side:
        number, order = ("1", "first") if tally.same_side == "p1" else ("2", "second")
        lines.append(f"Player {number} won every game: moving {order} decided them all.")
    return [*lines, "Every pair is shared, so these pairs say nothing about who is stronger."]


def sprt_lines(tournament: Tournament) -> list[str]:
    """How far the test is, or how it ended."""
    test = tournament.sprt
    if test is None:
        return []
    low, high = test.bounds
    one, two = (_short(name) for name in tournament.standings.names)
    ratio = (
        f"SPRT    LLR {tournament.llr:.2f} ({low:.2f} to {high:.2f}), "
        f"{test.model} Elo [{test.elo0:g}, {test.elo1:g}]"
    )
    verdicts = {
        SprtVerdict.H1: f"H1 accepted: {one} is {test.elo1:+g} Elo from {two} rather than "
        f"{test.elo0:+g}.",
        SprtVerdict.H0: f"H0 accepted: {one} is {test.elo0:+g} Elo from {two} rather than "
        f"{test.elo1:+g}.",
        SprtVerdict.NO_INFORMATION: "Stopped without a decision: more pairs like these would not "
        "bring one.",
        SprtVerdict.CONTINUE: f"Not decided after {tournament.standings.pairs} pairs; more "
        f"{'boards' if tournament.standings.match().copies.total else '--pairs'} may decide it.",
    }
    return [ratio, f"        {verdicts[tournament.verdict or SprtVerdict.CONTINUE]}"]


def _fault_lines(standings: Standings) -> list[str]:
    """What programs did wrong."""
    lines = []
    for number, name in enumerate(standings.names):
        faults = []
        for ending, count in sorted(standings.of_player(number).faults.items()):
            single, several = FAULT_NAMES[Termination(ending)]
            faults.append(f"{count} {single if count == 1 else several}")
        if faults:
            lines.append(f"  {_short(name)}: {', '.join(faults)}")
    return ["Games lost by fault", *lines] if lines else []


# Tables


def _pool_table(tournament: Tournament) -> Table:
    """Everybody in order, with ratings if evalica is there."""
    standings, rated = tournament.standings, tournament.ratings
    rows = []
    for number, name in enumerate(standings.names):
        own = standings.of_player(number)
        rating = rated[number] if rated else None
        shown = ["-", "-"]
        if rating:
            shown = [signed(rating.value, 0), _ends_text(rating, 0)]
        counts = (own.games, own.unfinished, own.faults.total())
        figures = [*shown, f"{own.pairs.score:.1%}", *map(str, counts)]
        rows.append((rating.value if rating else own.pairs.score, [_short(name), *figures]))
    rows.sort(key=lambda row: -row[0])
    head = ["player", "rating", "95 % interval", "score", "games", "unfinished", "lost by fault"]
    return Table(
        head, [[f"{place}. {name}", *row] for place, (_, (name, *row)) in enumerate(rows, 1)]
    )


def _game_table(standings: Standings, titles: Mapping[str, str]) -> Table:
    """Each pairing at each game, a row each."""
    rows = []
    for tally in _by_game(standings):
        pairs = tally.pairs
        difference = "every pair shared" if pairs.all_split else _elo_text(elo(pairs))
        match = f"{titles[tally.game]}: {_versus(tally, standings)}"
        rows.append([match, str(pairs.total), f"{pairs.score:.1%}", difference])
    return Table(["By game", "pairs", "score", "Elo"], rows)


def _match_table(
    tallies: Sequence[Tally], names: Sequence[str], titles: Mapping[str, str]
) -> Table:
    """All figures of some matches, for a page."""
    heads = ["match", "pairs", "score", "Elo", "nElo", "LOS", "LL LD = WD WW"]
    heads += ["drawn : unfinished", "P1 : P2"]
    rows = []
    for each in tallies:
        title = f"{names[each.one]} against {names[each.two]}"
        games = max(1, each.games)
        rows.append(
            [
                f"{title}\n{titles[each.game]}" if each.game else title,
                str(each.pairs.total),
                stacked(str(score_interval(each.pairs))),
                stacked(_elo_text(elo(each.pairs))),
                stacked(_elo_text(normalised_elo(each.pairs))),
                f"{likelihood_of_superiority(each.pairs):.1%}",
                " ".join(map(str, each.pairs.pentanomial)),
                f"{each.draw_ratio:.1%} : {each.unfinished / games:.1%}",
                " : ".join(f"{each.sides[side] / games:.1%}" for side in ("p1", "p2")),
            ]
        )
    return Table(heads, rows)


# A page


def page(tournament: Tournament) -> str:
    """The tournament as one HTML page."""
    return as_html(list(_parts(tournament)), _pictures(tournament))


def _parts(tournament: Tournament) -> Iterator[Part]:
    standings = tournament.standings
    titles = _titles(tournament)
    two = len(standings.names) == 2
    yield Heading(1, " against ".join(standings.names) if two else "Tournament")
    yield Paragraph(
        f"{', '.join(titles.values())}. {standings.pairs} pairs of games, each board played twice "
        f"with sides swapped; seed {tournament.schedule.seed}. Intervals are 95 %. "
        f"Made {date_and_version()}."
    )
    yield Paragraph(LEGEND)
    if not two:
        yield Heading(2, "Ratings (Bradley-Terry, Elo scale)")
        yield _pool_table(tournament)
    if tournament.ratings:
        yield Picture(RATINGS, "Ratings with 95 % intervals")
    yield Heading(2, "Matches")
    yield _match_table(list(standings.matches()), standings.names, titles)
    if len(standings.games) > 1:
        yield Heading(2, "By game")
        yield _match_table(_by_game(standings), standings.names, titles)
    if tournament.sprt:
        yield _paragraph(sprt_lines(tournament))
    if _has_test(tournament):
        yield Picture(LLR, "The log-likelihood ratio over the pairs, between its bounds")
    for tally in standings.matches():
        lines = information_lines(tally)
        if lines:
            who = f"{standings.names[tally.one]} against {standings.names[tally.two]}: "
            yield Paragraph(who + " ".join(lines), warns=True)
    faults = _fault_lines(standings)
    if faults:
        yield _paragraph(faults)


def _paragraph(lines: Sequence[str]) -> Paragraph:
    return Paragraph("\n".join(line.strip() for line in lines))


# Pictures


def plot_tournament(tournament: Tournament, path: Path) -> Figure:
    """Write one figure of all there is to a file: ratings or Elo, and the history of a test."""
    rows, label = _chart_rows(tournament)
    tested = _has_test(tournament)
    standings = tournament.standings
    figure, panels = new_figure(
        1.2 + 0.4 * len(rows) + 2.6 * tested,
        9,
        f"{', '.join(_titles(tournament).values())}, {standings.pairs} pairs: 95 % intervals",
        nrows=1 + tested,
        height_ratios=[0.8 + 0.4 * len(rows), 2.6][: 1 + tested],
    )
    _draw_rows(panels[0], rows, label)
    if tested:
        _draw_test(panels[1], tournament)
    write_chart(figure, path)
    return figure


def _pictures(tournament: Tournament) -> dict[str, bytes]:
    """The pictures of a page, by name: the ratings of a pool, the history of a test."""
    pictures = {}
    if tournament.ratings:
        rows, label = _chart_rows(tournament)
        figure, (panel,) = new_figure(1.2 + 0.35 * len(rows))
        _draw_rows(panel, rows, label)
        pictures[RATINGS] = as_svg(figure)
    if _has_test(tournament):
        figure, (panel,) = new_figure(2.8)
        _draw_test(panel, tournament)
        pictures[LLR] = as_svg(figure)
    return pictures


def _has_test(tournament: Tournament) -> bool:
    """Whether there is a test, and something of its history to be seen."""
    return len(tournament.llr_history) > 1


def _chart_rows(tournament: Tournament) -> tuple[dict[str, Estimate], str]:
    """What is drawn, the best first: ratings of a pool, or the Elo of a match at each game."""
    standings = tournament.standings
    rated = tournament.ratings
    if rated:
        order = sorted(range(len(rated)), key=lambda number: -rated[number].value)
        named = {_short(standings.names[number]): rated[number] for number in order}
        return named, "rating (Elo, the mean is 0)"
    named = {f"{_versus(t, standings)}\n{t.game}": elo(t.pairs) for t in _by_game(standings)}
    return named, "Elo difference"


def _draw_rows(panel: Panel, rows: dict[str, Estimate], label: str) -> None:
    draw_intervals(panel, list(rows), {"": list(rows.values())}, label, 0.0)


def _draw_test(panel: Panel, tournament: Tournament) -> None:
    """The log-likelihood ratio over the pairs, between its bounds."""
    assert tournament.sprt
    history: dict[int, float] = {0: 0.0, **dict(tournament.llr_history)}
    draw_lines(panel, [Line("", history, style="-")], "pairs", "LLR")
    for bound in tournament.sprt.bounds:
        panel.axhline(bound, color=GREY, linestyle="--")


# JSON


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    """Everything for other programs. Between two players the match stands at the top as well."""
    standings, names = tournament.standings, tournament.standings.names
    matches = list(standings.matches())
    rated = tournament.ratings
    players = []
    for number, name in enumerate(names):
        own = standings.of_player(number)
        players.append(
            {
                "name": name,
                "player": tournament.schedule.players[number],
                "games": own.games,
                "wins": own.wins,
                "losses": own.losses,
                "draws": own.draws,
                "unfinished": own.unfinished,
                "points": own.wins + (own.draws + own.unfinished) / 2,
                "rating": rated[number].to_json() if rated else None,
                "faults": dict(sorted(own.faults.items())),
            }
        )
    data: dict[str, Any] = {
        "seed": tournament.schedule.seed,
        "players": players,
        "games": standings.games,
        "variants": {each.game.key: each.variant for each in tournament.schedule.games},
        "boards": {each.game.key: each.about() for each in tournament.schedule.games},
        "date": today(),
        "versions": versions(),
        "matches": [each.to_json(names) for each in matches],
        "by_game": [each.to_json(names) for each in _by_game(standings)],
    }
    if len(names) == 2 and matches:
        match = data["matches"][0]
        kept = ("pairs", "score", "elo", "nelo", "los", "draw_ratio", "informative")
        data |= {key: match[key] for key in kept}
    if tournament.sprt:
        test = tournament.sprt.to_json(standings.match().pairs)
        test["verdict"] = str(tournament.verdict)
        data["sprt"] = {**test, "pairs": standings.pairs}
        data |= {key: test[key] for key in ("llr", "bounds", "verdict")}
    return data
