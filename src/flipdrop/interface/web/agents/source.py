"""The players that a Python file defines, found without running it."""

from __future__ import annotations

import ast

from flipdrop.errors import PlayerError, quoted

MAX_BYTES = 256 * 1024
"""Size of an agent's file."""


class AgentRefused(PlayerError):
    """An agent that is not taken, with the reason."""


def players_in(code: bytes) -> list[str]:
    """The names of classes with a method ``choose``; if there is none, of functions that can choose a move.

    >>> players_in(b"class Mine:\\n    def choose(self, position): ...\\n\\ndef helper(position): ...")
    ['Mine']
    >>> players_in(b"def choose(position, clock): ...\\n\\ndef _score(position): ...")
    ['choose']
    """
    if len(code) > MAX_BYTES:
        raise AgentRefused(f"the file has {len(code):,} bytes; at most {MAX_BYTES:,} are allowed")
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        line = f"line {error.lineno}: " if error.lineno else ""
        raise AgentRefused(f"this is not Python: {line}{error.msg}") from None
    except (ValueError, RecursionError, MemoryError):  # null bytes, thousands of brackets
        raise AgentRefused("this is not Python, or it is nested too deeply") from None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    names = [node.name for node in classes if any(_is_choose(part) for part in node.body)]
    if not names:
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and _can_choose(node)]
        if "choose" in names:
            names = ["choose"]
    return names


def player_in(code: bytes, name: str = "") -> str:
    """The player of a file: the one called `name`, or the only one."""
    found = players_in(code)
    if name:
        if not name.isidentifier() or len(name) > 100:
            raise AgentRefused(f"{quoted(name)} is not the name of a class or function")
        return name  # it may be inherited or assigned, which only running the file shows
    if not found:
        raise AgentRefused("the file defines no player: write a class with choose(self, position), or choose(position)")
    if len(found) > 1:
        raise AgentRefused(f"the file defines several players: {', '.join(found[:8])}; say which of them plays")
    return found[0]


def _is_choose(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "choose"


def _can_choose(node: ast.FunctionDef) -> bool:
    """Whether it takes a position, or a position and a clock."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    return not node.name.startswith("_") and 1 <= len(arguments) <= 2 and not node.args.kwonlyargs
