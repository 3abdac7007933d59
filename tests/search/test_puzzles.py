"""Puzzles: one move wins, by brute force too, and the same seed makes the same puzzle."""

from __future__ import annotations

from random import Random

import pytest

from flipdrop import game
from flipdrop.errors import SearchError
from flipdrop.games.problems import read_problem
from flipdrop.games.records import GameRecord
from flipdrop.search import Solver
from flipdrop.search.puzzles import GAMES, LEVELS, make_puzzle, make_puzzles, puzzles_in_games


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", [1, 2, 4])
def test_one_move_wins(name: str, level: int) -> None:
    puzzle = make_puzzle(game(name), seed=7, number=3, level=level)
    position = puzzle.position
    assert puzzle.scores.keys() == set(position.legal_moves)
    assert len(puzzle.line) % 2 == 1
    side = position.to_move
    for move in puzzle.line:
        if position.to_move == side:
            others = [other for other in position.legal_moves if other != move]
            assert score_after(position, move) > 0
            assert all(score_after(position, other) <= 0 for other in others)
        position = position.play(move)
    assert puzzle == make_puzzle(game(name), seed=7, number=3, level=level)


def score_after(position: object, move: int) -> int:
    """The exact score of a move for the side that plays it, by a solver of its own."""
    after = position.play(move)  # type: ignore[attr-defined]
    if after.is_over:
        winner = after.result or 0
        return winner if position.to_move == 0 else -winner  # type: ignore[attr-defined]
    score = Solver(book=False, table=4).solve(after).score
    assert score is not None
    return score if after.to_move == position.to_move else -score  # type: ignore[attr-defined]


def test_levels() -> None:
    made = list(make_puzzles(game("othello6"), 5, seed=1))
    assert [puzzle.level for puzzle in made] == list(LEVELS)
    assert [puzzle.position.empties for puzzle in made] == [6, 8, 10, 12, 14]
    assert len({puzzle.position for puzzle in made}) == 5
    assert {puzzle.level for puzzle in make_puzzles(game("connect4"), 3, seed=1, level=1)} == {1}


def test_formats() -> None:
    puzzle = make_puzzle(game("othello"), seed=1, number=0, level=1)
    problem = read_problem(puzzle.to_obf())
    assert problem.position == puzzle.position
    assert problem.best == puzzle.line[:1]
    assert puzzle.to_json()["line"][0] == puzzle.position.move_name(puzzle.line[0])


def test_no_puzzles() -> None:
    with pytest.raises(SearchError, match="puzzles are for"):
        make_puzzle(game("connect4:9x10"), seed=1, number=0, level=1)
    with pytest.raises(SearchError, match="levels of puzzles"):
        make_puzzle(game("othello"), seed=1, number=0, level=6)


def test_cancelled() -> None:
    class Enough(Exception):
        pass

    def stop() -> None:
        raise Enough

    with pytest.raises(Enough):
        make_puzzle(game("othello"), seed=1, number=0, level=1, progress=stop)


def test_puzzles_in_games() -> None:
    """Every puzzle is a position of one of the games, once, and the same seed gives the same puzzles."""
    kind, chance = game("othello6"), Random(5)
    records = []
    for number in range(30):
        position, moves = kind.start(), []
        while not position.is_over:
            moves.append(chance.choice(position.legal_moves))
            position = position.play(moves[-1])
        records.append(GameRecord(kind.start(), tuple(moves), first=f"player {number}", event="cup"))
    other = GameRecord(game("othello").start())
    made = list(puzzles_in_games([*records, other], kind, seed=1, level=2))
    assert made
    assert made == list(puzzles_in_games([*records, other], kind, seed=1, level=2))
    assert len({puzzle.position for puzzle in made}) == len(made)
    assert [puzzle.number for puzzle in made] == list(range(len(made)))
    by_player = {record.first: record for record in records}
    for puzzle in made:
        record = by_player[puzzle.origin.split(" – ")[0]]
        assert puzzle.origin.endswith(", cup")
        assert puzzle.position in record.positions()
        assert puzzle.position.empties in (7, 8)
        assert [move for move, score in puzzle.scores.items() if score > 0] == [puzzle.line[0]]
        for move, score in puzzle.scores.items():
            assert (score_after(puzzle.position, move) > 0) == (score > 0)
    assert made[0].to_json()["origin"] == made[0].origin
    assert list(puzzles_in_games([other], kind, seed=1, level=2)) == []
