"""Games in the kernel are those that the referee plays."""

from __future__ import annotations

import pytest

from flipdrop.arena.referee import play
from flipdrop.arena.running.batch import BatchPlayer
from tests.arena.events import event

PLAYERS = {
    "othello": ("random", "alphabeta:depth=2", "mcts:iterations=40", "iterative:depth=3,evaluation=Seven", "level:3"),
    "othello6": (
        "greedy",
        "level:6",
        "minimax:depth=2",
        "mcts:iterations=30,seed=5,final=ucb,tie_width=0.1",
        "alphabeta:depth=3,perspective=searcher",
    ),
    "othello4": (
        "random:seed=3",
        "iterative:nodes=300",
        "mcts:iterations=20,playout=depth,depth=3,evaluation=C,perspective=searcher",
    ),
    "connect4": ("random", "alphabeta:depth=3", "mcts:iterations=40,decisive=tree", "level:3", "flat:games=5"),
    "connect4:9x7,forbid=c3": ("level:4", "alphabeta:depth=2", "mcts:iterations=20,schedule=0:10;4:20"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("openings", ["random:2", "random:3"])
def test_kernel_plays_like_the_referee(name: str, openings: str) -> None:
    of = event(*PLAYERS[name], game=name, pairs=2, openings=openings)
    assert BatchPlayer().play(of.tasks()) == [play(task) for task in of.tasks()]
