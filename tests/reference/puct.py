"""PUCT with an evaluation in Python, written for reading: the searches of the kernel grow the same trees."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.reference.mcts import single

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position

VALUES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}


def after_forced_moves(position: Position) -> Position:
    """In Connect Four the position after the moves that do not leave a choice: one with several moves that do not lose
    at once, or a finished one."""
    while not position.is_over and position.game.family == "connect4":
        if won := wins(position):
            return won[0]
        replies = [position.play(move) for move in position.legal_moves]
        safe = [reply for reply in replies if not wins(reply)]
        if not safe:
            return wins(replies[0])[0]
        if len(safe) > 1:
            break
        position = safe[0]
    return position


def wins(position: Position) -> list[Position]:
    """The positions after moves that win."""
    replies = [position.play(move) for move in position.legal_moves]
    return [after for after in replies if after.is_over and after.result]


@dataclass
class Node:
    """`sum` and `proof` are for the side that moved into the node."""

    position: Position
    move: int = -1
    prior: float = 0.0
    visits: int = 0
    sum: float = 0.0
    proof: str = ""
    children: list[Node] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return self.sum / self.visits if self.visits else 0.0


@dataclass
class ReferencePuct:
    """:param half_point: the score that is half-way to a win; 0 if scores are expected results"""

    evaluate: Callable[[Position], float]
    half_point: float
    c: float
    fpu_reduction: float
    temperature: float

    def run(self, position: Position, simulations: int) -> Node:
        root = Node(position)
        while root.visits < simulations and not root.proof:
            self.simulate(root)
        return root

    def simulate(self, root: Node) -> None:
        path = [root]
        while path[-1].children and not path[-1].proof:
            path.append(self.select(path[-1]))
        leaf = path[-1]
        value = 0.0 if leaf.proof else self.expand(leaf)
        if leaf.proof:
            value = VALUES[leaf.proof]
        for node in reversed(path):
            node.visits += 1
            node.sum += value
            value = -value
        for node in reversed(path[:-1]):
            if not self.prove(node):
                break

    def select(self, node: Node) -> Node:
        tried = math.sqrt(sum(child.prior for child in node.children if child.visits))

        def score(child: Node) -> float:
            value = child.mean if child.visits else -node.mean - self.fpu_reduction * tried
            value = 0.0 if child.proof == "draw" else value
            return value + self.c * math.sqrt(node.visits) * child.prior / (1 + child.visits)

        return max((child for child in node.children if child.proof != "loss"), key=score)

    def expand(self, node: Node) -> float:
        """The value of the leaf for the side that moved into it, unless expansion proves the node."""
        position = node.position
        node.children = [Node(position.play(move), move) for move in position.legal_moves]
        numbers: dict[int, float] = {}
        for child in node.children:
            quiet = after_forced_moves(child.position)
            if quiet.is_over:
                result = (quiet.result or 0) * (1 if position.to_move == 0 else -1)
                child.proof = {1: "win", 0: "draw", -1: "loss"}[result]
            if child.proof != "loss":
                numbers[child.move] = 0.0 if child.proof else self.number(quiet, position.to_move)
        if self.prove(node):
            return 0.0
        best = max(numbers.values())
        weights = {move: math.exp((single(number) - best) / self.temperature) for move, number in numbers.items()}
        total = sum(weights.values())
        for child in node.children:
            child.prior = single(weights.get(child.move, 0.0) / total)
        return -(math.tanh(best) if self.half_point else best)

    def number(self, quiet: Position, mover: int) -> float:
        score = self.evaluate(quiet) if quiet.to_move == mover else -self.evaluate(quiet)
        return score / (2 * self.half_point) if self.half_point else max(-1.0, min(1.0, score))

    def prove(self, node: Node) -> bool:
        proofs = [child.proof for child in node.children]
        if "win" in proofs:
            node.proof = "loss"
        elif all(proofs):
            node.proof = "draw" if "draw" in proofs else "win"
        return bool(node.proof)
