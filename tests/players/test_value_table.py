"""Tables as players: files, moves, and files of another kind."""

from __future__ import annotations

import dataclasses
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.errors import FlipdropError, ModelError, PlayerError
from flipdrop.games import ConnectFourGame, OthelloGame, game
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players import analyse_with, checked_move, player
from flipdrop.players.learned import reward_of
from flipdrop.players.value_table import (
    TablePlayer,
    ValueTable,
    canonical,
    code_of,
    symmetries_of,
)
from tests.players.examples import PASSES
from tests.strategies import random_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.players.value_table import Holds
    from tests.strategies import AnyGame, AnyPosition

GAMES: list[AnyGame] = [OthelloGame(4), ConnectFourGame(4, 4), ConnectFourGame(4, 4, "b2")]
KIND = "table of learned values"


def entry_value(code: int, n: int) -> float:
    """A value for anything, always the same."""
    return random.Random(f"{code} {n}").uniform(-1, 1)


def table_of(of: AnyGame, holds: Holds, *, symmetric: bool = True, games: int = 40, seed: int = 0) -> ValueTable:
    """A table that knows the positions of some random games, and values each."""
    source = random.Random(seed)
    symmetries = symmetries_of(of) if symmetric else (0,)
    entries: dict[int, list[float]] = {}
    for _ in range(games):
        for position in random_line(of, source)[:-1]:
            code, _, image = canonical(position, symmetries)
            entries[code] = [entry_value(code, n) for n in range(len(image.legal_moves) if holds == "moves" else 1)]
    codes = sorted(entries)
    lengths = [len(entries[code]) for code in codes]
    return ValueTable(
        game=of,
        holds=holds,
        reward="margin",
        symmetric=symmetric,
        discount=0.9,
        initial=0.125,
        codes=np.array(codes, dtype=np.int64),
        values=np.array([value for code in codes for value in entries[code]]),
        first=np.concatenate([[0], np.cumsum(lengths)]),
        made={"by": "a test"},
    )


def wanted(table: ValueTable, position: AnyPosition) -> dict[int, float]:
    """The value of each move, by going through all mirror images."""
    known = dict(zip(table.codes.tolist(), range(len(table)), strict=True))
    symmetries = symmetries_of(table.game) if table.symmetric else (0,)
    if table.holds == "moves":
        symmetry = min(symmetries, key=lambda n: code_of(position.transformed(n)))
        image = position.transformed(symmetry)
        code = code_of(image)
        return {
            move: entry_value(code, image.legal_moves.index(position.transformed_move(move, symmetry)))
            if code in known
            else table.initial
            for move in position.legal_moves
        }
    values = {}
    for move in position.legal_moves:
        after = position.play(move)
        code = min(code_of(after.transformed(symmetry)) for symmetry in symmetries)
        if after.is_over:
            values[move] = -reward_of(table.game, after.final_score, table.reward)
        else:
            values[move] = -0.9 * (entry_value(code, 0) if code in known else table.initial)
    return values


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("holds", ["moves", "positions"])
@pytest.mark.parametrize("of", GAMES, ids=lambda of: of.name)
def test_highest_value_is_played(of: AnyGame, holds: Holds, symmetric: bool) -> None:
    table = table_of(of, holds, symmetric=symmetric)
    asked = TablePlayer(values=table)
    source = random.Random(5)
    met = 0
    for _ in range(10):
        for position in random_line(of, source)[:-1]:
            values = wanted(table, position)
            found = table.move_values(position)
            assert found == pytest.approx(values)
            move = checked_move(asked, position)
            assert values[move] == max(values.values())
            report = analyse_with(asked, position)
            assert (report.best, report.value) == (move, max(values.values()))
            assert [m.value for m in report.moves] == sorted(values.values(), reverse=True)
            met += len(set(values.values())) > 1
    assert met > 10  # there was something to choose from


@pytest.mark.parametrize("holds", ["moves", "positions"])
def test_mirror_images_are_played_alike(holds: Holds) -> None:
    asked = TablePlayer(values=table_of(OthelloGame(4), holds))
    for position in random_line(OthelloGame(4), random.Random(3))[:-1]:
        after = position.play(asked.choose(position))
        for symmetry in range(position.symmetries):
            image = position.transformed(symmetry)
            answer = image.play(asked.choose(image))
            assert canonical(answer, tuple(range(8)))[0] == canonical(after, tuple(range(8)))[0]


@pytest.mark.parametrize("of", GAMES, ids=lambda of: of.name)
def test_a_file_holds_everything(of: AnyGame, tmp_path: Path) -> None:
    table = table_of(of, "moves")
    path = tmp_path / "my.table"
    table.write(path)
    again = ValueTable.read(path)
    for field in dataclasses.fields(ValueTable):
        assert np.array_equal(getattr(again, field.name), getattr(table, field.name)), field.name
    made = player(f"table:model={path}", game=of)
    assert made.spec == made.name == f"table:model={path}"
    assert player(made.spec) == made
    for position in random_line(of, random.Random(1))[:-1]:
        assert made.choose(position) == TablePlayer(values=table).choose(position)


