"""`MoveTree`: a game with variations, such as an analysis makes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from flipdrop.errors import NotationError, quoted
from flipdrop.games.transcripts import positions_along, read_transcript, write_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games.position import Position

_PART = re.compile(r"[()]|[^()]+")


@dataclass(frozen=True)
class MoveNode:
    """A move and its continuations, the main one first."""

    move: int
    children: tuple[MoveNode, ...] = ()


Children: TypeAlias = tuple[MoveNode, ...]


@dataclass(frozen=True)
class MoveTree:
    """A game and its variations: an immutable value. A node is named by its path, the moves that lead to it.

    As text, a variation stands in parentheses after the move that it replaces.

    >>> from flipdrop import Othello
    >>> tree = MoveTree.from_text(Othello(), "f5d6(f6e6)c3")
    >>> tree.text, len(tree.main_line)
    ('f5d6(f6e6)c3', 3)

    :param start: the position before the first move
    :param children: the first moves, that of the game first
    """

    start: Position
    children: Children = ()

    @classmethod
    def of(cls, start: Position, moves: Sequence[int] = ()) -> MoveTree:
        """A game without variations."""
        return cls(start).add(moves)

    @classmethod
    def from_text(cls, start: Position, text: str) -> MoveTree:
        tree = cls(start)
        path: tuple[int, ...] = ()
        outer: list[tuple[int, ...]] = []
        for part in _PART.findall(text):
            if part == "(":
                if not path:
                    raise NotationError(f"{quoted(text)}: a variation stands after the move that it replaces")
                outer.append(path)
                path = path[:-1]
            elif part == ")":
                if not outer:
                    raise NotationError(f"{quoted(text)} has a closing parenthesis too many")
                path = outer.pop()
            else:
                after = write_transcript(start, path)
                path = (*path, *read_transcript(positions_along(start, path)[-1], part, after=after)[0])
                tree = tree.add(path)
        if outer:
            raise NotationError(f"{quoted(text)} has an opening parenthesis too many")
        return tree

    @property
    def main_line(self) -> tuple[int, ...]:
        """The moves of the game, without variations."""
        return self.line_through(())

    @property
    def text(self) -> str:
        """The game with its variations; passes that a later move implies are left out."""
        return _write(self.children, self.start)

    def line_through(self, path: Sequence[int]) -> tuple[int, ...]:
        """The moves of a path, and the main continuation after it."""
        line, children = list(path), self.children_at(path)
        while children:
            line.append(children[0].move)
            children = children[0].children
        return tuple(line)

    def children_at(self, path: Sequence[int]) -> Children:
        """The continuations of a path; KeyError if the tree does not hold it."""
        children = self.children
        for move in path:
            children = {node.move: node for node in children}[move].children
        return children

    def add(self, path: Sequence[int]) -> MoveTree:
        """The tree with a line; moves that it does not hold yet become its last variations."""
        return MoveTree(self.start, _added(self.children, tuple(path)))

    def remove(self, path: Sequence[int]) -> MoveTree:
        """The tree without the last move of a path and what follows it."""

        def without(children: Children) -> Children:
            return tuple(node for node in children if node.move != path[-1])

        return MoveTree(self.start, _edited(self.children, path[:-1], without))

    def promote(self, path: Sequence[int]) -> MoveTree:
        """The tree in which the innermost variation of a path is the main line where it branches off."""
        branch = self.branch_of(path)
        if branch is None:
            return self

        def with_first(children: Children) -> Children:
            return tuple(sorted(children, key=lambda node: node.move != path[branch]))

        return MoveTree(self.start, _edited(self.children, path[:branch], with_first))

    def branch_of(self, path: Sequence[int]) -> int | None:
        """The number of moves before the innermost variation of a path; None if all its moves are main ones."""
        children, branch = self.children, None
        for number, move in enumerate(path):
            if children[0].move != move:
                branch = number
            children = {node.move: node for node in children}[move].children
        return branch


def _added(children: Children, path: Sequence[int]) -> Children:
    if not path:
        return children
    move, rest = path[0], path[1:]
    if all(node.move != move for node in children):
        return (*children, MoveNode(move, _added((), rest)))
    return tuple(MoveNode(move, _added(node.children, rest)) if node.move == move else node for node in children)


def _edited(children: Children, path: Sequence[int], edit: Callable[[Children], Children]) -> Children:
    """Applies `edit` to the continuations of a path."""
    if not path:
        return edit(children)
    return tuple(
        MoveNode(node.move, _edited(node.children, path[1:], edit)) if node.move == path[0] else node
        for node in children
    )


def _write(children: Children, position: Position) -> str:
    written = ""
    while children:
        main, *variations = children
        if main.move != position.pass_move or not main.children:
            written += position.move_name(main.move)
        written += "".join(f"({_write((node,), position)})" for node in variations)
        children, position = main.children, position.play(main.move)
    return written
