from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop import GameRecord, LearningError, Othello, PlayerError, Store, analyse, game, match, solve, to_pandas
from flipdrop.batch import from_numpy
from flipdrop.games.records import write_games
from flipdrop.learning.dataset import Dataset, make_dataset, self_play_records

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return list(self_play_records("random", game("othello6"), 6, seed=3))


def test_games_do_not_depend_on_threads(records: list[GameRecord]) -> None:
    again = list(self_play_records("random", game("othello6"), 6, seed=3, threads=1))
    assert [record.moves for record in again] == [record.moves for record in records]
    assert all(record.final.is_over for record in records)


def test_results_are_those_of_the_games(records: list[GameRecord]) -> None:
    made = make_dataset(records)
    assert len(made) == sum(len(record.moves) for record in records)
    first = made.game_number == 0
    record = records[0]
    assert made.move[first].tolist() == list(record.moves)
    signs = np.where(made.to_move[first] == 0, 1, -1)
    assert (made.margin[first] == signs * (record.margin or 0)).all()
    assert (made.result[first] == signs * (record.result or 0)).all()
    assert (made.value == made.margin).all()
    assert (made.best == -1).all()
    boards = from_numpy(made.planes[:1], "othello6")
    assert boards[0].board == made.board[0]


def test_exact_labels(records: list[GameRecord]) -> None:
    made = make_dataset(records, label="exact", empties=(1, 6), threads=1)
    assert set(made.empties.tolist()) <= set(range(1, 7))
    assert made.proven.all()
    for board, value, best in zip(made.board[:10], made.value, made.best, strict=False):
        solution = solve(board, game="othello6")
        assert value == solution.score
        assert solution.score == -(solve(solution.position.play(int(best))).score or 0)


def test_labels_of_a_player(records: list[GameRecord]) -> None:
    made = make_dataset(records[:1], label="alphabeta:depth=2", threads=1)
    again = make_dataset(records[:1], label="alphabeta:depth=2", threads=2)
    np.testing.assert_array_equal(made.value, again.value)
    assert all(best in Othello(board).legal_moves for board, best in zip(made.board, made.best.tolist(), strict=True))


def test_policies_are_the_softmax_of_the_values(records: list[GameRecord]) -> None:
    made = make_dataset(records[:1], label="engine:depth=2", policy=2.0, threads=1)
    assert made.policy is not None
    assert made.policy.shape == (len(made), 37)
    np.testing.assert_allclose(made.policy.sum(1), 1, atol=0.01)
    for row in (0, 10, len(made) - 1):
        report = analyse(made.board[row], game="othello6", player="engine:depth=2")
        values = {m.move: report.value_of(m).shown for m in report.moves}
        total = sum(math.exp(value / 2) for value in values.values())
        wanted = [math.exp(values[move] / 2) / total if move in values else 0 for move in range(37)]
        np.testing.assert_allclose(made.policy[row], wanted, atol=0.002)
    for label in ("result", "exact"):
        with pytest.raises(LearningError, match="needs a player"):
            make_dataset(records[:1], label=label, policy=1.0)
    with pytest.raises(LearningError, match="temperature"):
        make_dataset(records[:1], label="engine:depth=2", policy=0.0)


def test_a_label_that_does_not_exist(records: list[GameRecord]) -> None:
    with pytest.raises(PlayerError, match="label 'exat': result, exact or a player that values moves; unknown player"):
        make_dataset(records[:1], label="exat")


def test_policies_in_files(records: list[GameRecord], tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    made = make_dataset(records[:1], label="engine:depth=1", policy=1.0, threads=1)
    assert made.policy is not None
    made.write(tmp_path / "set.npz")
    with np.load(tmp_path / "set.npz") as stored:
        np.testing.assert_array_equal(stored["policy"], made.policy)
    made.write(tmp_path / "set.parquet")
    rows = parquet.read_table(tmp_path / "set.parquet").column("policy").to_pylist()
    np.testing.assert_array_equal(np.array(rows, np.float16), made.policy)
    np.testing.assert_array_equal(made.to_pandas()["policy"][0], made.policy[0])


def test_unique_positions(records: list[GameRecord]) -> None:
    twice = [*records, *records]
    assert len(make_dataset(twice, unique=True)) == len(set(make_dataset(records).board))


def test_files(records: list[GameRecord], tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    made = make_dataset(records)
    made.write(tmp_path / "set.npz")
    with np.load(tmp_path / "set.npz") as stored:
        assert str(stored["game_name"]) == "othello6"
        np.testing.assert_array_equal(stored["planes"], made.planes)
        np.testing.assert_array_equal(stored["value"], made.value)
    made.write(tmp_path / "set.parquet")
    table = parquet.read_table(tmp_path / "set.parquet")
    assert table.schema.metadata[b"game"] == b"othello6"
    assert table.column_names == list(made.columns())
    assert table.column("board").to_pylist() == list(made.board)
    assert made.to_pandas()["margin"].tolist() == made.margin.tolist()


def test_games_as_tables(records: list[GameRecord], tmp_path: Path) -> None:
    frame = to_pandas(records)
    assert frame["margin"].tolist() == [record.margin for record in records]
    write_games(tmp_path / "games.ggf", records)
    assert to_pandas(tmp_path / "games.ggf")["moves"].tolist() == frame["moves"].tolist()
    with Store(None) as store:
        match("random", "greedy", game="connect4", games=4, seed=1, store=store)
        played = to_pandas(store)
    assert played["first"].tolist() == ["random", "greedy", "random", "greedy"]
    assert set(played["result"]) <= {-1, 0, 1}


def test_errors(records: list[GameRecord], tmp_path: Path) -> None:
    with pytest.raises(LearningError, match=r"ends in \.npz or \.parquet"):
        make_dataset(records).write(tmp_path / "set.csv")
    with pytest.raises(LearningError, match="positions of one board"):
        make_dataset([*records, GameRecord.from_transcript(Othello(), "f5", score=1)])
    with pytest.raises(LearningError, match="no positions"):
        make_dataset(records, empties=(50, 60))
    with pytest.raises(PlayerError, match="cannot say how good moves are"):
        make_dataset(records, label="random")
    assert isinstance(make_dataset(records), Dataset)
