"""Results to test statistics with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from flipdrop.arena.statistics import Games, Pairs

GOLDEN: Any = json.loads((Path(__file__).parents[2] / "data" / "golden_statistics.json").read_text())
"""Values that other programs computed; the file says which."""


def counts(kinds: int, most: int = 60) -> st.SearchStrategy[list[int]]:
    """Counts of results, in which zeros are common."""
    return st.lists(st.one_of(st.just(0), st.integers(0, 3), st.integers(0, most)), min_size=kinds, max_size=kinds)


some_pairs = counts(5).map(Pairs.from_counts)
some_games = counts(3).map(Games.from_counts)
some_results: st.SearchStrategy[Games | Pairs] = st.one_of(some_pairs, some_games)
scores = st.sampled_from([0.0, 0.5, 1.0])
