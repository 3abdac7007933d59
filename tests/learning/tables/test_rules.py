"""The update rules: by hand, by a second computation, and their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flipdrop.games import ConnectFourGame
from flipdrop.learning.tables.rules import (
    VALUE_FUNCTIONS,
    QLearning,
    Sarsa,
    TemporalDifferences,
)
from flipdrop.learning.tables.state_space import START, StateSpace
from flipdrop.players.learned import reward_of
from flipdrop.search import Solver
from tests.learning.tables.endgames import endgames, settings, trajectories_from

if TYPE_CHECKING:
    import random

    from tests.strategies import AnyPosition


class Tree:
    """A game of at most three moves::

              0
             / \\
            1   2
           / \\   \\
          3   4   5
        +0.5 -1  +0.25  for the side to move there, which is the side that began
    """

    AFTER = ((1, 2), (3, 4), (5,), (), (), ())
    REWARDS = (None, None, None, 0.5, -1.0, 0.25)

    def after(self, position: int) -> tuple[int, ...]:
        return self.AFTER[position]

    def terminal_reward(self, position: int) -> float:
        reward = self.REWARDS[position]
        assert reward is not None
        return reward


TREE = cast("StateSpace", Tree())
HALF = {"rate": 0.5, "discount": 0.8, "lambda_": 0.0}


def test_q_learning_by_hand() -> None:
    learned = QLearning(TREE, settings("q", **HALF))
    learned.learn([(0, 0), (1, 0)], 3, 0.5)
    # The second side moved into 3, where the first has +0.5: its move has value -0.5, half of that after one update.
    # It would rather play the other move, still at 0: so the first side's target is -0.8 * 0.
    assert learned.entries() == {1: [-0.25, 0.0], 0: [0.0, 0.0]}
    assert learned.best(1) == 1
    learned.learn([(0, 0), (1, 1)], 4, 0.5)
    assert learned.entries() == {1: [-0.25, 0.5], 0: [-0.2, 0.0]}  # 0.5 * (-0.8 * 0.5)
    learned.learn([(0, 1), (2, 0)], 5, 0.5)
    assert learned.entries() == {1: [-0.25, 0.5], 2: [-0.125], 0: [-0.2, 0.05]}
    assert learned.best(0) == 1


def test_sarsa_by_hand() -> None:
    learned = Sarsa(TREE, settings("sarsa", **HALF))
    learned.learn([(0, 0), (1, 0)], 3, 0.5)
    assert learned.entries() == {1: [-0.25, 0.0], 0: [0.1, 0.0]}  # 0.5 * (-0.8 * -0.25): what was played, not the best
    learned.learn([(0, 0), (1, 1)], 4, 0.5)
    assert learned.entries()[1] == [-0.25, 0.5]
    assert learned.entries()[0] == pytest.approx([0.1 + 0.5 * (-0.4 - 0.1), 0.0])


def test_td_by_hand() -> None:
    learned = TemporalDifferences(TREE, settings("td", **HALF))
    assert learned.best(1) == 1  # results are known from the rules
    learned.learn([(0, 0), (1, 0)], 3, 0.5)
    assert learned.entries() == {1: [-0.25], 0: [0.1]}
    learned.learn([(0, 0), (1, 1)], 4, 0.5)
    assert learned.entries()[1] == [-0.25 + 0.5 * (1 + 0.25)]
    assert learned.best(0) == 1  # 1 is good for the opponent, and of 2 nothing is known


def test_forward_updates() -> None:
    for rule in ("q", "sarsa", "td"):
        learned = VALUE_FUNCTIONS[rule](TREE, settings(rule, backward=False, **HALF))
        learned.learn([(0, 1), (2, 0)], 5, 0.5)
        first = learned.entries()[0][-1]
        assert first == 0
        learned.learn([(0, 1), (2, 0)], 5, 0.5)
        assert learned.entries()[0][-1] == pytest.approx(0.5 * 0.8 * 0.125)


def test_initial_value() -> None:
    learned = QLearning(TREE, settings("q", initial=0.7, **HALF))
    learned.learn([(0, 0), (1, 0)], 3, 0.5)
    assert learned.entries()[1] == [pytest.approx(0.1), 0.7]
    assert learned.best(2) == 0


# Against the same rules in the textbook's own way: a dictionary, and eligibility traces, from the first move on.


def by_traces(
    rule: str, table: dict[Any, float], game: list[tuple[AnyPosition, int]], result: float, options: dict[str, float]
) -> None:
    """Learns from one game. `game` is positions with moves, `result` that of the side that made the last one."""
    rate, discount, decay = options["rate"], options["discount"], options["lambda_"]

    def value(position: AnyPosition, move: int) -> float:
        return table.get(position if rule == "td" else (position, move), 0.0)

    def highest(position: AnyPosition) -> float:
        return max(value(position, move) for move in position.legal_moves)

    traces: dict[Any, float] = {}
    changes: dict[Any, float] = {}
    for n, (position, move) in enumerate(game):
        key = position if rule == "td" else (position, move)
        if rule == "q" and value(position, move) < highest(position):
            traces = {}  # Watkins: what follows is not best play
        # One move later it is the other side's turn: a high value is now one to avoid.
        traces = {other: -discount * decay * trace for other, trace in traces.items()}
        traces[key] = 1.0
        if n + 1 == len(game):
            error = result - value(position, move)
        else:
            following, answer = game[n + 1]
            next_value = highest(following) if rule == "q" else value(following, answer)
            error = -discount * next_value - value(position, move)
        if rule == "q":
            # The trace carries errors against the highest value, not against that of the move before.
            own = value(position, move)
            for other, trace in traces.items():
                against = error if other == key else error + own - highest(position)
                changes[other] = changes.get(other, 0.0) + rate * trace * against
        else:
            for other, trace in traces.items():
                changes[other] = changes.get(other, 0.0) + rate * trace * error
    for key, change in changes.items():
        table[key] = table.get(key, 0.0) + change


@examples(max_examples=60)
@given(
    endgames(empty=7),
    st.sampled_from(["q", "sarsa", "td"]),
    st.sampled_from([0.0, 0.3, 0.9, 1.0]),
    st.sampled_from([0.5, 1.0]),
    st.randoms(use_true_random=False),
)
def test_eligibility_traces(
    start: AnyPosition, rule: Any, lambda_: float, discount: float, source: random.Random
) -> None:
    options = {"rate": 0.25, "discount": discount, "lambda_": lambda_}
    positions = StateSpace(start.game, symmetric=False, start=start)
    learned = VALUE_FUNCTIONS[rule](positions, settings(rule, backward=False, **options))
    table: dict[Any, float] = {}
    for _ in range(8):
        position, line = start, []
        while not position.is_over:
            move = source.randrange(len(position.legal_moves))
            line.append((position, position.legal_moves[move]))
            position = position.play(position.legal_moves[move])
        end = positions.number(position)
        numbered = [(positions.number(before), before.legal_moves.index(move)) for before, move in line]
        by_traces(rule, table, line, -positions.terminal_reward(end), options)
        learned.learn(numbered, end, 0.25)
    for number, values in learned.entries().items():
        before = positions.position(number)
        keys = [before] if rule == "td" else [(before, move) for move in before.legal_moves]
        assert values == pytest.approx([table.get(key, 0.0) for key in keys], abs=1e-12)
    assert sum(map(len, learned.entries().values())) >= len(table)


@pytest.mark.slow
@examples(max_examples=40)
@given(endgames(), st.booleans(), st.sampled_from(["margin", "result"]), st.randoms(use_true_random=False))
def test_values_converge_to_the_solver(start: AnyPosition, symmetric: bool, reward: Any, source: random.Random) -> None:
    """Whatever the order: after n times all games, all positions with n moves to the end, at most, are right."""
    positions = StateSpace(start.game, symmetric=symmetric, reward=reward, start=start)
    lines = trajectories_from(positions)
    q = QLearning(positions, settings("q"))
    for _ in range(max(len(line) for line, _ in lines)):
        source.shuffle(lines)
        for line, end in lines:
            q.learn(line, end, 1.0)
    solver = Solver(moves=True, line=False, table=1)
    for number, values in q.entries().items():
        position = positions.position(number)
        solution = solver.solve(position)
        scores = {move.move: move.lower for move in solution.moves}
        assert values == [reward_of(start.game, scores[move], reward) for move in position.legal_moves]
        assert solution.score == scores[position.legal_moves[q.best(number)]] or reward == "result"


@pytest.mark.parametrize("rule", ["q", "sarsa", "td"])
def test_arrays_hold_everything(rule: Any) -> None:
    positions = StateSpace(ConnectFourGame(4, 4))
    learned = VALUE_FUNCTIONS[rule](positions, settings(rule))
    line, position = [], START
    while after := positions.after(position):
        line.append((position, len(after) - 1))
        position = after[-1]
    learned.learn(line, position, 0.3)
    arrays = learned.arrays()
    assert list(arrays["codes"]) == sorted(arrays["codes"])
    others = StateSpace(positions.game)
    again = VALUE_FUNCTIONS[rule](others, settings(rule))
    again.restore(arrays)
    assert {others.codes[number]: values for number, values in again.entries().items()} == {
        positions.codes[number]: values for number, values in learned.entries().items()
    }
    empty = VALUE_FUNCTIONS[rule](positions, settings(rule))
    empty.restore(empty.arrays())
    assert len(empty) == 0
