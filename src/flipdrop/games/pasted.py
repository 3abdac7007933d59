"""Games and positions as people copy them: move lists with numbers and commas, diagrams, boards without a side, links.

Where a text can be a transcript or a board string as flipdrop writes them, it is read as that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from flipdrop.errors import NotationError, quoted
from flipdrop.games.records import decode_games
from flipdrop.games.transcripts import read_transcript

if TYPE_CHECKING:
    from flipdrop.games.base import Game
    from flipdrop.games.position import Position

_GGF = re.compile(r"\s*(?:\d+\s*)?\(;.*GM\[", re.DOTALL)
_LINK = re.compile(r"\s*(?:https?://|/)\S*\?\S+\s*")
_LINK_FIELDS = ("position", "pos", "moves", "transcript", "board", "game", "g", "m")
_TO_MOVE = re.compile(r"\b(black|white|red|yellow|x|o)\s+to\s+(?:move|play)", re.IGNORECASE)
_SECOND = ("white", "yellow", "o")
_NUMBER = re.compile(r"(?<![a-z\d])\d+\s*[.):]+\s*", re.IGNORECASE)  # of a move
_DIGITS = re.compile(r"[\d\s.,;:)-]*\d[\d\s.,;:)-]*")  # columns of Connect Four, with anything between them
_CELL_NAME = re.compile(r"[a-l]\d{1,2}", re.IGNORECASE)
_HEADERS = ("abcdefghijkl", "123456789abc")
_MARKS = str.maketrans({"+": "-", ".": "-", "·": "-", "_": "-", "●": "X", "⚫": "X", "○": "O", "⚪": "O"})
_COLOURS = {
    "othello": str.maketrans({"B": "X", "b": "X", "W": "O", "w": "O", "*": "X", "@": "X"}),
    "connect4": str.maketrans({"R": "X", "r": "X", "Y": "O", "y": "O", "*": "-"}),
}


def read_pasted(text: str, game: Game) -> tuple[Position, list[int]]:
    """The start and the moves of a game or a position copied from anywhere; a position has no moves.

    A board or a GGF game may be of another size than `game`.

    >>> from flipdrop import game
    >>> position, moves = read_pasted("1. F5 D6  2. C3, d3", game("othello"))
    >>> [position.move_name(move) for move in moves]
    ['f5', 'd6', 'c3', 'd3']
    """
    if _GGF.match(text):
        records = decode_games(text.encode("utf-8", "replace"), "ggf")
        if not records:
            raise NotationError(f"{quoted(text)} holds no game")
        return records[0].start, list(records[0].moves)
    if (linked := link_fields(text)) is not None:
        found = next((linked[name] for name in _LINK_FIELDS if linked.get(name)), None)
        if found is None or link_fields(found) is not None:
            raise NotationError(f"{quoted(text)}: the link names no position")
        return read_pasted(found, game)
    if (position := _read_board(text, game)) is not None:
        return position, []
    start = game.start()
    return start, read_transcript(start, "".join(_moves(text, game)))[0]


def link_fields(text: str) -> dict[str, str] | None:
    """The fields of a link, with its path as ``path``; None for any other text."""
    if not _LINK.fullmatch(text):
        return None
    parts = urlsplit(text.strip())
    return dict(parse_qsl(parts.query)) | {"path": unquote(parts.path)}


def _read_board(text: str, game: Game) -> Position | None:
    """The position of a board string or a diagram; None if the text is none."""
    written = re.search(r"^\s*board:\s*(\S.*)$", text, re.MULTILINE)  # as `flipdrop show` prints it
    if written is not None:
        text = written[1]
    text = text.partition(";")[0] if "\n" not in text.strip() else text  # OBF has scores of moves after the board
    rows = _rows(text, game)
    if rows is None:
        return game.from_board(text) if game.is_board(text) and not _DIGITS.fullmatch(text) else None
    board, side = game.row_separator.join(rows), _side(text)
    if side is not None:
        return game.from_board(f"{board} {side}")
    # The number of discs says whose turn it is, unless that side has no move.
    likely = (board.count("X") + board.count("O")) % 2
    position = game.from_board(f"{board} {'XO'[likely]}")
    if position.is_over or position.pass_move not in position.legal_moves:
        return position
    return game.from_board(f"{board} {'XO'[1 - likely]}")


def _side(text: str) -> str | None:
    """The side that a sentence such as ``black to move`` names."""
    match = _TO_MOVE.search(text)
    return None if match is None else "XO"[match[1].lower() in _SECOND]


def _rows(text: str, game: Game) -> list[str] | None:
    """The rows of a diagram, with or without the names of columns and rows; None if the text is none."""
    rows = []
    for line in text.replace("/", "\n").splitlines():
        if not line.strip() or _TO_MOVE.search(line) or line.strip().startswith("legal:"):
            continue
        bare = re.sub(r"[][()|]", " ", line).strip()
        header = "".join(bare.split()).lower()
        if len(header) > 3 and any(names.startswith(header) for names in _HEADERS):
            continue
        marks = "".join(re.sub(r"^\d+|(?<=\s)\d+$", "", bare).split())
        marks = marks.translate(_COLOURS[game.family]).translate(_MARKS).upper()
        if not marks or set(marks) - set("XO-#"):
            return None
        rows.append(marks)
    cells = sum(map(len, rows))
    if game.family == "othello":
        return rows if cells in (16, 36, 64) else None
    return rows if len(rows) >= 4 and len({len(row) for row in rows}) == 1 else None


def _moves(text: str, game: Game) -> list[str]:
    """The moves of a list that may have numbers, commas and dashes."""
    bare = re.sub(r"(?<![-\w])--(?![-\w])", " pass ", text)
    tokens = re.split(r"[\s,;|–—-]+", _NUMBER.sub(" ", bare).strip())
    if not game.moves_name_columns:  # without numbers of moves, and results such as 34-30
        tokens = [token for token in tokens if not token.isdigit()]
    if text.strip() and not any(tokens):
        raise NotationError(f"{quoted(text)} holds no move and no board")
    if not game.moves_name_columns:
        return tokens
    if any(tokens) and all(_CELL_NAME.fullmatch(token) for token in tokens):  # d1 d2 e1: the column is enough
        start = game.start()
        return [start.move_name("abcdefghijkl".index(token[0].lower())) for token in tokens]
    return tokens
