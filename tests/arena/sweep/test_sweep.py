"""Sweeps: grids, what is concluded from them, and that stopping changes nothing."""

from __future__ import annotations

import csv
import io
import itertools
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from flipdrop.arena.match import match_result
from flipdrop.arena.model import Event
from flipdrop.arena.option_values import Axis, value_of, with_values
from flipdrop.arena.parameter_sweep import Sweep, SweepResult
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics.means import Mean, p_values, possibly_best
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.games import game
from flipdrop.players import PLAYER_TYPES, player
from flipdrop.reporting.figures import check_plot_file
from flipdrop.reporting.sweep_plots import sweep_plot
from tests.arena.events import play

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.run_event import EventProgress

OTHELLO, CONNECT_FOUR = game("othello"), game("connect4")

decimals = st.decimals(-1000, 1000, places=3)
steps = st.decimals("0.001", 500, places=3)


@given(decimals, st.integers(0, 50), steps, st.decimals(0, "0.999", places=3))
def test_a_range_holds_every_step_up_to_its_end_exactly(low: Decimal, count: int, step: Decimal, rest: Decimal) -> None:
    high = low + (count + rest) * step
    axis = Axis.parse(f"c={low}:{high}:{step}")
    assert [Decimal(value) for value in axis.values] == [low + i * step for i in range(count + 1)]
    assert Axis.parse(str(axis)) == axis
    assert axis.is_numeric


@given(st.integers(0, 10), st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))
def test_a_fine_pass_stays_in_the_range_and_holds_the_best_value(at: int, tenths: int, reach: int, step: int) -> None:
    axis = Axis.parse(f"c=-3:{-3 + 10 * step}:{step}")
    fine = Decimal(tenths) / 10 * step
    values = [Decimal(value) for value in axis.refine(axis.values[at], fine, reach)]
    middle = Decimal(axis.values[at])
    assert middle in values
    assert all(one - before == fine for before, one in itertools.pairwise(values))
    low, high = max(Decimal(-3), middle - reach * step), min(Decimal(-3 + 10 * step), middle + reach * step)
    assert low <= values[0] < low + fine
    assert high - fine < values[-1] <= high


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "NAME=FROM:TO:STEP"),
        ("c", "NAME=FROM:TO:STEP"),
        ("c=1", "NAME=FROM:TO:STEP"),
        ("=1:2:1", "NAME=FROM:TO:STEP"),
        ("c=1:2", "NAME=FROM:TO:STEP"),
        ("c=a|", "NAME=a|b|c"),
        ("c=2:1:1", "FROM <= TO"),
        ("c=1:2:0", "STEP above 0"),
        ("c=1:2:-1", "STEP above 0"),
        ("c=0:1:0.0001", "more than 1000 values"),
        ("c=0:1e300:1", "numbers go up to"),
        ("c=nan:1:1", "NAME=FROM:TO:STEP"),
        ("c=a|b|a", "names a value twice"),
    ],
)
def test_what_is_no_grid_is_quoted(text: str, complaint: str) -> None:
    with pytest.raises(ArenaError) as raised:
        Axis.parse(text)
    assert complaint in str(raised.value)
    assert repr(text) in str(raised.value)


@given(st.sampled_from(["c=1", "iterations=9,c=0.5", "iterations=50, playout=depth ,depth=3"]), st.integers(1, 500))
def test_an_option_that_is_set_has_its_value_and_the_others_keep_theirs(options: str, iterations: int) -> None:
    spec = f"mcts:{options}"
    made = with_values(spec, {"iterations": str(iterations)}, OTHELLO)
    assert value_of(made, "iterations", OTHELLO) == iterations
    for option in PLAYER_TYPES["mcts"].options:
        if option.name != "iterations":
            assert value_of(made, option.name, OTHELLO) == value_of(spec, option.name, OTHELLO)
    assert player(made).spec == player(with_values(made, {}, OTHELLO)).spec


