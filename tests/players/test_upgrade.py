"""Specs that 0.1.0 wrote read as the same players today."""

import pytest

from flipdrop.players import player
from flipdrop.players.upgrade import upgrade_evaluation, upgrade_spec


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("deepening", "iterative"),
        ("deepening:depth=4", "iterative:depth=4"),
        ("greedy:evaluation=A,stray=0.1,seed=3", "greedy:evaluation=A,epsilon=0.1,seed=3"),
        ("mcts:iterations=20,camp=4,threads=2", "mcts:iterations=20,threads=2,batch=4"),
        ("network:urgency=0.5", "network:fpu_reduction=0.5"),
        ("mcts:playout=depth,evaluation=D.R1-opponent", "mcts:playout=depth,evaluation=D.baseline"),
        ("alphabeta:evaluation=D.R1-start3,depth=2", "alphabeta:evaluation=D.initial-3,depth=2"),
        ("greedy:evaluation=B@R3(2)", "greedy:evaluation=B@positive(2)"),
        ("greedy:evaluation=Seven.R5@R3", "greedy:evaluation=Seven.averaged@positive"),
        ("minimax:evaluation=D(15/6/-8/-6/4/4)", "minimax:evaluation=D.baseline"),
        ("level:4,seed=7", "level:4,seed=7"),
    ],
)
def test_an_old_spec_reads_as_the_same_player(old: str, new: str) -> None:
    assert player(upgrade_spec(old)).spec == new
    assert upgrade_spec(new) == new


@pytest.mark.parametrize("spec", ["agents/my_agent.py:Deepening", "gtp[name=deepening]:edax -gtp stray=1", "random"])
def test_other_specs_stay(spec: str) -> None:
    assert upgrade_spec(spec) == spec


def test_evaluations() -> None:
    assert upgrade_evaluation("D.R1") == "D.hand-tuned"
    assert upgrade_evaluation("C@R2") == "C@penalty"
    assert upgrade_evaluation("my.weights") == "my.weights"
