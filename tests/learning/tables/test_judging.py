"""Judgements: by going through all games one by one, of perfect play, and of play that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.games import OthelloGame, game
from flipdrop.learning.tables.judging import Judge, Judgement
from flipdrop.learning.tables.positions import Positions
from flipdrop.search import Solver
from tests.learning.tables.endgames import endgames, lines_from

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from flipdrop.players.value_table import Reward
    from tests.strategies import AnyPosition


def some_policy(positions: Positions, source: random.Random) -> Callable[[int], int]:
    """Any choice in each position, but always the same."""
    chosen: dict[int, int] = {}

    def best(position: int) -> int:
        return chosen.setdefault(position, source.randrange(len(positions.after(position))))

    return best


@settings(max_examples=40)
@given(endgames(empty=4), st.booleans(), st.sampled_from(["margin", "result"]), st.randoms(use_true_random=False))
def test_it_agrees_with_a_list_of_all_games(
    start: AnyPosition, symmetric: bool, reward: Reward, source: random.Random
) -> None:
    positions = Positions(start.game, symmetric=symmetric, reward=reward, start=start)
    best = some_policy(positions, source)
    found = Judge(positions).judge(best)
    lines = lines_from(positions)
    solver = Solver(moves=True, line=False, table=1)
    decisions: dict[int, bool] = {}
    for side in (0, 1):
        results = []
        for line, end in lines:
            own = line[side::2]
            if any(best(position) != move for position, move in own):
                continue
            ends_with_own_turn = len(line) % 2 == side
            results.append(positions.worth(end) if ends_with_own_turn else -positions.worth(end))
            for number, move in own:
                position = positions.position(number)
                if len(position.legal_moves) > 1 and number not in decisions:
                    scores = {solved.move: solved.lower for solved in solver.solve(position).moves}
                    worths = {
                        m: score if reward == "margin" else (score > 0) - (score < 0) for m, score in scores.items()
                    }
                    decisions[number] = worths[position.legal_moves[move]] == max(worths.values())
        assert found.guaranteed[side] == min(results)
    assert (found.decisions, found.kept) == (len(decisions), sum(decisions.values()))
    assert min(found.distances) >= 0


def test_the_solver_itself_is_perfect_and_the_first_legal_move_is_not() -> None:
    for name in ("othello4", "connect4:4x4"):
        positions = Positions(game(name))
        judge = Judge(positions)
        solver = Solver(line=False, table=1)

        def perfect(number: int, solver: Solver = solver, positions: Positions = positions) -> int:
            position = positions.position(number)
            best = solver.solve(position).best
            assert best is not None
            return position.legal_moves.index(best)

        found = judge.judge(perfect)
        assert found.is_optimal
        assert found.share == 1
        careless = judge.judge(lambda _: 0)
        assert not careless.is_optimal
        assert careless.share < 1
        assert careless.solved == found.solved


def test_the_value_of_the_start_is_the_known_one() -> None:
    for reward, solved in (("margin", -10 / 16), ("result", -1.0)):
        found = Judge(Positions(OthelloGame(4), reward=reward)).judge(lambda _: 0)  # type: ignore[arg-type]
        assert found.solved == solved


def test_the_distance_is_what_the_worst_reply_costs() -> None:
    judgement = Judgement(solved=0.25, guaranteed=(0.0, -0.25), decisions=4, kept=3)
    assert judgement.distances == (0.25, 0.0)
    assert not judgement.is_optimal
    assert judgement.share == 0.75
    assert Judgement(0.25, (0.25, -0.25), 0, 0).is_optimal
    assert Judgement(0.25, (0.25, -0.25), 0, 0).share == 1
