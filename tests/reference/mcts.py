"""Monte Carlo tree search in Python, drawing the same random numbers as the kernel: trees are compared whole.

Written for reading, not for speed: every option is spelled out where it acts.
"""

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flipdrop.evaluation import TABLES
from flipdrop.games import ConnectFour, Othello, Position
from flipdrop.search import Mcts
from tests.reference.minimax import with_other_side_to_move
from tests.reference.random import Random

ROOT_STREAM = 0x5851F42D4C957F2D
Evaluate = Callable[[Position], float]
Rewards = tuple[float, float]
"""For the side that searches, and for its opponent."""


def single(number: float) -> float:
    """Rounded to what four bytes hold."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


@dataclass
class Node:
    move: int = -1
    visits: int = 0
    sum: float = 0.0
    rave_visits: int = 0
    rave_sum: float = 0.0
    bias: float = 0.0
    proof: str = ""  # "win", "draw" or "loss" for the side that moved into the node
    children: "list[Node] | None" = None
    tried: int = 0


@dataclass
class ReferenceMcts:
    options: Mcts
    root_position: Position
    evaluate: Evaluate | None = None
    guided_move: int = -1
    root: Node = field(default_factory=Node)

    def run(self) -> Node:
        self.reward = self.options.reward or ("win" if self.options.playout == "end" else "squashed")
        self.searcher = self.root_position.to_move
        self.expand(self.root, self.root_position, Random(self.options.seed ^ ROOT_STREAM), at_root=True)
        random = Random(self.options.seed)
        limit, begun = self.options.iterations or 0, 0
        while begun < limit and not self.root.proof:
            simulations = max(1, min((limit - begun) // 4, self.options.batch or 1))
            begun += simulations
            self.run_batch(simulations, random)
        return self.root

    def run_batch(self, simulations: int, random: Random) -> None:
        """Simulations in a row from a much visited node, with `batch` over 1, else from the root."""
        position, path = self.root_position, [self.root]
        while (self.options.batch or 1) > 1:
            node = path[-1]
            assert node.children is not None
            if node.tried < len(node.children):
                break
            child = self.select(node, random)
            if child.visits < 16 * (self.options.batch or 1) or not child.children or child.proof:
                break
            node.visits += simulations
            position = position.play(child.move)
            path.append(child)
        rewards: list[Rewards] = []
        while len(rewards) < simulations and not self.root.proof:
            rewards.append(self.simulate(position, path, random))
        for i in reversed(range(len(path) - 1)):
            path[i].visits -= simulations - len(rewards)
            path[i].sum += added(rewards, 0 if i % 2 == 1 else 1)

    def best(self) -> Node:
        """The final choice: proofs first, then by the option `final`; near ties by the weight of the square."""

        def rank(child: Node) -> tuple[float, ...]:
            bonus = self.options.guide_bonus if child.move == self.guided_move else 0.0
            if child.proof == "win":
                return (3.0, 0.0)
            if not child.visits:
                return (0.0, 0.0)
            mean = child.sum / child.visits
            score = {"mean": mean + bonus, "visits": child.visits, "ucb": self.score(self.root, child) + bonus}
            by = "mean" if child.proof == "loss" and self.options.final == "ucb" else self.options.final
            return (1.0 if child.proof == "loss" else 2.0, score[by], bonus)

        order = sorted(self.root.children or [], key=lambda child: child.move)
        order.sort(key=rank, reverse=True)
        first = rank(order[0])
        near = [
            child
            for child in order
            if rank(child)[0] == first[0] and rank(child)[1] >= first[1] - self.options.tie_width
        ]
        return max(near, key=self.square_weight) if self.options.tie_width else order[0]

    def square_weight(self, child: Node) -> float:
        assert isinstance(self.root_position, Othello)
        size = self.root_position.size
        if child.move == self.root_position.pass_move:
            return 0.0
        row, column = (min(i, size - 1 - i) for i in divmod(child.move, size))
        lines = {8: (0, 1, 2, 3), 6: (0, 1, 3), 4: (0, 1)}[size]
        if size == 4 and row == column == 1:
            return TABLES[self.options.tie_table][4 * 3 + 3]
        return TABLES[self.options.tie_table][4 * lines[row] + lines[column]]

    def simulate(self, position: Position, root_path: list[Node], random: Random) -> Rewards:
        node, path = root_path[-1], list(root_path)
        played: list[set[int]] = [set(), set()]
        for i, above in enumerate(root_path[1:]):
            played[self.searcher if i % 2 == 0 else 1 - self.searcher].add(above.move)
        node.visits += 1
        solved = False
        while True:
            if node.children is None:
                if node.visits < 2:
                    break
                self.expand(node, position, random, at_root=False)
            assert node.children is not None
            if not node.children:
                break
            if node.proof and node is not self.root:
                solved = True
                break
            node = self.select(node, random)
            played[position.to_move].add(node.move)
            position = position.play(node.move)
            node.visits += 1
            path.append(node)

        over = node.children is not None and not node.children
        if solved:
            searcher_moved_here = len(path) % 2 == 0
            win_for_searcher = (node.proof == "win") == searcher_moved_here
            rewards = self.draw() if node.proof == "draw" else zero_sum(1.0 if win_for_searcher else -1.0)
        elif over:
            rewards = self.final_rewards(position, leaf=position)
        else:
            games = [self.playout(position, random, played) for _ in range(self.options.playouts)]
            rewards = added(games, 0) / len(games), added(games, 1) / len(games)

        for i in reversed(range(len(path))):
            searcher_moved_here = i % 2 == 1
            if i >= len(root_path) - 1:  # the nodes above the batch root are updated after the batch
                path[i].sum += rewards[0 if searcher_moved_here else 1]
            if self.options.rave > 0:
                self.back_up_rave(path[i], searcher_to_move=i % 2 == 0, played=played, rewards=rewards)
        if (over or solved) and self.proves():
            for node in reversed(path[:-1]):
                if not self.prove(node):
                    break
        return rewards

    def expand(self, node: Node, position: Position, random: Random, *, at_root: bool) -> None:
        moves = list(position.legal_moves)
        if moves and (self.options.decisive == "tree" or (self.options.decisive == "root" and at_root)):
            moves = decisive_moves(position)
        for i in range(len(moves) - 1, 0, -1):
            j = random.below(i + 1)
            moves[i], moves[j] = moves[j], moves[i]
        if at_root and self.guided_move in moves and self.options.guide_bonus > 0:
            moves.remove(self.guided_move)
            moves.insert(0, self.guided_move)
        node.children = [Node(move) for move in moves]
        if self.options.bias > 0:
            for child in node.children:
                child.bias = self.prior_value(position.play(child.move))
        if not moves and self.proves():
            assert position.result is not None
            for_mover = -position.result if position.to_move == 0 else position.result
            node.proof = {1: "win", 0: "draw", -1: "loss"}[for_mover]

    def prior_value(self, after: Position) -> float:
        """The evaluation of a position, for the side that has just moved."""
        if after.result is not None:
            return float(-after.result if after.to_move == 0 else after.result)
        return single(math.tanh(-single(self.leaf_score(after)) / self.options.scale))

    def select(self, node: Node, random: Random) -> Node:
        assert node.children is not None
        if node.tried < len(node.children) and (
            node.tried == 0 or self.options.expand >= 1 or random.chance() < self.options.expand
        ):
            node.tried += 1
            return node.children[node.tried - 1]
        best, best_score = node.children[0], -math.inf
        for child in node.children[: node.tried]:
            score = self.score(node, child)
            if node is self.root and child.move == self.guided_move:
                score += self.options.guide_bonus
            if score > best_score:
                best, best_score = child, score
        return best

    def score(self, node: Node, child: Node) -> float:
        if child.proof in ("win", "loss"):
            return 1e9 if child.proof == "win" else -1e9
        exploration = self.options.c * math.sqrt(2 * math.log(node.visits))
        inverse = 1.0 / max(1, child.visits)
        mean = child.sum * inverse
        if self.options.rave > 0 and child.rave_visits > 0:
            share = math.sqrt(self.options.rave / (3 * child.visits + self.options.rave))
            mean = (1 - share) * mean + share * child.rave_sum / child.rave_visits
        score = mean + exploration * math.sqrt(inverse)
        if self.options.bias > 0:
            score += self.options.bias * child.bias / (child.visits + 1)
        return score

    def playout(self, leaf: Position, random: Random, played: list[set[int]]) -> Rewards:
        position = leaf
        left = self.options.depth if self.options.playout == "depth" else -1
        while not position.is_over:
            if left == 0:
                return zero_sum(self.evaluation_reward(position))
            left -= 1
            moves = decisive_moves(position) if self.options.decisive_playouts else list(position.legal_moves)
            move = moves[random.below(len(moves))]
            played[position.to_move].add(move)
            position = position.play(move)
        return self.final_rewards(position, leaf)

    def final_rewards(self, position: Position, leaf: Position) -> Rewards:
        assert position.result is not None
        outcome = position.result if self.searcher == 0 else -position.result
        if self.reward == "margin":
            assert isinstance(position, Othello)
            board = leaf if self.options.corner_bonus_at == "leaf" else position
            corners = [board.cells[i] for i in (0, position.size - 1, -position.size, -1)].count("XO"[self.searcher])
            margin = outcome * (self.options.win_bonus + abs(position.margin))
            return zero_sum(margin + self.options.corner_bonus * corners)
        if self.reward == "evaluation":
            return zero_sum(self.evaluation_reward(position))
        return self.draw() if outcome == 0 else zero_sum(float(outcome))

    def draw(self) -> Rewards:
        opponent = self.options.opponent_draw
        return self.options.draw, -self.options.draw if opponent is None else opponent

    def evaluation_reward(self, position: Position) -> float:
        score = single(self.leaf_score(position))
        ours = score if position.to_move == self.searcher else -score
        return math.tanh(ours / self.options.scale) if self.reward == "squashed" else ours

    def leaf_score(self, position: Position) -> float:
        assert self.evaluate is not None
        if self.options.perspective == "mover" or position.to_move == self.searcher:
            return self.evaluate(position)
        return -self.evaluate(with_other_side_to_move(position))

    def back_up_rave(self, node: Node, *, searcher_to_move: bool, played: list[set[int]], rewards: Rewards) -> None:
        side = self.searcher if searcher_to_move else 1 - self.searcher
        for child in node.children or []:
            if child.move in played[side] and child.move != self.root_position.pass_move:
                child.rave_visits += 1
                child.rave_sum = single(child.rave_sum + single(rewards[0 if searcher_to_move else 1]))

    def proves(self) -> bool:
        return self.options.solver and self.reward in ("win", "squashed")

    def prove(self, node: Node) -> bool:
        """Draws the conclusion from the replies; False if there is none yet."""
        replies = [child.proof for child in node.children or []]
        if "win" in replies:
            node.proof = "loss"
        elif "" not in replies:
            node.proof = "draw" if "draw" in replies else "win"
        return bool(node.proof)


def zero_sum(reward: float) -> Rewards:
    return reward, -reward


def added(rewards: Sequence[Rewards], side: int) -> float:
    """The sum for one side, in order: `sum` rounds differently from Python 3.12 on."""
    total = 0.0
    for reward in rewards:
        total += reward[side]
    return total


def decisive_moves(position: Position) -> list[int]:
    """Wins, else blocks, else what does not hand a win over, else everything."""
    assert isinstance(position, ConnectFour)
    moves = list(position.legal_moves)
    own, opponent = "XO"[position.to_move], "XO"[1 - position.to_move]
    landing = {move: position.landing_cell(move) for move in moves}
    if wins := [move for move in moves if makes_four(position, landing[move], own)]:
        return wins
    if blocks := [move for move in moves if makes_four(position, landing[move], opponent)]:
        return blocks
    safe = []
    for move in moves:
        after = position.play(move)
        gives = move in after.legal_moves and makes_four(after, after.landing_cell(move), opponent)
        if not gives:
            safe.append(move)
    return safe or moves


def makes_four(position: ConnectFour, cell: int, mark: str) -> bool:
    """Whether a disc of `mark` in an empty cell completes four in a line."""
    columns, rows = position.columns, position.rows

    def run(row_step: int, column_step: int) -> int:
        row, column, length = cell // columns, cell % columns, 0
        while True:
            row, column = row + row_step, column + column_step
            inside = 0 <= row < rows and 0 <= column < columns
            if not inside or position.cells[row * columns + column] != mark:
                return length
            length += 1

    return any(run(r, c) + run(-r, -c) >= 3 for r, c in ((0, 1), (1, 0), (1, 1), (1, -1)))
