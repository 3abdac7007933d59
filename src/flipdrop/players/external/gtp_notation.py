"""GTP for Othello and Connect Four: notation and private commands, shared by the client and flipdrop's own server.

The Go Text Protocol says little about other games. flipdrop follows the Othello programs that use it, and adds three
private commands, which are sent only to engines that list them.

Colours: ``black`` is the first side, ``white`` the second, in both games. Squares of Othello are in
Othello's notation: ``a1`` is the top left one (in Go the bottom left one). A move of Connect Four is the column as
flipdrop names it, ``1`` to ``9``, then ``a``, ``b``, ``c``; `read_move` accepts more. ``boardsize``
takes one number for a square board, or columns and rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import IllegalMove, PlayerError, quoted
from flipdrop.games import ConnectFour
from flipdrop.kernel import Side
from flipdrop.players.clock import Clock

if TYPE_CHECKING:
    from flipdrop.games import Position

COLOURS = {Side.FIRST: "black", Side.SECOND: "white"}

SET_GAME = "flipdrop-game"
"""``flipdrop-game GAME``: a new game, by the name that flipdrop gives it, such as ``connect4:9x10,forbid=c3``."""

SET_POSITION = "flipdrop-position"
"""``flipdrop-position BOARD``: any position of the game that is set, as a board string, or as a transcript. The
forbidden cell of a board is written ``+``, because ``#`` begins a comment."""

SET_CLOCK = "flipdrop-clock"
"""``flipdrop-clock REMAINING INCREMENT MOVE_LIMIT``: the clock for the next move, in seconds with any fraction (GTP's
own are whole ones), with ``-`` where there is no limit."""

_NINE = 9  # columns with a digit as name
_VERTEX = re.compile(r"([a-l])([1-9][0-9]?)")


def read_move(position: Position, text: str) -> int:
    """The number of a move in GTP; it need not be legal.

    Connect Four also takes a column's number with two digits (``10``), its letter (``d``; only on boards of up to nine
    columns, because ``a`` to ``c`` name the tenth to the twelfth on wider ones), and the cell where the disc
    lands (``d1``).

    >>> read_move(ConnectFour(), "4"), read_move(ConnectFour(), "D"), read_move(ConnectFour(), "d1")
    (3, 3, 3)
    """
    name = text.strip().lower()
    if not isinstance(position, ConnectFour):
        return position.parse_move(name)
    if re.fullmatch(r"1[0-2]", name) and int(name) <= position.columns:
        return int(name) - 1
    if position.columns <= _NINE and re.fullmatch("[a-i]", name) and ord(name) - ord("a") < position.columns:
        return ord(name) - ord("a")
    vertex = _VERTEX.fullmatch(name)
    if vertex is None:
        return position.parse_move(name)
    column = ord(vertex[1]) - ord("a")
    if column not in position.legal_moves:
        raise IllegalMove(f"{quoted(text)}: no disc can be dropped there")
    lands = position.game.cell_name(position.landing_cell(column))
    if lands != name:
        raise IllegalMove(f"{quoted(text)}: a disc that is dropped there lands in {lands}")
    return column


def write_board(position: Position) -> str:
    return position.board.replace("#", "+")


def read_board(text: str) -> str:
    """The inverse of `write_board`."""
    return text.replace("+", "#")


def write_clock(clock: Clock | None) -> str:
    clock = clock or Clock()
    return " ".join("-" if s is None else repr(s) for s in (clock.remaining, clock.increment, clock.move_limit))


def read_clock(words: list[str]) -> Clock | None:
    """The inverse of `write_clock`; None for a clock without limits."""
    try:
        remaining, increment, move_limit = (None if word == "-" else float(word) for word in words)
        clock = Clock(remaining=remaining, increment=increment or 0.0, move_limit=move_limit)
    except ValueError:  # not three numbers, or not valid times
        raise PlayerError(
            f"{quoted(' '.join(words))}; write REMAINING INCREMENT MOVE_LIMIT in seconds, - for no limit"
        ) from None
    return None if clock.remaining is None and clock.move_limit is None else clock