@given(st.integers(-50, 50), st.floats(-9, 9).map(lambda number: round(number, 3)))
def test_a_weight_that_is_set_has_its_value_and_the_others_keep_theirs(corners: int, mobility: float) -> None:
    changes = {"evaluation.corners": str(corners), "evaluation.mobility": str(mobility)}
    made = with_values("alphabeta:depth=2,evaluation=D.baseline", changes, OTHELLO)
    found = [
        value_of(made, f"evaluation.{term}", OTHELLO)
        for term in ("corners", "edges", "x_squares", "open_edges", "discs", "mobility")
    ]
    assert found == [corners, 6, -8, -6, 4, mobility]


def test_the_evaluation_is_the_games_own_unless_the_spec_names_one() -> None:
    assert with_values("greedy", {"evaluation.threats": "3"}, CONNECT_FOUR) == "greedy:evaluation=lines(1/7/6/3)"
    assert (
        with_values("greedy:evaluation=B@positive", {"evaluation.squares": "2"}, OTHELLO)
        == "greedy:evaluation=B@positive(2)"
    )


def test_weights_are_set_in_the_evaluation_that_is_set_with_them() -> None:
    made = with_values("greedy", {"evaluation.discs": "3", "evaluation": "C"}, OTHELLO)
    assert made == "greedy:evaluation=C(10/3/10/100/-32)"


@pytest.mark.parametrize(
    ("spec", "values", "complaint"),
    [
        ("level:4", {"c": "1"}, "has no options to set"),
        ("nobody", {"c": "1"}, "players are"),
        ("mcts", {"C": "1"}, "did you mean c?"),
        ("mcts", {"iterations": "1.5"}, "a whole number"),
        ("mcts", {"playout": "middle"}, "playout"),
        ("random", {"evaluation.corners": "1"}, "has no option 'evaluation'"),
        ("greedy", {"evaluation.corner": "1"}, "did you mean corners"),
        ("greedy", {"evaluation.corners": "many"}, "a weight is a number"),
        ("greedy:evaluation=lines", {"evaluation.threats": "2"}, "lines"),
    ],
)
def test_an_option_that_cannot_be_set_is_an_error(spec: str, values: dict[str, str], complaint: str) -> None:
    with pytest.raises(FlipdropError) as raised:
        with_values(spec, values, OTHELLO)
    assert complaint in str(raised.value)


def outcomes(random: np.random.Generator, means: list[float], pairs: int) -> Any:
    """Scores of pairs, of which each point has others but all depend on the opening a little."""
    openings = random.normal(0, 0.15, pairs)
    raw = np.array([random.normal(mean, 0.3, pairs) + openings for mean in means])
    return np.clip(np.round(raw * 4), 0, 4) / 4


@pytest.mark.slow
@pytest.mark.parametrize(("points", "pairs"), [(2, 10), (8, 20), (30, 50)])
def test_the_best_point_is_hardly_ever_ruled_out(points: int, pairs: int) -> None:
    """The worst case is that all are equally good, so that any may be called the best."""
    random = np.random.default_rng(points)
    runs = 400
    kept = sum(bool(possibly_best(outcomes(random, [0.5] * points, pairs))[0]) for _ in range(runs))
    assert kept >= 0.95 * runs - 2 * (0.95 * 0.05 * runs) ** 0.5


def test_points_that_are_much_worse_are_ruled_out() -> None:
    table = outcomes(np.random.default_rng(1), [0.7, 0.69, 0.4, 0.1], 200)
    assert list(possibly_best(table)) == [True, True, False, False]


def test_a_few_games_rule_out_nothing() -> None:
    assert possibly_best(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])).all()
    assert possibly_best(np.zeros((1, 5))).all()
    assert possibly_best(np.zeros((3, 0))).all()


@given(st.lists(st.sampled_from([-1, -0.5, 0, 0.25, 0.5, 1]), min_size=8, max_size=40), st.integers(0, 5))
def test_p_values_are_those_of_students_t(differences: list[float], missing: int) -> None:
    row = np.array(differences + [np.nan] * missing)
    known = np.array(differences)
    if known.std() == 0:
        return
    expected = stats.ttest_1samp(known, 0, alternative="greater").pvalue
    assert p_values(row[None])[0] == pytest.approx(max(expected, 0.5 ** np.count_nonzero(known)))


