"""Animated GIFs, read by Pillow."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from flipdrop import game
from flipdrop.games.animation import _frame, animated_gif
from flipdrop.games.drawings import CONNECT_FOUR, OTHELLO

if TYPE_CHECKING:
    from flipdrop.games import Position

CELL, MARGIN = 20, 10


def frames(data: bytes) -> list[np.ndarray]:
    """Every frame as it is seen, in RGB."""
    with Image.open(io.BytesIO(data)) as image:
        found = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append(np.asarray(image.convert("RGB")).astype(int))
        return found


def marks(picture: np.ndarray, name: str) -> str:
    """The cells of a picture, by the colour between the middle of a cell, which may be marked, and its edge."""
    kind = game(name)
    colours = (OTHELLO if kind.family == "othello" else CONNECT_FOUR).discs
    found = []
    for row in range(kind.rows):
        for column in range(kind.columns):
            seen = picture[MARGIN + row * CELL + CELL // 2, MARGIN + column * CELL + CELL // 4]
            distances = {
                mark: np.abs(seen - np.array(list(bytes.fromhex(colour[1:])))).sum() for mark, colour in colours.items()
            }
            mark = min(distances, key=lambda mark: distances[mark])
            found.append(mark if distances[mark] < 30 else "-")
    return "".join(found)


def random_moves(name: str, seed: int) -> list[int]:
    source, position, moves = random.Random(seed), game(name).start(), []
    while not position.is_over:
        moves.append(source.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("name", ["othello", "othello4", "connect4", "connect4:9x10,forbid=c3"])
def test_frames_show_the_game(name: str) -> None:
    start, moves = game(name).start(), random_moves(name, 3)
    boards = [start]
    position: Position = start
    for move in moves:
        before, position = position, position.play(move)
        boards += [position] * (position.cells != before.cells)
    seen = frames(animated_gif(start, moves, cell=CELL))
    assert len(seen) == len(boards)
    for picture, position in zip(seen, boards, strict=True):
        assert marks(picture, name) == position.cells.replace("#", "-")


def test_times_and_repetition() -> None:
    start = game("othello").start()
    with Image.open(io.BytesIO(animated_gif(start, [37, 43], seconds=0.5, last_seconds=2))) as image:
        assert image.info["loop"] == 0
        durations = []
        for number in range(3):
            image.seek(number)
            durations.append(image.info["duration"])
        assert durations == [500, 500, 2000]
        assert image.size == (8 * 40 + 2 * 19, 8 * 40 + 2 * 19)


@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 255), st.integers(0, 10**6))
def test_compression(height: int, width: int, colours: int, seed: int) -> None:
    """Random pictures fill the table of codes several times."""
    picture = np.random.default_rng(seed).integers(0, colours, (height, width), np.uint8)
    grey = bytes(value for value in range(256) for _ in range(3))
    size = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    data = b"GIF89a" + size + b"\xf7\0\0" + grey + _frame(picture, None, 10) + b"\x3b"
    (seen,) = frames(data)
    assert (seen[:, :, 0] == picture).all()
