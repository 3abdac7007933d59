"""Games without a network: the error lists the available networks and how to train one."""

from __future__ import annotations

import pytest

from flipdrop import game
from flipdrop.errors import ModelError, PlayerError
from flipdrop.evaluation import evaluation
from flipdrop.players import player

ADVICE = (
    r"Othello on 6x6, only for connect4 and othello; learn one \(flipdrop learn td othello6 --with patterns --out my"
)


def test_missing_networks() -> None:
    for name in ("othello", "connect4", "connect4:7x6,forbid=c3"):
        evaluation("patterns").check_supported(game(name))
    evaluation("D").check_supported(game("othello6"))
    evaluation(lambda position: 0.0).check_supported(game("othello6"))
    with pytest.raises(ModelError, match=ADVICE):
        evaluation("patterns").check_supported(game("othello6"))
    with pytest.raises(ModelError, match="no network for Connect Four on 9x7"):
        evaluation("patterns").check_supported(game("connect4:9x7"))


@pytest.mark.parametrize(
    "spec",
    ["pattern", "greedy:evaluation=patterns", "alphabeta:evaluation=patterns", "mcts:evaluation=patterns,bias=1"],
)
def test_players_check_before_play(spec: str) -> None:
    with pytest.raises(PlayerError, match=ADVICE):
        player(spec, game="othello6")
    assert player(spec, game="othello").spec
