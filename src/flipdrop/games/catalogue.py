"""`game`: a game by its name on the command line, in files and in stores."""

from __future__ import annotations

import re

from flipdrop.errors import UnknownGame, did_you_mean, quoted
from flipdrop.games.base import Game
from flipdrop.games.connect_four import ConnectFourGame
from flipdrop.games.othello import OthelloGame

EXAMPLES = ("othello", "othello6", "othello4", "connect4", "connect4:9x10", "connect4:12x12,forbid=c3")

_OTHELLO = {
    "othello": OthelloGame(8),
    "othello8": OthelloGame(8),
    "othello6": OthelloGame(6),
    "othello4": OthelloGame(4),
}


def game(name: str | Game) -> Game:
    """The game called `name`; a game itself is returned as it is.

    >>> game("connect4:9x10,forbid=c3")
    ConnectFourGame(columns=9, rows=10, forbidden='c3')
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game's name is a string such as 'othello', not {name!r}")
    lower = name.strip().lower()
    if lower in _OTHELLO:
        return _OTHELLO[lower]
    base, colon, options = lower.partition(":")
    if base == "connect4" and bool(colon) == bool(options):
        return _connect_four(name, [option.strip() for option in options.split(",")] if options else [])
    near = did_you_mean(lower, EXAMPLES, limit=1)
    raise UnknownGame(f"unknown game {quoted(name)}; {near}games are {', '.join(EXAMPLES)}")


def _connect_four(name: str, options: list[str]) -> ConnectFourGame:
    columns, rows, forbidden = 7, 6, None
    for i, option in enumerate(options):
        if i == 0 and (size := re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", option)):
            columns, rows = int(size[1]), int(size[2])
        elif (cell := re.fullmatch(r"forbid=(\w+)", option)) and forbidden is None:
            forbidden = cell[1]
        else:
            raise UnknownGame(
                f"{quoted(option, 20)} in game {quoted(name)}; write connect4:COLUMNSxROWS,forbid=CELL "
                "such as connect4:12x12,forbid=c3"
            )
    return ConnectFourGame(columns, rows, forbidden)
