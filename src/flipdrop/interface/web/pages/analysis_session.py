"""The session of an analysis: the game, the variations and the board that a URL names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.games import read_transcript
from flipdrop.games.variations import MoveTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session


def open_session(
    manager: SessionManager, game: str, *, position: str = "", moves: str = "", at: str = "", line: str = ""
) -> Session:
    """A session with the game, the variations and the board that a URL names."""
    branches = has_variations(position)
    session = manager.new(game, position="" if branches else position, keep=False, branching=True)
    try:
        start = session.positions[-1 if moves else 0]
        tree = session.tree or MoveTree(start)
        if branches or moves:
            tree = MoveTree.from_text(start, (moves or position)[: manager.limits.text])
        path: Sequence[int] = tree.main_line
        if line:
            path = read_transcript(start, line[: manager.limits.text])[0]
            tree = tree.add(path)
        elif at.isascii() and at.isdigit() and len(at) < 4:
            path = path[: int(at)]
        session.load(tree, path, undoable=False)
    except FlipdropError:
        manager.remove(session)
        raise
    return session


def has_variations(text: str) -> bool:
    """Whether a text is a transcript with variations in parentheses; GGF begins its games with ``(;``."""
    return "(" in text and "(;" not in text
