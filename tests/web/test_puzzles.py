"""Puzzles over plain HTTP: every address is a puzzle, and every move is checked by the server."""

from __future__ import annotations

import datetime as dt
import re
from html import unescape

import pytest

from gridwise import Game, games
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleAddress,
    level_line,
    levels,
    puzzle_at,
    puzzle_count,
    puzzle_of_the_day,
    start_line,
)
from gridwise.engine_pool import EnginePool

from .servers import HTML, Browser, ok

each_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.key)


def solver_moves(puzzle: Puzzle) -> list[str]:
    """The moves of the fastest solution."""
    line, moves = start_line(puzzle), []
    while not line.is_solved:
        moves.append(line.step.solution.move)
        line = line.after(line.step.solution.action).after_answers()
    return moves


def verdict(page: str) -> str:
    """What a page says about the last move."""
    match = re.search(r'<p class="verdict [^"]*" role="status">(.*?)</p>', page)
    assert match
    return unescape(match[1])


@each_game
def test_no_address_of_a_puzzle_is_an_error(game: Game, ann: Browser) -> None:
    """A number too high, a level that the game does not have: one that is there."""
    low, high = levels(game)[0], levels(game)[-1]
    count = puzzle_count(game, low)
    missing = [level for level in range(1, HARDEST + 1) if level not in levels(game)]
    root = f"/puzzles/{game.key}"
    cases = {
        f"{root}/{low}/{count + 3}": f"{root}/{low}/3",
        f"{root}/{low}/0": f"{root}/{low}/{count}",
        f"{root}/{low}/007": f"{root}/{low}/7" if count >= 7 else r".*/\d+",
        f"{root}/{low}/999999": rf"{root}/{low}/\d+",
        f"{root}/{high}": rf"{root}/{high}/\d+",
        f"{root}/near": rf"{root}/\d/\d+",
        f"{root}/near?rating=-9999&done=nonsense+9.9": rf"{root}/{low}/\d+",
        f"{root}/near?rating=9999": rf"{root}/{high}/\d+",
    }
    cases |= {f"{root}/{level}/2": rf"{root}/\d/2" for level in missing}
    for asked, leads_to in cases.items():
        answer = ann.http.get(asked)
        assert answer.status_code == 303
        assert re.fullmatch(leads_to, answer.headers["location"])
        ann.page(answer.headers["location"])


def test_a_puzzle_near_a_rating_is_a_new_one(ann: Browser) -> None:
    """None of those that are done, one after the other, and each near the rating."""
    done: list[str] = []
    for _ in range(8):
        asked = {"rating": "1250", "done": " ".join(done)}
        location = ann.http.get("/puzzles/number-run/near", params=asked).headers["location"]
        level, number = location.split("/")[-2:]
        assert f"{level}.{number}" not in done
        done.append(f"{level}.{number}")
        rating = puzzle_at(PuzzleAddress("number-run", int(level), int(number))).rating
        assert abs(rating - 1250) < 100
    for bad in ({"rating": "nan"}, {"rating": "1000000"}, {"done": "x" * 5_000}):
        assert ann.http.get("/puzzles/number-run/near", params=bad).status_code == 400


def test_every_level_is_said_in_a_line(ann: Browser) -> None:
    """In the list of all, and on the page of a puzzle."""
    page = ann.page("/puzzles")
    for level in range(1, HARDEST + 1):
        assert level_line(level) in unescape(page)
    assert level_line(3) in unescape(ann.page("/puzzles/number-run/3/4"))


def test_earlier_days_are_in_the_archive(ann: Browser) -> None:
    """Four weeks in the list, each with its own puzzle; from a day one goes to the next."""
    today = dt.datetime.now(dt.UTC).date()
    listed = re.findall(r'data-archive="([\d-]+)"', ann.page("/puzzles"))
    assert listed == [str(today - dt.timedelta(days=back)) for back in range(1, 29)]
    page = ann.page(f"/puzzles/day/{listed[3]}")
    assert f'data-puzzle="/puzzles/{puzzle_of_the_day(dt.date.fromisoformat(listed[3]))}"' in page
    assert f'href="/puzzles/day/{listed[4]}">The day before' in page
    assert f'href="/puzzles/day/{listed[2]}">The day after' in page
    assert "The day after" not in ann.page(f"/puzzles/day/{today}")
    ann.page("/puzzles/day/0001-01-01")


