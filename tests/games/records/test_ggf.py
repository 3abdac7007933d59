"""GGF records."""

from typing import Any

import pytest

from flipdrop import ConnectFour, FlipdropError, Othello, RecordError
from flipdrop.games.records import GameRecord, MoveNote
from flipdrop.games.records.ggf import read_ggf, write_ggf

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
SERVER = (
    "(;GM[Othello]PC[GGS/os]DT[2024.05.01_20:15:00.UTC]PB[ada]PW[grace]RB[1850.20]RW[1790.00]TI[05:00//02:00]TY[8]"
    f"RE[+12.000]BO[{START}]B[F5//0.01]W[D6/1.20/3.00]B[c3/-2.5]W[d3];)"
)


def one(text: str) -> GameRecord:
    (record,) = read_ggf(text)
    return record


def test_a_game_as_the_server_writes_it() -> None:
    assert one(SERVER) == GameRecord.from_transcript(
        Othello(),
        "f5d6c3d3",
        first="ada",
        second="grace",
        first_rating=1850.2,
        second_rating=1790,
        place="GGS/os",
        date="2024.05.01_20:15:00.UTC",
        score=12,
        notes=(MoveNote(None, 0.01), MoveNote(1.2, 3), MoveNote(-2.5), MoveNote()),
        tags=(("TI", "05:00//02:00"),),
    )


def test_written_as_the_server_writes() -> None:
    written = SERVER.replace("B[c3/-2.5]W[d3]", "B[C3/-2.50]W[D3]") + "\n"
    assert write_ggf(read_ggf(SERVER)) == written


@pytest.mark.parametrize(
    ("board", "transcript"),
    [
        ("4 -----O*--*O----- *", "b1"),
        ("6 ------ ------ --O*-- --*O-- ------ ------ *", "e4"),
        ("8 -------- -------- --OOO*-- -O*OO*-- --O*OO-- --O***-- --O*---- -------- O", "b5"),
        ("8\n---------------------------OX------XO---------------------------\nX", "f5"),
    ],
)
def test_boards(board: str, transcript: str) -> None:
    side = "BW"[board[-1] == "O"]
    record = one(f"(;GM[Othello]BO[{board}]{side}[{transcript}];)")
    size, squares = board.split(None, 1)
    assert record.start == Othello(squares, size=int(size))
    assert record.transcript == transcript
    assert one(write_ggf([record])) == record


@pytest.mark.parametrize(("kind", "size"), [("TY[6]", 6), ("TY[s4r8]", 4), ("TY[8kr]", 8), ("TY[]", 8), ("", 8)])
def test_size_from_the_type(kind: str, size: int) -> None:
    record = one(f"(;GM[Othello]{kind};)")
    assert record.start == Othello(size=size)
    assert one(write_ggf([record])) == record


def test_numbered_games() -> None:
    text = f"\n1 {SERVER}\r\n2 (;GM[Othello];)\n(;gm[othello]b[f5] W [d6] ; )"
    assert [record.transcript for record in read_ggf(text)] == ["f5d6c3d3", "", "f5d6"]
    assert list(read_ggf(" \n ")) == []
    assert write_ggf([]) == ""


def test_values_hold_brackets_and_backslashes() -> None:
    record = one(r"(;GM[Othello]PB[a\]b\\]PW[c\d[]EV[two" + "\nlines];)")
    assert (record.first, record.second, record.event) == ("a]b\\", "c\\d[", "two\nlines")
    assert one(write_ggf([record])) == record


def test_other_tags_are_kept_in_order() -> None:
    record = one("(;GM[Othello]TI[5]KB[e6//0.90]XX[]XX[again]B[f5]TY[8k]KM[-0.500];)")
    assert record.tags == (
        ("TI", "5"),
        ("KB", "e6//0.90"),
        ("XX", ""),
        ("XX", "again"),
        ("TY", "8k"),
        ("KM", "-0.500"),
    )
    assert one(write_ggf([record])) == record


@pytest.mark.parametrize(
    ("text", "score", "ending"),
    [("+64.00:r", 64, "r"), ("-3", -3, ""), ("?", None, ""), ("", None, ""), ("?:t", None, "t"), (" 0.5 ", 0.5, "")],
)
def test_results(text: str, score: float | None, ending: str) -> None:
    record = one(f"(;GM[Othello]RE[{text}];)")
    assert (record.score, record.ending) == (score, ending)
    assert one(write_ggf([record])) == record


PASSING = "4 ---- -O** -**- ***O O"  # white has nothing to capture; black takes a1, and the game is over


