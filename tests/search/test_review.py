"""Reviews of games: values, losses, graphs."""

from __future__ import annotations

from flipdrop import GameHistory, GameRecord, Othello, game, review
from flipdrop.search.book import shipped_book
from flipdrop.search.othello_book import OthelloBook


def test_a_lost_win_in_connect_four() -> None:
    """The centre wins for the first side; 1 is answered by a win of the second."""
    found = review("41", game="connect4", seconds=0.05)
    assert found.values == (1.0, 1.0, 1.0)
    assert found.moves[0].loss == 0
    lost = review("1", game="connect4", seconds=0.05)
    assert lost.values == (1.0, -1.0)
    assert [(one.move, one.best, one.mark) for one in lost.mistakes()] == [("1", "4", "??")]
    assert lost.moves[0].loss > 0.8  # a proven win became a proven loss
    assert "1. 1 by" in str(lost)


def test_discs_of_a_finished_game() -> None:
    start = game("othello4").start()
    moves: list[int] = []
    position = start
    while not position.is_over:
        moves.append(position.legal_moves[0])
        position = position.play(moves[-1])
    found = review(GameHistory.of(start, moves), seconds=10)  # a limit: the proofs take milliseconds
    assert len(found.values) == len(moves) + 1
    assert found.values[-1] == position.margin
    assert found.values[0] == -10  # white wins 4x4 Othello, two squares stay empty
    assert found.unit == "discs"


def test_records_and_progress() -> None:
    seen: list[tuple[int, int]] = []
    record = GameRecord.from_transcript(Othello(), "f5d6")
    found = review(record, seconds=0.01, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert len(found.values) == 3
    assert found.graph().startswith("<svg")


def test_a_game_without_moves() -> None:
    found = review("")
    assert (found.values, found.moves) == ((), ())
    assert "<svg" in found._repr_html_()


def test_the_book_values_the_opening() -> None:
    book = shipped_book(game("othello"))
    assert isinstance(book, OthelloBook)
    found = review("f5d6c3d3c4", seconds=0.001)
    for one, position, move in zip(found.moves, found.history.positions, found.history.moves, strict=False):
        values = book.move_values(position) or {}
        assert (one.value.number, one.best_value.number) == (values[move], max(values.values()))
    assert found.moves[1].mark == ""  # d6, the main line