def test_a_level_beyond_all_is_refused_with_those_that_there_are(ann: Browser) -> None:
    """The message lists the levels of that game."""
    answer = ann.http.get("/puzzles/number-run/9", headers=HTML)
    assert answer.status_code == 404
    assert "Number Run has no puzzles of difficulty 9. It has 1, 2, 3, 4, 5." in answer.text


def test_only_levels_that_exist_are_offered(ann: Browser) -> None:
    """Each link of the list leads to a puzzle of that game and level."""
    offered = re.findall(r'data-level="([a-z-]+)/(\d)"', ann.page("/puzzles"))
    assert offered == [(game.key, str(level)) for game in games() for level in levels(game)]
    for key, level in offered:
        answer = ann.http.get(f"/puzzles/{key}/{level}")
        assert answer.headers["location"].startswith(f"/puzzles/{key}/{level}/")


def test_any_puzzle_is_never_the_one_that_it_is_asked_from(ann: Browser) -> None:
    """Whoever asks for another one gets another one."""
    here = {"Referer": "http://testserver/puzzles/number-maze/2/7"}
    addresses = {
        ann.http.get("/puzzles/number-maze/2", headers=here).headers["location"] for _ in range(100)
    }
    assert len(addresses) > 30
    assert "/puzzles/number-maze/2/7" not in addresses
    assert 'href="/puzzles/number-maze/2/8"' in ann.page("/puzzles/number-maze/2/7")
    assert 'href="/puzzles/number-maze/2/1"' in ann.page("/puzzles/number-maze/2/40")


@each_game
def test_a_line_is_played_with_links_and_forms_alone(game: Game, ann: Browser) -> None:
    """The moves so far are in the address; a wrong one is refuted, the last one wins."""
    asked = PuzzleAddress(game.key, levels(game)[1], 5)
    address, puzzle = f"/puzzles/{asked}", puzzle_at(asked)
    moves, line = solver_moves(puzzle), start_line(puzzle)
    page = ann.page(address)
    assert verdict(page) == "Find the move that wins."
    assert re.findall(r'<option value="(.*?)">', page) == puzzle.position.legal_moves
    wrong = next(move for move in line.step.evaluation.moves if not line.is_right(move.action))
    page = ann.page(address, move=wrong.move)
    assert verdict(page).casefold().startswith(f"{wrong.move} ".casefold())
    assert 'name="missed" value="1"' in page
    for number, move in enumerate(moves):
        page = ann.page(address, line=" ".join(moves[:number]), move=move)
        last = number == len(moves) - 1
        assert verdict(page).startswith("Solved on the first try!" if last else "Right!")
    assert "<form" not in page.partition("<main")[2]
    assert ">Next puzzle<" in page
    missed = ann.page(address, line=" ".join(moves[:-1]), move=moves[-1], missed=1)
    assert verdict(missed).startswith("Solved! You won: ")