def test_an_empty_table_plays_the_first_move(tmp_path: Path) -> None:
    start = OthelloGame(4).start()
    table_of(OthelloGame(4), "positions", games=0).write(tmp_path / "empty.table")
    empty = player(f"table:model={tmp_path / 'empty.table'}")
    assert empty.choose(start) in start.legal_moves


def test_passes_finished_games_and_other_games() -> None:
    asked = TablePlayer(values=table_of(OthelloGame(4), "moves"))
    passing = next(position for position in PASSES if position.game == OthelloGame(4))
    assert asked.choose(passing) == passing.pass_move
    over = random_line(OthelloGame(4), random.Random(1))[-1]
    for question in (asked.choose, asked.report):
        with pytest.raises(PlayerError, match="game is over"):
            question(over)
    with pytest.raises(PlayerError, match="table is one of Othello 4x4, and the position one of Connect Four 7x6"):
        asked.choose(game("connect4").start())


def test_specs_that_name_no_table(tmp_path: Path) -> None:
    path = tmp_path / "my.table"
    table_of(OthelloGame(4), "moves").write(path)
    with pytest.raises(PlayerError, match="was learned for Othello 4x4, not for Othello 8x8"):
        player(f"table:model={path}", game="othello")
    with pytest.raises(PlayerError, match=r"plays from a file: table:model=my\.table"):
        player("table")
    with pytest.raises(PlayerError, match="No such file"):
        player(f"table:model={tmp_path / 'none.table'}")
    with pytest.raises(PlayerError, match="Is a directory"):
        player(f"table:model={tmp_path}")
    with pytest.raises(PlayerError, match="files are not read here"):
        player(f"table:model={path}", allow_code=False)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.table"
    table_of(OthelloGame(4), "moves", games=3).write(path)
    data = path.read_bytes()
    source = random.Random(1)
    refused = 0
    for n in range(60):
        broken = bytearray(data)
        if n % 2:
            del broken[source.randrange(len(data)) :]
        else:
            broken[source.randrange(len(data))] ^= 1 << source.randrange(8)
        path.write_bytes(broken)
        try:
            table = ValueTable.read(path)
        except ModelError:
            refused += 1
        else:  # a bit that means nothing, such as a date in the archive
            assert table.made == {"by": "a test"}
    assert refused > 40
    path.write_bytes(b"")
    with pytest.raises(ModelError, match="damaged"):
        ValueTable.read(path)


def _changed(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def change(facts: dict[str, Any], arrays: dict[str, Any]) -> None:
        (arrays if name in arrays else facts)[name] = value

    return change


def _without(name: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def change(facts: dict[str, Any], arrays: dict[str, Any]) -> None:
        facts.pop(name, None)
        arrays.pop(name, None)

    return change


@pytest.mark.parametrize(
    "change",
    [
        _changed("game", "chess"),
        _changed("game", 4),
        _changed("holds", "stones"),
        _changed("reward", "fame"),
        _changed("symmetric", 1),
        _changed("discount", "all"),
        _changed("initial", None),
        _changed("speed", 3),
        _changed("codes", np.zeros(5, dtype=np.int64)),
        _changed("codes", np.zeros((2, 2))),
        _changed("values", np.zeros(3)),
        _changed("lengths", np.zeros(3, dtype=np.uint8)),
        *map(_without, ("game", "holds", "discount", "codes", "values", "lengths")),
    ],
)
def test_valid_files_that_are_no_tables(
    tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]
) -> None:
    path = tmp_path / "my.table"
    table_of(OthelloGame(4), "moves", games=3).write(path)
    facts, arrays = read_model_file(path, KIND)
    change(facts, arrays)
    write_model_file(path, KIND, facts, arrays)
    with pytest.raises(ModelError, match=r"my\.table: not a valid table"):
        ValueTable.read(path)


def test_other_files_and_wrong_lengths(tmp_path: Path) -> None:
    path = tmp_path / "my.table"
    write_model_file(path, "checkpoint", {}, {})
    with pytest.raises(ModelError, match="is a checkpoint; a table of learned values is needed"):
        ValueTable.read(path)
    of = OthelloGame(4)
    code = canonical(of.start(), symmetries_of(of))[0]
    short = dataclasses.replace(
        table_of(of, "moves", games=0),
        codes=np.array([code]),
        values=np.zeros(2),
        first=np.array([0, 2]),
    )
    with pytest.raises(FlipdropError, match="2 values for a position that needs 4"):
        TablePlayer(values=short).choose(of.start())