@pytest.mark.parametrize("moves", ["W[PA]B[A1]", "W[pass/1.0]B[a1]", "W[--]B[A1]W[PA]", "B[A1]", "B[a1]W[PA]B[PA]"])
def test_passes(moves: str) -> None:
    record = one(f"(;GM[Othello]BO[{PASSING}]{moves};)")
    assert record.moves == (16, 0)
    assert record.final.is_over
    assert "W[PA" in write_ggf([record])
    assert one(write_ggf([record])) == record


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "game 1: expected '(;' and found 'hello'"),
        (SERVER + "x", "game 2: expected '(;' and found 'x'"),
        ("(;", "game 1: expected a tag such as PB[name], or ';)' to end the game, and found the end of the text"),
        ("(;GM[Othello]PB[x", "after GM[Othello] and found 'PB[x'; every '[' takes a ']'"),
        ("(;GM[Othello]PB[x\\];)", "after GM[Othello] and found 'PB[x"),
        (SERVER[:-1], "game 1: expected a tag"),
        ("(;PB[x];)", "game 1: the game is GM[]; it has to be GM[Othello]"),
        ("(;GM[Amazons];)", "game 1: the game is GM[Amazons]; it has to be GM[Othello]"),
        ("(;GM[Othello]PB[x]PB[y];)", "game 1: PB[x] and PB[y]; a game has one PB"),
        ("(;GM[Othello]BO[10 -- *];)", "BO[10 -- *]: the board's size is '10'; it can be 4, 6, 8"),
        ("(;GM[Othello]BO[];)", "BO[]: the board's size is ''; it can be 4, 6, 8"),
        ("(;GM[Othello]BO[8 ---- *];)", "BO[8 ---- *]: board '---- *': 5 marks"),
        ("(;GM[Othello]BO[8 -----O*--*O----- *];)", "which is not 8x8"),
        ("(;GM[Othello]BO[4 -----Oz--*O----- *];)", "'z' is no square"),
        ("(;GM[Othello]TY[14];)", "the board's size is '14'"),
        ("(;GM[Othello]TY[" + "9" * 5000 + "];)", "the board's size is '9999"),
        ("(;GM[Othello]RB[high];)", "RB[high]: 'high' is not a number"),
        ("(;GM[Othello]RW[1e999];)", "RW[1e999]: '1e999' is not a number"),
        ("(;GM[Othello]RE[" + "9" * 5000 + "];)", "is not a number; write one such as -3.25"),
        ("(;GM[Othello]RE[+2:a:b];)", "RE[+2:a:b]; a result is written RE[+12.000]"),
        ("(;GM[Othello]RE[nan];)", "'nan' is not a number"),
        ("(;GM[Othello]RE[1_0];)", "'1_0' is not a number"),
        ("(;GM[Othello]RE[٣];)", "'٣' is not a number"),
        ("(;GM[Othello]B[f5]W[e4];)", "game 1: move 2, W[e4]: e4 for white; legal: f4 d6 f6"),
        ("(;GM[Othello]B[f5]B[d6];)", "game 1: move 2, B[d6]: it is white's turn, whose moves are W[...]"),
        ("(;GM[Othello]B[PA];)", "move 1, B[PA]: pass for black"),
        ("(;GM[Othello]B[z9];)", "move 1, B[z9]: 'z9' is not a move"),
        ("(;GM[Othello]B[];)", "move 1, B[]: '' is not a move"),
        ("(;GM[Othello]B[f5/1/2/3];)", "move 1, B[f5/1/2/3]: a move is written square/evaluation/seconds"),
        ("(;GM[Othello]B[" + "f5" * 5000 + "];)", "a move is written square/evaluation/seconds"),
        ("(;GM[Othello]B[\ud800];)", "a move is written square/evaluation/seconds"),
        ("(;GM[Othello]B[f5//1:00];)", "move 1, B[f5//1:00]: '1:00' is not a number"),
    ],
)
def test_read_errors(text: str, message: str) -> None:
    with pytest.raises(FlipdropError) as caught:
        list(read_ggf(text))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_games_before_a_bad_one_are_read() -> None:
    games = read_ggf(SERVER + "(;GM[Othello]B[a1];)")
    assert next(games).first == "ada"
    with pytest.raises(FlipdropError, match=r"^game 2: move 1"):
        next(games)


def test_unclosed_brackets_take_no_time() -> None:
    for text in ("(;" + "A[" * 200_000, "(;" + "A" * 400_000, "(;A[" + "\\a" * 200_000, "(;" + "A[]" * 100_000):
        with pytest.raises(RecordError):
            list(read_ggf(text))


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"tags": (("PB", "x"),)}, "game 1: tag 'PB'; a tag is of capitals"),
        ({"tags": (("B", "f5"),)}, "game 1: tag 'B'; a tag is of capitals"),
        ({"tags": (("a b", "x"),)}, "game 1: tag 'a b'; a tag is of capitals"),
        ({"tags": (("TY", "8"), ("TY", "8"))}, "game 1: 2 tags TY; a game has one"),
        ({"ending": "a]"}, "game 1: ending 'a]'; in GGF it is a word"),
    ],
)
def test_write_errors(properties: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        write_ggf([GameRecord(Othello(), **properties)])
    assert message in str(caught.value)


def test_other_games_cannot_be_written() -> None:
    with pytest.raises(RecordError, match=r"^game 2: GGF holds games of Othello, not of Connect Four 7x6"):
        write_ggf([GameRecord(Othello()), GameRecord(ConnectFour())])
