"""Games of a store in other programs' formats."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.run_event import run_event
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store
from flipdrop.arena.store.export import COLUMNS, as_record, as_table
from flipdrop.games.records import read_games, write_games
from tests.arena.events import event

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["othello", "connect4"])
def test_export(name: str, tmp_path: Path) -> None:
    of = event("random", "nobody.py:Agent", "greedy", game=name, openings="random:4", pairs=2)
    with Store(None) as store:
        number = store.event_id_for(of)
        run_event(of, store, ThreadRunner(1))
        (stored,) = store.events()
        played = list(store.games(number))
        rows = list(csv.DictReader(io.StringIO(as_table(store.games(number), stored))))
        records = [as_record(game, stored) for game in store.games(number)]
    assert tuple(rows[0]) == COLUMNS
    for game, row, record in zip(played, rows, records, strict=True):
        assert (int(row["number"]), int(row["result"]), int(row["margin"])) == (
            game.task.number,
            game.result,
            game.margin,
        )
        assert (row["first"], row["second"], int(row["seed"])) == (game.task.first, game.task.second, game.task.seed)
        assert record.moves == game.moves
        assert record.outcome == game.result
        assert bool(record.ending) == bool(game.termination)
    for suffix in (".ggf", ".txt") if name == "othello" else (".txt",):
        path = tmp_path / f"games{suffix}"
        write_games(path, records)
        read = read_games(path, game=of.task(0).opening.position.game)
        assert [record.moves for record in read] == [game.moves for game in played]
