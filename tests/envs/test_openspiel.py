"""Players and games for OpenSpiel."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest

from flipdrop import FlipdropError, match
from flipdrop.envs.openspiel import BotPlayer, Oracle, PlayerBot, position_of


def random_state(name: str, plies: int, seed: int) -> Any:
    choices = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while len(state.history()) < plies and not state.is_terminal():
        state.apply_action(choices.choice(state.legal_actions()))
    return state


def uniform(player: int) -> Any:
    return pyspiel.make_uniform_random_bot(player, 5)


@pytest.mark.parametrize("name", ["connect_four", "othello"])
def test_both_have_the_same_rules(name: str) -> None:
    for seed in range(5):
        for plies in (0, 7, 20, 80):
            state = random_state(name, plies, seed)
            position = position_of(state)
            assert position.is_over == state.is_terminal()
            assert sorted(position.legal_moves) == sorted(state.legal_actions())
            if position.is_over:
                assert state.returns()[0] == position.result


def test_players_as_bots() -> None:
    game = pyspiel.load_game("connect_four")
    bots = [PlayerBot(game, "alphabeta:depth=4"), PlayerBot(game, "random", seed=1)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns() == [1.0, -1.0]


def test_the_solver_as_oracle() -> None:
    oracle = Oracle()
    state = random_state("connect_four", 24, 3)
    value = oracle.value(state)
    state.apply_action(oracle.best_action(state))
    assert state.is_terminal() or oracle.value(state) == -value


def test_bots_as_players() -> None:
    game = pyspiel.load_game("connect_four")
    bot = BotPlayer(game, uniform)
    result = match(bot, "alphabeta:depth=3", game="connect4", games=6, seed=1)
    assert result.event.players[0] == "python:uniform"
    assert result.forfeits == (0, 0)
    assert result.tally.games.losses >= 5


def test_other_games() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(FlipdropError, match="othello and connect_four with the usual board"):
        PlayerBot(game, "random")
    bot = BotPlayer(pyspiel.load_game("connect_four"), uniform)
    with pytest.raises(FlipdropError, match="uniform plays Connect Four 7x6, not Othello 8x8"):
        match(bot, "random", game="othello", games=2)