def test_a_mean_has_students_interval() -> None:
    numbers = np.array([1.0, 4.0, -2.0, 6.5])
    mean = Mean.of(numbers)
    low, high = stats.t.interval(0.95, 3, numbers.mean(), stats.sem(numbers))
    assert (mean.value, mean.low, mean.high) == pytest.approx((numbers.mean(), low, high))
    assert Mean.of(numbers[:1]).to_json() == [None, None]


def sweep(*options: str, **changes: Any) -> Sweep:
    given: dict[str, Any] = {
        "spec": "mcts:iterations=20",
        "against": "greedy",
        "game": "othello4",
        "games": 12,
        "openings": "random:2",
        "seed": 5,
    }
    return Sweep(axes=tuple(map(Axis.parse, options)), **given | changes)


def plain(result: SweepResult) -> dict[str, Any]:
    data = result.to_json()
    del data["seconds"]
    return data


def test_all_points_play_the_same_openings_with_the_same_seeds() -> None:
    plan = sweep("c=0.5:2:0.5", "playout=end|depth", refine={"c": Decimal("0.25")})
    coarse, fine = plan.first_event, plan.event(plan.fine_grid(("1", "end")))
    games: dict[tuple[int, int], set[object]] = {}
    for event in (coarse, fine):
        assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event
        for task in event.tasks():
            pair, rest = divmod(task.number, 2 * len(event.pairings))
            games.setdefault((pair, rest % 2), set()).add((task.opening, task.seed))
    assert len(games) == plan.games
    assert all(len(same) == 1 for same in games.values())
    assert len(set().union(*games.values())) == plan.games


def test_a_point_has_the_figures_of_a_match() -> None:
    plan = sweep("c=0.5:2:0.5")
    event = plan.first_event
    with Store(None) as store:
        state = run_event(event, store, runner_for(event.players))
    for pairing, point in enumerate(play(plan).points):
        match = match_result(state, pairing=pairing)
        assert (point.tally, point.elo) == (match.tally, match.elo)
        assert point.margin.value == pytest.approx(match.margin)


def test_a_fine_pass_looks_around_the_best_and_plays_nothing_twice() -> None:
    result = play(sweep("iterations=5:45:10", refine={"iterations": Decimal(5)}, spec="mcts"))
    coarse = [point for point in result.points if not point.is_fine]
    best = max(coarse, key=lambda point: point.tally.pairs.score)
    around = {int(best.values[0]) - 5, int(best.values[0]) + 5} & set(range(5, 46))
    assert {int(point.values[0]) for point in result.points if point.is_fine} == around
    assert result.games == sum(point.tally.games.total for point in result.points) == 12 * (5 + len(around))
    values = [int(point.values[0]) for point, _ in result.in_order]
    assert values == sorted(values)


def test_the_fine_pass_of_two_options_keeps_the_best_word() -> None:
    plan = sweep("c=1:3:1", "playout=end|depth", refine={"c": Decimal("0.5")})
    assert plan.fine_grid(("2", "depth")) == [("1.5", "depth"), ("2.5", "depth")]


def test_a_point_may_be_the_opponent_itself() -> None:
    result = play(sweep("evaluation=A|D", spec="greedy", against="greedy:evaluation=A"))
    itself = next(point for point in result.points if point.values == ("A",))
    assert itself.tally.pairs.counts == (0, 0, 6, 0, 0)
    assert itself.margin.value == 0


