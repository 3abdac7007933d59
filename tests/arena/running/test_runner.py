"""Players are made before their games: a bad spec raises."""

from __future__ import annotations

import pytest

from flipdrop.arena.running import make_players, runner_for
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.errors import PlayerError
from flipdrop.games import game
from flipdrop.players.agent_process import AgentPlayer
from tests.arena.events import event, games_of


def test_runner_for(agents: str) -> None:
    made = make_players(["random", f"{agents}:first", f"greedy:evaluation={agents}:score"], game("othello4"))
    assert [isinstance(one, AgentPlayer) for one in made.values()] == [False, True, True]
    runner = runner_for(made, threads=1)
    assert isinstance(runner, ThreadRunner)
    games = games_of(runner, event(*made, pairs=1))
    assert [played.termination for played in games] == [""] * len(games)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nothing", "has no 'nothing'"), ("raises", "cannot be made without arguments: LookupError")],
)
def test_agents_that_cannot_be_made(agents: str, name: str, complaint: str) -> None:
    with pytest.raises(PlayerError, match=complaint):
        make_players([f"{agents}:{name}"], game("othello4"))
