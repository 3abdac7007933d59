"""Specs and the controls that stand for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.player_picker import (
    _CHOICES,
    MAX_DEPTH,
    PLAYER_OPTIONS,
    options_in,
    spec_of,
    types_for,
)
from flipdrop.players import player
from flipdrop.players.registry import PLAYER_TYPES


def test_options_exist() -> None:
    for kind, options in PLAYER_OPTIONS.items():
        assert set(options) <= {option.name for option in PLAYER_TYPES[kind].options}


@pytest.mark.parametrize("kind", PLAYER_OPTIONS)
@pytest.mark.parametrize("place", [0, -1])
def test_every_offered_value_makes_a_player(kind: str, place: int) -> None:
    values = {name: _CHOICES[name][place] for name in PLAYER_OPTIONS[kind] if name in _CHOICES}
    if "depth" in PLAYER_OPTIONS[kind]:
        values["depth"] = str((1, MAX_DEPTH)[place])
    spec = spec_of(kind, values)
    assert options_in(spec) == (kind, values)
    player(spec, game=game("connect4" if kind == "perfect" else "othello")).close()


@pytest.mark.parametrize(
    "spec",
    ["", "level:3", "mcts:rave=1", "mcts:", "iterative", "iterative:depth=13", "iterative:depth=0", "nobody",
     "greedy:evaluation=x.py:f", "greedy:epsilon=0.1,epsilon=0.2", "table:model=x.table", "agent:x"],
)  # fmt: skip
def test_no_controls(spec: str) -> None:
    assert options_in(spec) is None


@given(st.text(max_size=20).map(lambda rest: f"mcts:{rest}") | st.text(max_size=20))
def test_any_spec(spec: str) -> None:
    found = options_in(spec)
    if found is not None:
        try:
            one = player(spec).spec
        except FlipdropError:
            return
        assert player(spec_of(*found)).spec == one


def test_types_for_game() -> None:
    """The page offers only what can play the board."""
    assert types_for(game("othello")) == tuple(PLAYER_OPTIONS)
    assert {"engine", "pattern", "network"}.isdisjoint(types_for(game("othello4")))
    wide = types_for(game("connect4:9x8"))
    assert "engine" in wide
    assert "pattern" not in wide
