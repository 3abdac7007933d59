"""Game records as values."""

import dataclasses
import doctest
import pickle
import subprocess
import sys

import pytest

import flipdrop.games.records.record
from flipdrop import ConnectFour, IllegalMove, Othello, RecordError
from flipdrop.games.records import GameRecord, MoveNote

PASSING = "---- -OXX -XX- XXXO O"  # white has nothing to capture; black takes a1, and the game is over


def test_properties() -> None:
    record = GameRecord.from_transcript(Othello(), "f5d6c3d3c4", first="Ada", second="Grace")
    assert record.game == Othello().game
    assert record.moves == (37, 43, 18, 19, 26)
    assert record.transcript == "f5d6c3d3c4"
    assert record.positions()[0] == Othello()
    assert record.positions()[-1] == record.final == Othello.from_transcript("f5d6c3d3c4")
    assert len(record.positions()) == 6
    assert record.margin == record.final.discs[0] - record.final.discs[1]
    assert (record.result, record.outcome) == (None, None)


def test_result_of_a_finished_game() -> None:
    wiped_out = GameRecord.from_transcript(Othello(), "e6f4e3f6g5d6e7f5c5")
    assert wiped_out.final.discs == (13, 0)
    assert (wiped_out.margin, wiped_out.result, wiped_out.outcome) == (64, 1, 1)

    line_of_four = GameRecord.from_transcript(ConnectFour(), "7172737")
    assert (line_of_four.margin, line_of_four.result) == (None, 1)


@pytest.mark.parametrize(("score", "outcome"), [(None, None), (-64.0, -1), (0.0, 0), (2.5, 1)])
def test_outcome_by_the_score_of_the_file(score: float | None, outcome: int | None) -> None:
    record = GameRecord.from_transcript(Othello(), "f5", score=score, ending="t")
    assert record.result is None
    assert record.outcome == outcome


def test_outcome_by_the_board() -> None:
    assert GameRecord.from_transcript(Othello(), "e6f4e3f6g5d6e7f5c5", score=-64.0).outcome == 1


def test_passes_in_the_transcript() -> None:
    start = Othello(PASSING)
    record = GameRecord(start, (start.pass_move,))
    assert record.transcript == "pass"
    assert GameRecord.from_transcript(start, record.transcript) == record
    longer = GameRecord(start, (start.pass_move, 0))
    assert longer.transcript == "a1"
    assert longer.final.is_over
    assert GameRecord.from_transcript(start, "a1") == longer


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ((0,), "move 1 of the game, at the start: a1 for black; legal: d3 c4 f5 e6"),
        ((37, 37), "move 2 of the game, after 'f5': f5 for white; legal: f4 d6 f6"),
        ((37, 64), "move 2 of the game, after 'f5': pass for white"),
        ((65,), "move 1 of the game is 65; a number from 0 to 64"),
        ((-1,), "move 1 of the game is -1;"),
        ((10**400,), "move 1 of the game is a huge number;"),
        (("f5",), "move 1 of the game is \"'f5'\";"),
        ((None,), "move 1 of the game is 'None';"),
    ],
)
def test_illegal_moves(moves: tuple[int, ...], message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GameRecord(Othello(), moves)
    assert message in str(caught.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1e15, 10**400])
def test_numbers_out_of_reason(number: float) -> None:
    for name in ("score", "first_rating", "second_rating", "theoretical_score", "theoretical_empties", "value"):
        with pytest.raises(RecordError, match=rf"^{name} .*smaller than 1e\+15"):
            GameRecord.from_transcript(Othello(), "f5", **{name: number})
    for note in ({"evaluation": number}, {"seconds": number}):
        with pytest.raises(RecordError, match="smaller than"):
            MoveNote(**note)


def test_notes_are_one_for_each_move_or_none() -> None:
    with pytest.raises(RecordError, match="1 notes for 2 moves"):
        GameRecord(Othello(), (37, 43), notes=(MoveNote(1.5),))
    silent = GameRecord(Othello(), (37, 43), notes=(MoveNote(), MoveNote()))
    assert silent == GameRecord(Othello(), (37, 43))
    assert GameRecord(Othello(), (37, 43), notes=(MoveNote(), MoveNote(1.0))) != silent


def test_a_record_is_a_value() -> None:
    record = GameRecord.from_transcript(Othello(size=6), "e4", first="Ada", tags=(("TI", "5"),))
    assert eval(repr(record), {"GameRecord": GameRecord, "Othello": Othello}) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert len({record, dataclasses.replace(record)}) == 1
    assert dataclasses.replace(record, moves=()).final == record.start
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.first = "Grace"  # type: ignore[misc]


def test_the_examples_in_the_documentation() -> None:
    tested = doctest.testmod(flipdrop.games.records.record)
    assert tested.attempted
    assert not tested.failed


def test_import_flipdrop_without_records() -> None:
    command = (
        "import sys, flipdrop; print(*(m for m in sys.modules if 'records' in m or 'numpy' in m or 'problems' in m))"
    )
    shown = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ""
