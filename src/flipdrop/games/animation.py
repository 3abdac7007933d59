"""A game as an animated GIF: a frame for each move, in the colours of the drawings.

The pictures are painted with NumPy, larger than they are shown and then reduced, so that discs have smooth edges. A
frame holds the part of the board that a move changes; the format is GIF89a with one palette for all frames.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.games.drawings import CELL, MARGIN, Palette, Scene, scene_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from flipdrop.games.position import Position

_SCALE = 4  # pixels of the painting for each one of the picture, in both directions
_PAPER, _INK = "#fbfaf7", "#5b6066"
_MAX_COLOURS = 255  # of a frame, beside the transparent one
_TRANSPARENT = 255
_CODE_BITS = 8
_MAX_CODES = 4096
# Letters and digits of 5 x 7 pixels: a number for each row, whose highest bit is the leftmost pixel.
_GLYPHS = {
    "a": (0, 0, 14, 1, 15, 17, 15),
    "b": (16, 16, 30, 17, 17, 17, 30),
    "c": (0, 0, 14, 17, 16, 17, 14),
    "d": (1, 1, 15, 17, 17, 17, 15),
    "e": (0, 0, 14, 17, 31, 16, 14),
    "f": (6, 8, 28, 8, 8, 8, 8),
    "g": (0, 15, 17, 17, 15, 1, 14),
    "h": (16, 16, 30, 17, 17, 17, 17),
    "0": (14, 17, 19, 21, 25, 17, 14),
    "1": (4, 12, 4, 4, 4, 4, 14),
    "2": (14, 17, 1, 2, 4, 8, 31),
    "3": (14, 17, 1, 6, 1, 17, 14),
    "4": (2, 6, 10, 18, 31, 2, 2),
    "5": (31, 16, 30, 1, 1, 17, 14),
    "6": (6, 8, 16, 30, 17, 17, 14),
    "7": (31, 1, 2, 4, 8, 8, 8),
    "8": (14, 17, 17, 14, 17, 17, 14),
    "9": (14, 17, 17, 15, 1, 2, 12),
}


def animated_gif(
    start: Position,
    moves: Sequence[int],
    *,
    cell: int = 40,
    seconds: float = 0.8,
    last_seconds: float = 3.0,
) -> bytes:
    """The game as a GIF that repeats for ever.

    :param cell: width of a cell in pixels
    :param seconds: that each position is shown
    :param last_seconds: that the last position is shown
    """
    scenes = list(_scenes(start, moves))
    painter = _Painter(scenes[0], cell)
    pictures = [painter.picture(scene) for scene in scenes]
    palette, indexed = _indexed(pictures)
    times = [round(100 * seconds)] * (len(indexed) - 1) + [round(100 * last_seconds)]
    height, width = indexed[0].shape
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF0 | (_CODE_BITS - 1), 0, 0), palette.tobytes()]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")  # repeat for ever
    before: NDArray[np.uint8] | None = None
    for image, time in zip(indexed, times, strict=True):
        parts.append(_frame(image, before, time))
        before = image
    return b"".join([*parts, b"\x3b"])


def _scenes(start: Position, moves: Sequence[int]) -> Iterator[Scene]:
    """The board before the game and after every move that changes it."""
    yield scene_of(start)
    position = start
    for move in moves:
        before, position = position, position.play(move)
        if position.cells != before.cells:  # not a pass
            yield scene_of(position, last_move=move)


class _Painter:
    """Pictures of one game's boards as arrays of RGB.

    :param scene: any board of the game
    :param cell: width of a cell in pixels
    """

    def __init__(self, scene: Scene, cell: int) -> None:
        self._game = scene.game
        self._palette = scene.palette
        self._cell = cell
        self._margin = round(MARGIN * cell / CELL)
        self._cells: dict[tuple[str, bool, bool], NDArray[np.uint8]] = {}
        self._empty = self._frame(scene)

    def picture(self, scene: Scene) -> NDArray[np.uint8]:
        found = self._empty.copy()
        for index, mark in enumerate(scene.cells):
            row, column = divmod(index, self._game.columns)
            top, left = (self._margin + self._cell * place for place in (row, column))
            found[top : top + self._cell, left : left + self._cell] = self._cell_picture(
                mark, index == scene.last, index in scene.line
            )
        return found

    def _frame(self, scene: Scene) -> NDArray[np.uint8]:
        """The margins with the names of rows and columns."""
        columns, rows, margin, cell = self._game.columns, self._game.rows, self._margin, self._cell
        found = np.empty((rows * cell + 2 * margin, columns * cell + 2 * margin, 3), np.uint8)
        found[:] = _rgb(_PAPER)
        for column, name in enumerate(scene.column_names):
            for y in (margin // 2, found.shape[0] - margin // 2 - 1):
                _write(found, name, margin + column * cell + cell // 2, y)
        for row, name in enumerate(scene.row_names):
            for x in (margin // 2, found.shape[1] - margin // 2 - 1):
                _write(found, name, x, margin + row * cell + cell // 2)
        return found

    def _cell_picture(self, mark: str, is_last: bool, is_winning: bool) -> NDArray[np.uint8]:
        key = mark, is_last, is_winning
        if key not in self._cells:
            self._cells[key] = _paint_cell(self._palette, self._cell, *key)
        return self._cells[key]


def _paint_cell(palette: Palette, cell: int, mark: str, is_last: bool, is_winning: bool) -> NDArray[np.uint8]:
    size = cell * _SCALE
    unit = size / CELL  # of the drawings
    y, x = np.mgrid[:size, :size] + 0.5 - size / 2
    distance = np.hypot(x, y)
    large = np.empty((size, size, 3))
    large[:] = _rgb(palette.board)

    def fill(where: NDArray[np.bool_], colour: str) -> None:
        large[where] = _rgb(colour)

    if palette.hole is None:  # lines between the cells
        for place in (x, y):
            fill(np.abs(place) > size / 2 - 0.75 * unit, palette.grid)
    radius = 0.4 * CELL * unit
    if mark in palette.discs:
        rim = "#ffffff" if is_winning else palette.rims[mark]
        stroke = (4 if is_winning else 1.5) * unit
        fill(distance < radius + stroke / 2, rim)
        fill(distance < radius - stroke / 2, palette.discs[mark])
        if is_last:
            fill(distance < 5 * unit, palette.last[mark])
    elif mark == "#":
        fill(distance < radius, palette.grid)
        for diagonal in (x - y, x + y):
            fill((np.abs(diagonal) < 3.5 * unit) & (distance < 0.34 * CELL * unit), palette.board)
    elif palette.hole is not None:
        fill(distance < radius, palette.hole)
    reduced = large.reshape(cell, _SCALE, cell, _SCALE, 3).mean(axis=(1, 3))
    return np.asarray(reduced.round(), np.uint8)


def _write(picture: NDArray[np.uint8], text: str, x: int, y: int) -> None:
    """Writes a short text around a place."""
    for index, glyph in enumerate(text):
        left = x - 3 * len(text) + 6 * index
        for row, bits in enumerate(_GLYPHS[glyph]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    picture[y - 3 + row, left + column] = _rgb(_INK)


def _rgb(colour: str) -> tuple[int, int, int]:
    """The parts of a colour such as ``#2f7d4f``."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _indexed(pictures: list[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], list[NDArray[np.uint8]]]:
    """A palette of 256 colours, and the pictures as indices into it."""
    bits = 8
    while True:  # fewer bits of each colour until there are few enough
        mask = np.uint8(0xFF << (8 - bits) & 0xFF)
        codes = [(picture & mask).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32) for picture in pictures]
        colours = np.unique(np.concatenate([np.unique(code) for code in codes]))
        if len(colours) <= _MAX_COLOURS:
            break
        bits -= 1
    palette = np.zeros((256, 3), np.uint8)
    palette[: len(colours)] = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    return palette, [np.searchsorted(colours, code).astype(np.uint8) for code in codes]


