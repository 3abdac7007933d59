"""Games, positions and hostile text for tests, as hypothesis strategies and as plain lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame

if TYPE_CHECKING:
    import random

AnyGame = OthelloGame | ConnectFourGame
AnyPosition = Othello | ConnectFour

OTHELLO_GAMES = [OthelloGame(8), OthelloGame(6), OthelloGame(4)]
# At least one for each way in which the kernel stores a board (compiled for 7x6 alone; one, two and three machine
# words), with the forbidden cell at the bottom, inside and at the top.
CONNECT_FOUR_GAMES = [
    ConnectFourGame(),
    ConnectFourGame(7, 6, "d1"),
    ConnectFourGame(4, 4),
    ConnectFourGame(5, 4, "a2"),
    ConnectFourGame(4, 12, "b12"),
    ConnectFourGame(8, 7),  # 8 x (7 + 1) bits fill a word to the last one
    ConnectFourGame(9, 10, "i5"),
    ConnectFourGame(12, 9),
    ConnectFourGame(12, 12),
    ConnectFourGame(12, 12, "l12"),
]
ALL_GAMES: list[AnyGame] = [*OTHELLO_GAMES, *CONNECT_FOUR_GAMES]


@st.composite
def connect_four_games(draw: st.DrawFn, largest: int = 12) -> ConnectFourGame:
    """Any board, with or without a forbidden cell anywhere."""
    sides = st.integers(4, largest)
    plain = ConnectFourGame(draw(sides), draw(sides))
    forbidden = draw(st.none() | st.integers(0, plain.columns * plain.rows - 1).map(plain.cell_name))
    return ConnectFourGame(plain.columns, plain.rows, forbidden)


def all_games() -> st.SearchStrategy[AnyGame]:
    return st.sampled_from(OTHELLO_GAMES) | connect_four_games()


def randoms() -> st.SearchStrategy[random.Random]:
    """A source of random moves; a failing example shows its seed."""
    return st.randoms(use_true_random=True)


def random_line(game: AnyGame, source: random.Random, *, plies: int | None = None) -> list[AnyPosition]:
    """The positions of a random game, from the start to its end or for as many plies."""
    position: AnyPosition = game.start()
    line = [position]
    while not position.is_over and (plies is None or len(line) <= plies):
        position = position.play(source.choice(position.legal_moves))
        line.append(position)
    return line


def quiet_line(game: ConnectFourGame, source: random.Random) -> list[ConnectFour]:
    """The positions of a random game in which neither side wins while it has another move, so that threats remain."""
    position = game.start()
    line = [position]
    while not position.is_over:
        children = [position.play(move) for move in position.legal_moves]
        position = source.choice([child for child in children if not child.is_over] or children)
        line.append(position)
    return line


def any_text() -> st.SearchStrategy[str]:
    """Any text that can be encoded, and some that looks like what the parsers take, with something wrong in it."""
    near_misses = st.text("XxOo*0-_.#/;|abchl12389 \n\t\0é●○", max_size=80)
    return st.text() | near_misses


def surrogates() -> st.SearchStrategy[str]:
    """Text with halves of characters, as Python makes of a command line that is no UTF-8."""
    halves = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"])
    return st.tuples(st.text(max_size=3), halves, st.text(max_size=3)).map("".join)
