"""Files of games by format."""

import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flipdrop import ConnectFour, Othello, RecordError, game
from flipdrop.games.records import FORMATS, GameRecord, decode_games, encode_games, format_of, read_games, write_games


def games() -> list[GameRecord]:
    return [GameRecord.from_transcript(Othello(), "f5d6"), GameRecord.from_transcript(Othello(), "f5f6e6")]


def broken() -> Iterator[GameRecord]:
    yield from games()
    raise RuntimeError("the player hung up")


def of_the_wrong_game() -> Iterator[GameRecord]:
    yield from games()
    yield GameRecord(ConnectFour())


def of_the_nameless() -> Iterator[GameRecord]:
    yield GameRecord(Othello(), first="\ud800")


@pytest.mark.parametrize("name", ["games.ggf", "games.txt", "games.GGF", "games.old.txt"])
def test_write_and_read_by_the_files_name(tmp_path: Path, name: str) -> None:
    write_games(tmp_path / name, games())
    assert read_games(tmp_path / name) == games()
    assert read_games(str(tmp_path / name), format=format_of(name)) == games()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_given_format_overrides_the_name(tmp_path: Path) -> None:
    write_games(tmp_path / "games.txt", games(), format="ggf")
    assert (tmp_path / "games.txt").read_bytes().startswith(b"(;GM[Othello]")
    assert read_games(tmp_path / "games.txt", format="ggf") == games()


def test_the_callers_game(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("4453 2\n")
    (record,) = read_games(tmp_path / "games.txt", game=game("connect4"))
    assert record == GameRecord.from_transcript(ConnectFour(), "4453", value=2)


def test_bytes_in_and_out() -> None:
    for name in ("ggf", "plain"):
        data = encode_games(iter(games()), name)
        assert decode_games(data, name) == games()
        assert decode_games(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), name) == games()


@pytest.mark.parametrize("name", ["games.pgn", "games", ".ggf", "Test_L3_R1"])
def test_unknown_names(name: str) -> None:
    known = r"formats are ggf \(\.ggf\), wthor \(\.wtb\), plain \(\.txt\)"
    writable = r"formats are ggf \(\.ggf\), plain \(\.txt\)"
    with pytest.raises(RecordError, match=f"^'{name}' has no known file name ending; {known}"):
        read_games(name)
    with pytest.raises(RecordError, match=writable):
        write_games(name, games())
    with pytest.raises(RecordError, match=f"^unknown format 'pgn'; {known}"):
        read_games(name, format="pgn")
    with pytest.raises(RecordError, match=known):
        decode_games(b"", "pgn")
    with pytest.raises(RecordError, match=writable):
        encode_games([], "pgn")


def test_empty_files(tmp_path: Path) -> None:
    for name, ending in FORMATS.items():
        path = tmp_path / f"empty{ending}"
        path.write_bytes(b"")
        if name == "wthor":
            with pytest.raises(RecordError, match=r"empty\.wtb: 0 bytes"):
                read_games(path)
        else:
            assert read_games(path) == []


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    for name in ("none.ggf", "none.wtb", "none.txt"):
        with pytest.raises(FileNotFoundError):
            read_games(tmp_path / name)


def test_errors_name_the_file_and_the_place(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(b"f5d6\nf5\xff\n")
    with pytest.raises(RecordError, match=r"games\.txt: line 2 is not UTF-8 at byte 7, near 'f5ÿ"):
        read_games(path)
    (tmp_path / "games.ggf").write_text("(;GM[Othello];)(;GM[Othello]PB[x;)")
    with pytest.raises(RecordError, match=r"games\.ggf: game 2: expected a tag"):
        read_games(tmp_path / "games.ggf")


def test_wthor_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"games\.wtb: WTHOR files can only be read; write ggf or plain"):
        write_games(tmp_path / "games.wtb", games())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("records", "error"),
    [(broken, RuntimeError), (of_the_wrong_game, RecordError), (of_the_nameless, RecordError)],
)
def test_failure_keeps_the_old_file(
    tmp_path: Path, records: Callable[[], Iterator[GameRecord]], error: type[Exception]
) -> None:
    path = tmp_path / "games.ggf"
    path.write_text("precious")
    with pytest.raises(error):
        write_games(path, records())
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError("no space left on device")

    path = tmp_path / "games.ggf"
    path.write_text("precious")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        write_games(path, games())
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    write_games(path, games())
    write_games(path, (record for record in read_games(path)[::-1]))
    assert read_games(path) == games()[::-1]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "games.txt", tmp_path / "link.txt"
    write_games(path, games())
    usual = tmp_path / "usual"
    usual.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    link.symlink_to(path)
    write_games(link, games()[:1])
    assert link.is_symlink()
    assert read_games(path) == games()[:1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.ggf"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_games(pipe, games())
    reader.join(timeout=10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert received == [encode_games(games(), "ggf")]