def _frame(image: NDArray[np.uint8], before: NDArray[np.uint8] | None, time: int) -> bytes:
    """A frame: the whole of the first picture, of later ones the rectangle that differs from the one before.

    :param time: hundredths of a second
    """
    top, left, (bottom, right) = 0, 0, image.shape
    if before is not None:
        changed = image != before
        rows, columns = (np.flatnonzero(changed.any(axis=axis)) for axis in (1, 0))
        top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
        image = np.where(changed, image, np.uint8(_TRANSPARENT))[top:bottom, left:right]
    # The picture stays under the next frame, in which one index is transparent.
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0b0000_0101, time, _TRANSPARENT, 0)
    place = struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0)
    data = _lzw(image.tobytes())
    blocks = b"".join(bytes([len(block)]) + block for block in _blocks(data))
    return control + place + bytes([_CODE_BITS]) + blocks + b"\x00"


def _blocks(data: bytes) -> Iterator[bytes]:
    for begin in range(0, len(data), 255):
        yield data[begin : begin + 255]


def _lzw(data: bytes) -> bytes:
    """The variable-length LZW code of GIF."""
    clear, end = 1 << _CODE_BITS, (1 << _CODE_BITS) + 1
    out = bytearray()
    buffer, buffer_bits = 0, 0
    width = _CODE_BITS + 1
    known: dict[tuple[int, int], int] = {}
    next_code = end + 1

    def emit(code: int) -> None:
        nonlocal buffer, buffer_bits
        buffer |= code << buffer_bits
        buffer_bits += width
        while buffer_bits >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            buffer_bits -= 8

    emit(clear)
    prefix = data[0]
    for byte in data[1:]:
        longer = known.get((prefix, byte))
        if longer is not None:
            prefix = longer
            continue
        emit(prefix)
        if next_code < _MAX_CODES:
            known[prefix, byte] = next_code
            if next_code == 1 << width:
                width += 1
            next_code += 1
        else:
            emit(clear)
            known.clear()
            width, next_code = _CODE_BITS + 1, end + 1
        prefix = byte
    emit(prefix)
    emit(end)
    if buffer_bits:
        out.append(buffer & 255)
    return bytes(out)