def test_where_somebody_comes_from_may_be_nonsense(
    ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that is too long to read, and a level with no other puzzle."""
    here = "http://testserver/puzzles/number-maze/2/"
    long = {"Referer": here + "7" * 5_000}
    assert ann.http.get("/puzzles/number-maze/2", headers=long).status_code == 303
    monkeypatch.setattr("gridwise.web.pages.puzzles.puzzle_count", lambda *_: 1)
    only = ann.http.get("/puzzles/number-maze/2", headers={"Referer": f"{here}1"})
    assert only.headers["location"] == "/puzzles/number-maze/2/1"


def test_a_line_in_an_address_is_checked(ann: Browser) -> None:
    """Moves that are not right do not count, and what nobody can read is an answer in words."""
    address = "/puzzles/number-connect/2/5"
    line = start_line(puzzle_at(PuzzleAddress("number-connect", 2, 5)))
    wrong = next(move for move in line.step.evaluation.moves if not line.is_right(move.action))
    start = ann.page(address)
    for moves in (wrong.move, "9,9", "\x00", f"{line.step.solution.move} 9,9 9,9" * 20):
        page = ann.page(address, line=moves)
        assert 'data-state="open"' in page
    assert ann.page(address, line=wrong.move) == start
    assert "9,9" in verdict(ann.page(address, move="9,9"))


@each_game
def test_hints_and_the_solution_without_scripts(game: Game, ann: Browser) -> None:
    """A hint does not name the answer; the solution has a page for every move."""
    asked = PuzzleAddress(game.key, levels(game)[1], 6)
    address, puzzle = f"/puzzles/{asked}", puzzle_at(asked)
    said = [verdict(ann.page(address, hints=number)) for number in range(1, 5)]
    assert len(set(said[:2])) == 2
    explained = start_line(puzzle).solution()
    for number, move in enumerate(explained, 1):
        page = ann.page(address, answer=number)
        assert verdict(page) == move.why
        assert page.count('<li aria-current="step">') == 1
    assert ann.page(address, answer=1_000) == ann.page(address, answer=len(explained))


@each_game
def test_a_script_gets_every_move_as_an_event(game: Game, ann: Browser) -> None:
    """A right move comes with the answer to it, a wrong one with what refutes it."""
    asked = PuzzleAddress(game.key, levels(game)[1], 4)
    address, puzzle = f"/puzzles/{asked}", puzzle_at(asked)
    line = start_line(puzzle)
    moves = solver_moves(puzzle)
    progress = ok(ann.http.get(f"{address}/move", params={"move": moves[0]}))
    assert (progress["verdict"], progress["line"], progress["solved"]) == ("right", moves[0], False)
    assert [frame["event"]["player"] for frame in progress["frames"]] == [
        line.solver,
        3 - line.solver,
    ]
    assert progress["frames"][-1]["svg"] == progress["svg"]
    assert progress["moves"]
    *most, end = moves
    last = ok(ann.http.get(f"{address}/move", params={"line": " ".join(most), "move": end}))
    assert (last["solved"], last["moves"]) == (True, [])
    solution = ok(ann.http.get(f"{address}/solution"))
    played = [
        frame["event"]["move"]
        for frame in solution["frames"]
        if frame["event"]["player"] == line.solver
    ]
    assert played == moves
    assert all(frame["why"] and frame["news"] for frame in solution["frames"])
    assert solution["text"].startswith("You won: ")


def test_a_wrong_move_turns_nothing_up(ann: Browser) -> None:
    """A move that is taken back does not show what is under the cells that it would turn up."""
    hiding = next(game for game in games() if game.has_hidden_cells)
    checked = 0
    level = levels(hiding)[-1]
    for number in range(1, 7):
        address = PuzzleAddress(hiding.key, level, number)
        line = start_line(puzzle_at(address))
        url = f"/puzzles/{address}"
        shown = ann.page(url)
        for move in line.step.evaluation.moves:
            if line.is_right(move.action) or not line.position.reveals(move.action):
                continue
            progress = ok(ann.http.get(f"{url}/move", params={"move": move.move}))
            assert progress["frames"] == []
            assert progress["svg"] in shown
            checked += 1
    assert checked > 10
    page = ann.page(f"/puzzles/{hiding.key}/{level}/1")
    position = puzzle_at(PuzzleAddress(hiding.key, level, 1)).position
    assert page.count("face down") == position.hidden.bit_count()


def test_the_puzzle_of_the_day_goes_by_the_date(ann: Browser) -> None:
    """Today's leads to its own address; tomorrow's is not out; a day that was keeps its puzzle."""
    today = dt.datetime.now(dt.UTC).date()
    location = ann.http.get("/puzzles/today").headers["location"]
    assert location == f"/puzzles/day/{today.isoformat()}"
    address = puzzle_of_the_day(today)
    page = ann.page(location)
    assert "Puzzle of the day: " in page
    assert f'data-puzzle="/puzzles/{address.game}/{address.difficulty}/{address.number}"' in page
    old = ann.page("/puzzles/day/2026-11-14")
    assert "Puzzle of 14 November 2026: " in old
    for day in (today + dt.timedelta(days=2), "2026-02-30", "2026-13-01"):
        assert ann.http.get(f"/puzzles/day/{day}", headers=HTML).status_code == 404


def test_puzzles_ask_nothing_of_the_engine(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """So nobody waits for a search, or for one to be compiled."""

    def fail(*_: object) -> None:
        raise AssertionError("somebody waits")

    monkeypatch.setattr(EnginePool, "call", fail)
    for game in games():
        for level in levels(game):
            ann.page(f"/puzzles/{game.key}/{level}/1")
            ok(ann.http.get(f"/puzzles/{game.key}/{level}/1/solution"))
