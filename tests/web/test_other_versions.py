"""Games in the database that this version cannot play."""

from __future__ import annotations

import sqlite3

import pytest

from .servers import Browse, refused, running, until_closed


@pytest.mark.parametrize("finished", [False, True])
def test_a_game_of_an_unknown_kind_takes_nothing_down(
    database: str, browse: Browse, finished: bool
) -> None:
    """It is on no list, and its own page says what is the matter; others are there as ever."""
    with running(database) as address:
        ann = browse(address)
        strange = ann.create("grid-runner", listed=True)
        ann.create("number-run", listed=True)
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE games SET game = 'grid-chess' WHERE id = ?", [strange])
        if finished:
            ending = "UPDATE games SET finished = 1, result = 'p1', reason = 'so' WHERE id = ?"
            connection.execute(ending, [strange])
    connection.close()
    with running(database) as address:
        again = browse(address)
        again.http.cookies = ann.http.cookies
        start = again.http.get("/", headers={"Accept": "text/html"})
        assert (start.status_code, strange in start.text) == (200, False)
        for status in ("open", "playing", "recent"):
            listed = again.http.get(f"/api/games?status={status}").json()["games"]
            assert [each["game"] for each in listed] == ["number-run"] * (status == "open")
        page = again.http.get(f"/g/{strange}", headers={"Accept": "text/html"})
        assert (page.status_code, "newer version" in page.text) == (404, True)
        said = refused(again.http.get(f"/api/games/{strange}"), 404, "not-found")
        assert "newer version" in said
        with again.socket(strange) as socket:
            assert until_closed(socket)[0] == 4404


@pytest.mark.parametrize(
    ("game", "board", "deal", "said"),
    [
        ("number-run", "1221/2112/1221/2112", "own", True),
        ("grid-conquest", "53152/24251/43453/11523/32214", "fair", False),
    ],
)
def test_a_rematch_on_a_board_of_somebodys_own_says_so(
    database: str, browse: Browse, game: str, board: str, deal: str, said: bool
) -> None:
    """In the state and on the page; where numbers are hidden it is dealt anew, and fair."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create(game, board=board)
        bob.take_seat(game_id)
        ann.request("resign", ann.state(game_id))
        over = ann.state(game_id)
        new_id = ann.request("rematch", over).json()["id"]
        assert ("on the same board" in " ".join(ann.state(game_id)["news"])) == said
        state = bob.state(new_id)
        assert (state["deal"], state["rematch_of"]) == (deal, game_id)
        assert (state["board"] == over["board"]) == (deal == "own")
        page = bob.http.get(f"/g/{new_id}", headers={"Accept": "text/html"}).text
        assert ("This rematch is on the same board" in page) == said
        assert ("may know the face-down numbers" in page) is False
