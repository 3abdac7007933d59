"""Results as a file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.store import ExperimentResult
from flipdrop.errors import ArenaError
from flipdrop.experiments.experiment import SIZES, Results
from flipdrop.experiments.results_io import read_results, write_results

_JSON = st.dictionaries(
    st.text(max_size=8),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    max_size=4,
)
_DONE = st.builds(
    ExperimentResult,
    experiment=st.just(""),
    size=st.just(""),
    key=st.text(max_size=8),
    seed=st.just(3),
    settings=_JSON,
    values=_JSON,
    seconds=st.floats(0, 1e6),
    threads=st.integers(1, 64),
    ended=st.text(max_size=8),
)


@st.composite
def _results(draw: st.DrawFn) -> dict[str, Results]:
    names = draw(st.lists(st.text(min_size=1, max_size=5), unique=True, max_size=3))
    found = {}
    for name in names:
        done = draw(st.lists(_DONE, min_size=1, max_size=3, unique_by=lambda one: one.key))
        size = draw(st.sampled_from(SIZES))
        found[name] = Results(size, 3, {one.key: replace(one, experiment=name, size=size) for one in done})
    return found


@pytest.mark.slow
@given(_results())
def test_results_come_back_as_they_were(results: dict[str, Results]) -> None:
    text = write_results(results)
    assert read_results(text) == results
    assert len(text.splitlines()) == 2 + max(1, sum(len(of) for of in results.values()))  # a line for each part


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no results"),
        ("[]", "no results"),
        ('{"version": 1}', "no results"),
        ('{"version": 99, "parts": []}', "version 99"),
        ('{"version": 1, "parts": [{"experiment": "R1.1"}]}', "no results"),
        (json.dumps({"version": 1, "parts": [{"experiment": "a", "size": "huge", "seed": 1, "part": {}}]}), "huge"),
    ],
)
def test_files_that_are_no_results(text: str, message: str) -> None:
    with pytest.raises(ArenaError, match=f"some.json.*{message}"):
        read_results(text, "some.json")
