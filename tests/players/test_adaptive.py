"""The player whose weights an online genetic algorithm sets."""

from __future__ import annotations

import numpy as np
import pytest

from flipdrop.arena.quick_match import results_against
from flipdrop.errors import PlayerError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.games import game
from flipdrop.players import AdaptivePlayer, player
from flipdrop.search import Minimax

OTHELLO = game("othello")
POSITION = OTHELLO.position("f5d6c3d3c4f4f6f3e6e7d7g5")


def slow_weights(features: list[float], rounds: int, random: np.random.Generator) -> list[float]:
    """The printed algorithm on lists: points, threshold, sorting, copies, crosses, mutation."""
    vectors = [[gene / sum(drawn) for gene in drawn] for drawn in random.random((10, 7)).tolist()]
    threshold: float | None = None
    for number in range(rounds):
        values = [float(np.array(vector) @ np.array(features)) for vector in vectors]
        points = [0] * 10
        for one in range(10):
            for two in range(one + 1, 10):
                points[one if values[one] > values[two] else two] += 1
        if threshold is not None:
            points = [point - 2 if threshold > value else point for point, value in zip(points, values, strict=True)]
        best = sorted(range(10), key=lambda member: -points[member])
        threshold = values[best[0]]
        if number == rounds - 1:
            break
        copied = random.random() < 0.9
        after = [vectors[n] for n in best[:3]] if copied else random.random((3, 7)).tolist()
        for one in range(4):
            for two in range(one + 1, 4):
                first, second = vectors[best[one]], vectors[best[two]]
                if random.random() >= 0.5:
                    first, second = second, first
                cut = random.integers(1, 8) - 1
                after.append([first[gene] if gene <= cut else second[gene] for gene in range(7)])
        mutant = list(vectors[best[0]])
        gene = random.integers(7)
        mutant[gene] = random.random()
        after.append(mutant)
        vectors = [[gene / sum(vector) for gene in vector] for vector in after]
    return vectors[best[0]]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_weights(seed: int, rounds: int) -> None:
    features = [term.feature for term in evaluation("Seven").explain(POSITION).terms]
    random = np.random.default_rng([seed, *POSITION.board.encode()])
    found = AdaptivePlayer(rounds=rounds, seed=seed).weights_for(POSITION)
    assert found.evaluation == "Seven"
    assert found.vector == pytest.approx(slow_weights(features, rounds, random))


def test_move_of_the_search() -> None:
    adaptive = player("adaptive:depth=3,rounds=5,seed=7")
    assert isinstance(adaptive, AdaptivePlayer)
    search = Minimax(algorithm="alphabeta", depth=3, evaluation=Evaluation(adaptive.weights_for(POSITION)))
    assert adaptive.report(POSITION).value == search.search(POSITION).value
    assert adaptive.choose(POSITION) == search.search(POSITION).best == player(adaptive.spec).choose(POSITION)


def test_weights_of_each_leaf() -> None:
    """The value of depth 1 is that of the best move: each leaf by its own weights, for the other side."""
    adaptive = AdaptivePlayer(depth=1, adapt="leaf", seed=3)
    values = {}
    for move in POSITION.legal_moves:
        after = POSITION.play(move)
        values[move] = -Evaluation(adaptive.weights_for(after)).score(after)
    report = adaptive.report(POSITION)
    assert report.value == pytest.approx(max(values.values()))
    assert values[report.best] == max(values.values())


def test_other_evaluations() -> None:
    assert AdaptivePlayer().weights_for(game("connect4").start()).evaluation == "lines"
    weights = player("adaptive:evaluation=D(15/6/-10/-4/0/8)", game="othello")
    assert isinstance(weights, AdaptivePlayer)
    assert np.sign(weights.weights_for(POSITION).vector).tolist() == [1, 1, -1, -1, 0, 1]


@pytest.mark.parametrize(
    ("spec", "expected_error"),
    [
        ("adaptive:rounds=0", "rounds=0"),
        ("adaptive:adapt=never", "adapt='never': expected one of move, leaf"),
        ("adaptive:evaluation=patterns", "has no weights to set"),
        ("adaptive:evaluation=lines", "Connect Four"),
    ],
)
def test_invalid_options(spec: str, expected_error: str) -> None:
    with pytest.raises(PlayerError, match=expected_error):
        player(spec, game="othello")


def test_it_beats_random_play() -> None:
    score = results_against(player("adaptive"), "random", OTHELLO, pairs=15, seed=1).games.score
    assert score > 0.8