def test_repeats_are_parts_of_the_same_games() -> None:
    whole, parts = play(sweep("c=1:2:1", games=12)), play(sweep("c=1:2:1", games=4, repeats=3))
    for one, three in zip(whole.points, parts.points, strict=True):
        assert one.tally == three.tally
        assert len(three.repeats) == 3
        assert np.mean([score for score, _ in three.repeats]) == pytest.approx(one.tally.pairs.score)
        assert np.mean([margin for _, margin in three.repeats]) == pytest.approx(one.margin.value)


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 20, 50])
def test_a_sweep_that_is_stopped_and_resumed_ends_as_if_it_never_was(games: int, tmp_path: Path) -> None:
    plan = sweep("c=0.5:2:0.5", refine={"c": Decimal("0.25")})
    unbroken = play(plan)

    def stop(state: EventProgress) -> None:
        if state.done >= games:
            raise KeyboardInterrupt

    with Store(tmp_path / "games.db") as store:
        with pytest.raises(KeyboardInterrupt):
            plan.run(store, runner_for(["random"], threads=1), progress=stop)
        assert 0 < plan.result(plan.stored(store)).games < unbroken.games
    with Store(tmp_path / "games.db") as store:
        assert plain(play(plan, store)) == plain(unbroken)


def test_the_best_point_by_margin() -> None:
    points = play(sweep("c=0.2:3:0.4")).points
    by_margin = play(sweep("c=0.2:3:0.4", by="margin"))
    assert by_margin.best.values == max(points, key=lambda point: point.margin.value).values


def test_tables_say_what_json_says() -> None:
    result = play(sweep("c=1:2:0.5", "playout=end|depth", repeats=2))
    data = result.to_json()
    assert json.loads(json.dumps(data)) == data
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(rows) == len(data["points"]) == 6
    for row, point in zip(rows, data["points"], strict=True):
        assert (row["c"], row["playout"], row["spec"]) == (*point["options"].values(), point["spec"])
        assert int(row["games"]) == point["games"] == 24
        assert float(row["score"]) == point["score"]
        assert float(row["margin_high"]) == point["margin_interval"][1]
        assert float(row["repeat_2_score"]) == point["repeats"][1]["score"]
        assert row["may_be_best"] == ("yes" if point["may_be_best"] else "no")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "fine", "labels"),
    [
        (("c=0.5:2:0.5",), {"c": Decimal("0.25")}, 2),
        (("playout=end|depth",), {}, 2),
        (("c=0.5:2:0.5", "playout=end|depth"), {}, 4),
        (("c=1:2:1", "draw=0:1:1"), {"c": Decimal("0.5"), "draw": Decimal("0.5")}, 8),
    ],
)
def test_pictures_are_drawn_and_the_same_each_time(options: tuple[str, ...], fine: Any, labels: int) -> None:
    result = play(sweep(*options, refine=fine, games=6, repeats=2))
    drawn = sweep_plot(result, ".svg")
    assert drawn == sweep_plot(result, ".svg")
    ElementTree.fromstring(drawn)
    text = drawn.decode()
    assert all(text.count(f"<!-- {option.partition('=')[0]} -->") == labels // 2 for option in options[:1])
    dots = sweep_plot(result, ".PNG")
    assert dots.startswith(b"\x89PNG")
    assert len(dots) > 10_000


@pytest.mark.parametrize(
    ("name", "complaint"), [("a.jpg", "named .png or .svg"), ("no/a.png", "no folder"), ("folder.svg", "is a folder")]
)
def test_a_picture_that_could_not_be_written_is_an_error_before_the_games(
    name: str, complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(ArenaError, match=complaint):
        check_plot_file(tmp_path / name)


@pytest.mark.parametrize(
    ("options", "changes", "complaint"),
    [
        ((), {}, "0 options"),
        (("c=1:2:1", "bias=0:1:1", "draw=0:1:1"), {}, "3 options"),
        (("c=1:2:1", "c=1:2:1"), {}, "given twice"),
        (("c=1:900:1", "draw=0:1:0.1"), {}, "9,900 points"),
        (("c=1:2:1",), {"refine": {"c": Decimal(1)}}, "below 1"),
        (("c=1:2:1",), {"refine": {"c": Decimal(0)}}, "above 0"),
        (("c=1:2:1",), {"refine": {"d": Decimal(1)}}, "only options with FROM:TO:STEP"),
        (("playout=end|depth",), {"refine": {"playout": Decimal(1)}}, "only options with FROM:TO:STEP"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_an_error(
    options: tuple[str, ...], changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ArenaError, match=complaint):
        sweep(*options, **changes)
