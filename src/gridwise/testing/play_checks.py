"""What must be true of every game when it is played, recorded, analysed and evaluated."""

from __future__ import annotations

import pickle

from gridwise.core.game import Game
from gridwise.engine.analysis import analyze
from gridwise.engine.evaluation import Limits, evaluate
from gridwise.play.match import Match
from gridwise.play.records import parse_record, record_text
from gridwise.testing.samples import STANDARD, Size, check, expect, random_games, registered


@check
def check_match(game: Game, size: Size = STANDARD, *, games: int = 40, seed: int = 1) -> None:
    """Match and Position agree with the bare rules, whatever is played."""
    rules = game.rules
    for match in random_games(game, size, games, seed):
        board = match.true_board
        state = rules.start(board, match.first)
        for action in match.actions:
            expect(rules.moves(board, state) >> action & 1, f"Action {action} was not legal.")
            state = rules.play(board, state, action)
        position, outcome = match.position, match.outcome
        expect(position.state == state, "Match has another state than the rules.")
        winner = rules.winner(board, state)
        if outcome:
            expect(outcome.winner == winner, "Match has another winner than the rules.")
            expect((match.turn, match.legal_moves) == (0, []), "A game that is over has a turn.")
        else:
            expect(not winner, "The rules have a winner, and Match goes on.")
            expect(match.turn == state.turn, "Match has another turn than the rules.")
            legal = rules.moves(board, state)
            expect(position.legal_mask == legal, "Match has other moves than the rules.")
        with registered(game):
            again = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
        expect(again == position, "A Position that was pickled is another one.")
        expect(hash(again) == hash(position), "Equal positions must have equal hashes.")
        expect(again.outcome == outcome, "A Position that was pickled has another outcome.")


@check
def check_records(game: Game, size: Size = STANDARD, *, games: int = 6, seed: int = 1) -> None:
    """A record is read back as it was written, and an unfinished game can be resumed from it."""
    players = ('Jo "the wall" \\ O\'Neil', "bot:random")
    with registered(game):
        for match in random_games(game, size, games, seed):
            record = match.record(players, "2026.11.15")
            text = record_text(record)
            again = parse_record(text)
            expect(again == record, f"This record is read back as another one:\n{text}")
            expect(record_text(again) == text, f"This record is written in another way:\n{text}")
            positions = list(again.positions())
            expect(positions[-1].history == match.actions, "A record replays to another position.")
            if not match.outcome:
                resumed = Match.resume(again, seed=seed)
                expect(resumed.position == match.position, "A resumed game is somewhere else.")
                expect(resumed.view == match.view, "A resumed game shows something else.")


@check
def check_analysis(game: Game, *, games: int = 10, seed: int = 1) -> None:
    """`analyze` describes the position that Match has, and `evaluate` gives every move a value."""
    with registered(game):
        for match in random_games(game, STANDARD, games, seed):
            position, outcome = match.position, match.outcome
            if outcome and not outcome.winner:
                continue
            board = game.board_text(match.board)
            moves = match.moves
            analysis = analyze(game.key, board, first=match.first, moves=moves, search=False)
            expected = {
                "to_move": match.turn or None,
                "legal": match.legal_moves,
                "result": outcome.result if outcome else None,
                "board": board,
                "scores": None if position.scores is None else list(position.scores),
            }
            for name, value in expected.items():
                expect(
                    analysis[name] == value, f"analyze: {name} is {analysis[name]}, not {value}."
                )
            if outcome or len(moves) not in (0, 3):
                continue
            evaluation = evaluate(position, Limits(nodes=2_000))
            actions = tuple(each.action for each in evaluation.moves)
            expect(actions == position.legal, "evaluate must value every legal move, as listed.")
            expect(evaluation.best in evaluation.best_moves, "The best move is not among the best.")
            expect(0.0 <= evaluation.points <= 1.0, "A value must be from 0 to 1.")
