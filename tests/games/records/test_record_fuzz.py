"""Fuzzing: for any bytes a reader returns records or raises a `FlipdropError`."""

import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import FlipdropError, game
from flipdrop.games.problems import read_problem
from flipdrop.games.records import decode_games
from flipdrop.games.records.ggf import read_ggf
from flipdrop.games.records.plain import read_plain
from flipdrop.games.records.wthor import PLAYER_BYTES, read_names

GGF = (
    rb"3 (;GM[Othello]PC[GGS/os]DT[2024]PB[a\]da]PW[grace]RB[1850.20]RW[1790]TI[05:00//02:00]TY[4]RE[+12.000:r]"
    b"BO[4 ---- -O*- -*O- ---- *]B[B1//0.01]W[A1/1.20/3.00]B[a2/-2.5];)\n(;GM[Othello]B[f5]W[PA];)\n"
)
PLAIN = b"# game: othello6\ne4 c5\n\n# game: connect4:9x10,forbid=c3\n4453 -12\n-\n# a comment\n"
WTHOR = struct.pack("<4BIHH4B", 20, 24, 5, 1, 2, 0, 1999, 8, 0, 24, 0) + 2 * struct.pack(
    "<3H2B60s", 1, 2, 3, 33, 30, bytes([56, 64, 33, 34, 43])
)
NAMES = struct.pack("<4BIHH4B", 20, 24, 5, 1, 0, 2, 0, 0, 0, 0, 0) + b"Ada".ljust(20, b"\0") + b"Grace".ljust(20, b"\0")
PROBLEM = b"-----OX--XO----- X; B1:+8; A2:-8; % the start"

READERS: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    "ggf": (lambda data: decode_games(data, "ggf"), GGF),
    "plain": (lambda data: decode_games(data, "plain"), PLAIN),
    "plain connect four": (lambda data: decode_games(data, "plain", game=game("connect4")), b"4453\n2252 -1\n"),
    "wthor": (lambda data: decode_games(data, "wthor"), WTHOR),
    "names": (lambda data: read_names(data, PLAYER_BYTES), NAMES),
    "problem": (lambda data: read_problem(data.decode("latin-1")), PROBLEM),
}
TEXT_READERS: dict[str, Callable[[str], object]] = {
    "ggf": lambda text: list(read_ggf(text)),
    "plain": lambda text: list(read_plain(text)),
    "plain connect four": lambda text: list(read_plain(text, game("connect4"))),
    "problem": read_problem,
}

fuzzed = settings(max_examples=250)
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), st.binary(max_size=6)), min_size=1, max_size=6)
texts = st.text(st.characters(), max_size=80)  # lone surrogates as well


def mutated(data: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    """`data` with some pieces, at places from 0 (the start) to 1 (the end), replaced by others."""
    for place, length, new in changes:
        at = int(place * len(data))
        data = data[:at] + new + data[at + length :]
    return data


def flipped(data: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    """`data` with some bytes changed and its length kept, so that the checks of lengths do not stop it."""
    result = bytearray(data)
    for place, _, new in changes:
        for i, byte in enumerate(new):
            result[(int(place * len(data)) + i) % len(data)] = byte
    return bytes(result)


def survives(read: Callable[[], object]) -> None:
    try:
        read()
    except FlipdropError as error:
        message = str(error)
    else:
        return
    assert 0 < len(message) < 1000


@pytest.mark.parametrize("name", READERS)
def test_samples_with_one_wrong_move(name: str) -> None:
    read, sample = READERS[name]
    if name == "ggf":  # it ends with an illegal pass, so that errors deep in a file are met too
        with pytest.raises(FlipdropError, match=r"^game 2: move 2, W\[PA\]: pass for white"):
            read(sample)
        sample = sample.replace(b"W[PA]", b"")
    assert read(sample)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@fuzzed
@given(data=st.binary(max_size=200))
def test_any_bytes(name: str, data: bytes) -> None:
    survives(lambda: READERS[name][0](data))


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@fuzzed
@given(changes=edits)
def test_valid_bytes_with_changes(name: str, changes: list[tuple[float, int, bytes]]) -> None:
    read, sample = READERS[name]
    survives(lambda: read(mutated(sample, changes)))
    survives(lambda: read(flipped(sample, changes)))


@pytest.mark.parametrize("name", READERS)
def test_every_way_to_cut_a_file(name: str) -> None:
    read, sample = READERS[name]
    for length in range(len(sample)):
        survives(lambda length=length: read(sample[:length]))  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXT_READERS)
@fuzzed
@given(text=texts)
def test_any_text(name: str, text: str) -> None:
    survives(lambda: TEXT_READERS[name](text))


words = st.sampled_from(["f5", "PA", "D6/1/2", "8", "+2:r", "?", "8 ---", "4 -----O*--*O----- *", "1e999", "Othello"])


@pytest.mark.slow
@fuzzed
@given(
    st.lists(
        st.tuples(st.sampled_from(["GM", "TY", "RE", "BO", "B", "W", "RB", "PB", "DT", "XX"]), words | texts),
        max_size=6,
    )
)
def test_any_tags(tags: list[tuple[str, str]]) -> None:
    text = "".join(f"{tag}[{value}]" for tag, value in tags)
    survives(lambda: list(read_ggf(f"(;GM[Othello]{text};)")))


@pytest.mark.slow
@fuzzed
@given(st.sampled_from(["othello", "connect4", "connect4:5x5", "?"]), st.lists(words | texts, max_size=3), texts)
def test_any_lines(name: str, parts: list[str], end: str) -> None:
    survives(lambda: list(read_plain(f"# game: {name}\n{' '.join(parts)}\n{end}")))


@fuzzed
@given(st.lists(st.tuples(words | texts, st.integers() | texts), max_size=3), texts)
def test_any_scores(entries: list[tuple[str, int | str]], comment: str) -> None:
    text = "; ".join(f"{move}:{score}" for move, score in entries)
    survives(lambda: read_problem(f"-----OX--XO----- X; {text} % {comment}"))
