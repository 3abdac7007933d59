"""WTHOR databases."""

import re
import struct
from pathlib import Path

import pytest

from flipdrop import FlipdropError, Othello, RecordError
from flipdrop.games.records import read_games
from flipdrop.games.records.wthor import PLAYER_BYTES, TOURNAMENT_BYTES, read_names, read_wthor, read_wthor_file


def header(
    *, games: int = 0, names: int = 0, year: int = 1999, size: int = 8, kind: int = 0, empties: int = 24
) -> bytes:
    return struct.pack("<4B I H H 4B", 20, 24, 5, 1, games, names, year, size, kind, empties, 0)


def game(
    transcript: str = "f5d6c3", ids: tuple[int, int, int] = (0, 0, 1), scores: tuple[int, int] = (33, 30)
) -> bytes:
    squares = re.findall(r"([a-h])([1-8])", transcript)
    codes = bytes(10 * int(row) + ord(column) - ord("a") + 1 for column, row in squares)
    return struct.pack("<3H 2B 60s", *ids, *scores, codes)


def base(*games: bytes, **fields: int) -> bytes:
    return header(games=len(games), **fields) + b"".join(games)


def names(width: int, *entries: bytes) -> bytes:
    return header(names=len(entries)) + b"".join(entry.ljust(width, b"\0") for entry in entries)


PLAYERS = names(PLAYER_BYTES, b"Lovelace Ada", "Noël Émile".encode("latin-1"))
TOURNAMENTS = names(TOURNAMENT_BYTES, b"Somewhere Open")


def test_a_game_and_its_names() -> None:
    (record,) = read_wthor(base(game()), players=["Ada", "Grace"], tournaments=["Open"])
    assert record.start == Othello()
    assert record.transcript == "f5d6c3"
    assert (record.first, record.second, record.event, record.date) == ("Ada", "Grace", "Open", "1999")
    assert (record.score, record.theoretical_score, record.theoretical_empties) == (2, -4, 24)
    assert record.margin == Othello.from_transcript("f5d6c3").margin


def test_score_of_a_stopped_game() -> None:
    (record,) = read_wthor(base(game("f5d6c3", scores=(0, 64))))
    assert (record.score, record.theoretical_score) == (-64, 64)
    assert (record.margin, record.result, record.outcome) == (3, None, -1)


def test_without_names_there_are_numbers() -> None:
    (record,) = read_wthor(base(game(ids=(7, 0, 65535))), players=[""])
    assert (record.first, record.second, record.event) == ("#0", "#65535", "#7")


@pytest.mark.parametrize("size", [0, 8])
def test_board_sizes(size: int) -> None:
    assert [record.transcript for record in read_wthor(base(game("f5"), game(""), size=size))] == ["f5", ""]


def test_passes_are_implied() -> None:
    line = "d3c3e6d2d1e1b2c1a3"  # the last two are both white's
    (record,) = read_wthor(base(game(line)))
    assert record.transcript == line
    assert [number for number, move in enumerate(record.moves) if move == 64] == [8]


def test_names() -> None:
    assert read_names(PLAYERS, PLAYER_BYTES) == ["Lovelace Ada", "Noël Émile"]
    assert read_names(names(PLAYER_BYTES, b"x" * 20, b"a\0junk"), PLAYER_BYTES) == ["x" * 20, "a"]
    assert read_names(header(), TOURNAMENT_BYTES) == []


@pytest.mark.parametrize(
    ("jou", "trn"),
    [("WTH.JOU", "WTH.TRN"), ("wth.jou", "Wth.Trn"), ("games.jou", "GAMES.TRN")],
)
def test_name_files_in_any_case(tmp_path: Path, jou: str, trn: str) -> None:
    (tmp_path / "Games.wtb").write_bytes(base(game()))
    (tmp_path / jou).write_bytes(PLAYERS)
    (tmp_path / trn).write_bytes(TOURNAMENTS)
    (record,) = read_games(tmp_path / "Games.wtb")
    assert (record.first, record.second, record.event) == ("Lovelace Ada", "Noël Émile", "Somewhere Open")


def test_order_of_name_files(tmp_path: Path) -> None:
    path = tmp_path / "games.WTB"
    path.write_bytes(base(game()))
    for name, player in (("wth.jou", b"general"), ("games.jou", b"own"), ("other.jou", b"given")):
        (tmp_path / name).write_bytes(names(PLAYER_BYTES, player))
    assert [record.first for record in read_games(path)] == ["own"]
    (record,) = read_wthor_file(path, players=tmp_path / "other.jou")
    assert (record.first, record.second, record.event) == ("given", "#1", "#0")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes, ''; a WTHOR file begins with a header of 16"),
        (b"short", "5 bytes, '73 68 6f 72 74'; a WTHOR file begins with a header of 16"),
        (base(game())[:-1], "83 bytes, but the header says 1 games, which take 84"),
        (base(game()) + b"x", "85 bytes, but the header says 1 games, which take 84"),
        (header(games=2**32 - 1), "16 bytes, but the header says 4294967295 games"),
        (base(size=10), "the board's size is 10 (byte 12)"),
        (base(kind=1), "the type of the file is 1 (byte 13)"),
        (base(game(), game("f5f5")), "game 2: move 2 of the transcript, after 'f5': f5 for white; legal: f4 d6 f6"),
        (base(game(scores=(65, 0))), "game 1: the score is 65 discs for black; it can be 0 to 64"),
        (base(game(scores=(0, 255))), "game 1: the theoretical score is 255 discs for black"),
        (base(game()[:8] + bytes([56, 64, 99]) + bytes(57)), "game 1: move 3 is the byte 99; a square is 10 * row"),
        (base(game()[:8] + bytes([56, 0, 64]) + bytes(57)), "game 1: move 2 is the byte 0; a square is"),
        (base(game()[:8] + bytes([59]) + bytes(59)), "game 1: move 1 is the byte 59"),
    ],
)
def test_errors(data: bytes, message: str) -> None:
    with pytest.raises(FlipdropError) as caught:
        list(read_wthor(data))
    assert message in str(caught.value)


@pytest.mark.parametrize("data", [b"", PLAYERS[:-1], PLAYERS + b"x", header(names=65535), TOURNAMENTS])
def test_names_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"^\d+ bytes, "):
        read_names(data, PLAYER_BYTES)


@pytest.mark.parametrize(("bad", "data"), [("games.wtb", b"x"), ("WTH.JOU", b"y"), ("WTH.TRN", b"z")])
def test_errors_name_the_file(tmp_path: Path, bad: str, data: bytes) -> None:
    for name, content in (("games.wtb", base(game())), ("WTH.JOU", PLAYERS), ("WTH.TRN", TOURNAMENTS), (bad, data)):
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RecordError, match=rf"{re.escape(bad)}: 1 bytes, '{data.hex()}'"):
        read_games(tmp_path / "games.wtb")
