"""Monte Carlo tree search: whole trees against the slow Python version, option by option; strength."""

import dataclasses
import itertools
import math
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello, Position, game
from flipdrop.errors import FlipdropError, SearchError
from flipdrop.evaluation import default_evaluation, evaluation
from flipdrop.kernel import MctsTree, Proof, tree_below, tree_children
from flipdrop.search import Mcts, Minimax
from tests.reference.mcts import Node, ReferenceMcts, decisive_moves
from tests.search.test_minimax import midgames

PROOFS = {"": Proof.NONE, "win": Proof.WIN, "draw": Proof.DRAW, "loss": Proof.LOSS}


def assert_same_tree(tree: MctsTree, position: Position, reference: Node, index: int | None = None) -> None:
    """Every node: its move, visits, mean and proof."""
    found = tree_children(tree, position) if index is None else tree_children(tree, position, index)
    expected = reference.children or []
    assert [node.move for node in found] == [node.move for node in expected]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.visits == theirs.visits
        assert ours.mean == (theirs.sum / theirs.visits if theirs.visits else 0)
        assert ours.proof == PROOFS[theirs.proof]
        assert_same_tree(tree, position, theirs, ours.index)


def assert_grows_the_reference_tree(search: Mcts, position: Position) -> None:
    tree = MctsTree()
    report = search.search(position, tree=tree)
    scorer = search.evaluation or default_evaluation(position.game)
    guided_move = -1
    if search.guide and sum(position.discs) <= search.guide_discs:
        guided_move = Minimax(depth=search.guide, evaluation=search.evaluation).search(position).best
    reference = ReferenceMcts(search, position, scorer.score, guided_move)
    root = reference.run()
    assert_same_tree(tree, position, root)
    assert report.best == reference.best().move
    if not root.proof:
        assert report.nodes == search.iterations
    assert sum(node.visits for node in tree_children(tree, position)) == report.nodes


def random_openings(number: int) -> list[Position]:
    random = Random(1)
    positions: list[Position] = []
    for _ in range(number):
        position: Position = Othello()
        for _ in range(random.randrange(2, 22)):
            position = position.play(random.choice(position.legal_moves))
        positions.append(position)
    return positions


# Each option of the reports, and what it makes of the plain search.
OTHELLO_OPTIONS: list[dict[str, object]] = [
    {},
    {"c": 0.0},
    {"c": 3.0},
    {"expand": 0.5},
    {"playouts": 3},
    {"reward": "margin", "c": 50.0},
    {"reward": "margin", "win_bonus": 0.0, "corner_bonus": 0.0, "c": 20.0},
    {"reward": "margin", "win_bonus": 20.0, "corner_bonus": 200.0, "corner_bonus_at": "leaf", "c": 50.0, "playouts": 2},
    {"draw": -1.0},
    {"draw": -1.0, "opponent_draw": -1.0},
    {"draw": -1.0, "opponent_draw": -1.0, "rave": 50.0, "playouts": 3, "batch": 2},
    {"playout": "depth", "depth": 5},
    {"playout": "depth", "depth": 4, "perspective": "searcher", "reward": "evaluation", "c": 40.0},
    {"playout": "depth", "depth": 5, "perspective": "searcher", "evaluation": evaluation("C"), "bias": 1.0},
    {"playout": "depth", "depth": 0, "evaluation": evaluation("Seven"), "reward": "evaluation", "c": 40.0},
    {"playout": "depth", "depth": 10, "reward": "squashed", "scale": 30.0, "evaluation": evaluation("C")},
    {"reward": "evaluation", "evaluation": evaluation("A"), "c": 10.0},
    {"guide": 2, "guide_bonus": 0.5},
    {"guide": 3, "guide_discs": 10},
    {"guide": 2, "guide_bonus": 1000.0, "reward": "margin", "c": 50.0, "expand": 0.5, "final": "ucb"},
    {"bias": 2.0},
    {"rave": 50.0},
    {"rave": 50.0, "bias": 1.0, "expand": 0.7, "playouts": 2},
    {"solver": False},
    {"batch": 2, "c": 0.1},
    {"batch": 2, "c": 0.1, "rave": 50.0, "expand": 0.7},
    {"final": "visits"},
    {"final": "ucb"},
    {"final": "ucb", "tie_width": 0.1},
    {"final": "visits", "tie_width": 5.0, "tie_table": "penalty"},
    {"schedule": "0:60;20:90/4"},
]
OF_OTHELLO = ("tie_width", "perspective", "win_bonus")
CHOICE_ONLY = ({"final"}, {"final", "tie_width"}, {"final", "tie_width", "tie_table"})
"""Options that choose another move from the same tree."""
CONNECT_FOUR_OPTIONS: list[dict[str, object]] = [
    *(
        {k: v for k, v in o.items() if k != "evaluation"}
        for o in OTHELLO_OPTIONS
        if o.get("reward") != "margin" and not any(name in o for name in OF_OTHELLO)
    ),
    {"decisive": "root"},
    {"decisive": "tree"},
    {"decisive_playouts": True},
    {"decisive": "tree", "decisive_playouts": True, "draw": -1.0, "playouts": 10},
]


@pytest.mark.parametrize("options", OTHELLO_OPTIONS, ids=str)
@settings(max_examples=6)
@given(position=midgames(("othello", "othello6", "othello4")), seed=st.integers(0, 2**64 - 1))
def test_reference_trees_of_othello(options: dict[str, object], position: Position, seed: int) -> None:
    search = Mcts(seed=seed, **{"iterations": 90, **options})  # type: ignore[arg-type]
    if search.schedule:  # the reference has no stages: it gets the iterations of this one
        iterations = 60 if position.ply < 20 else 90
        tree = MctsTree()
        search.search(position, tree=tree)
        plain = dataclasses.replace(search, schedule="", iterations=iterations)
        assert_same_tree(tree, position, ReferenceMcts(plain, position).run())
        return
    assert_grows_the_reference_tree(search, position)


@pytest.mark.slow
@pytest.mark.parametrize("options", [o for o in CONNECT_FOUR_OPTIONS if "schedule" not in o], ids=str)
@settings(max_examples=6)
@given(
    position=midgames(("connect4", "connect4:4x4", "connect4:9x9", "connect4:12x12,forbid=f2"), plies=40),
    seed=st.integers(0, 2**64 - 1),
)
def test_reference_trees_of_connect_four(options: dict[str, object], position: Position, seed: int) -> None:
    assert_grows_the_reference_tree(Mcts(seed=seed, **{"iterations": 120, **options}), position)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [o for o in OTHELLO_OPTIONS[1:-1] if "guide_discs" not in o and set(o) not in CHOICE_ONLY], ids=str
)
def test_every_option_makes_a_difference(options: dict[str, object]) -> None:
    """Othello from a middle game: if an option did nothing, its tree would be the plain one."""
    position = Othello.from_transcript("f5d6c3d3c4f4f6f3e6e7d7g6")
    late = ({"draw": -1.0}, {"draw": -1.0, "opponent_draw": -1.0}, {"solver": False})
    iterations = 4000 if options in late else 300
    if iterations > 300:
        position = Othello(size=4).play("b1").play("a1").play("a2")  # where games end within the tree
    reports = [Mcts(iterations=iterations, seed=5, **changes).search(position) for changes in ({}, options)]  # type: ignore[arg-type]
    assert reports[0].moves != reports[1].moves


def test_final_move() -> None:
    position = Othello.from_transcript("f5d6c3d3c4")
    by_mean, by_visits, by_ucb = (
        Mcts(iterations=400, seed=1, final=final).search(position) for final in ("mean", "visits", "ucb")
    )
    assert by_mean.value == max(move.value for move in by_mean.moves)
    assert by_visits.moves[0].visits == max(move.visits for move in by_visits.moves)
    ucb = [m.value + 0.5**0.5 * math.sqrt(2 * math.log(400) / m.visits) for m in by_ucb.moves]
    assert ucb == sorted(ucb, reverse=True)
    visits = [{m.move: m.visits for m in report.moves} for report in (by_mean, by_visits, by_ucb)]
    assert visits[0] == visits[1] == visits[2]


def test_near_ties() -> None:
    position = Othello("-OX-----" + "--OX----" + "---O----" + "---OX---" + "---XO---" + "--------" * 3 + " X")
    assert 0 in position.legal_moves
    search = Mcts(iterations=300, seed=3, tie_width=1e9)
    assert search.search(position).best == 0
    narrow = Mcts(iterations=300, seed=3, tie_width=1e-9).search(position)
    assert narrow.best == Mcts(iterations=300, seed=3).search(position).best


def test_only_wins_count() -> None:
    """A draw is worth a loss to both sides: in a drawn game, the values of both sides' moves add up to less than 0."""
    position = ConnectFour.from_transcript("1213243", columns=4, rows=4)
    means = {}
    for opponent in (None, -1.0):
        tree = MctsTree()
        search = Mcts(iterations=2000, seed=1, draw=-1.0, opponent_draw=opponent, solver=False)
        search.search(position, tree=tree)
        child = max(tree_children(tree, position), key=lambda node: node.visits)
        replies = tree_children(tree, position, child.index)
        means[opponent] = child.mean, sum(r.mean * r.visits for r in replies) / sum(r.visits for r in replies)
    assert means[None][0] == pytest.approx(-means[None][1], abs=0.01)
    assert means[-1.0][0] + means[-1.0][1] < -0.1


def test_schedule_by_stage() -> None:
    search = Mcts(schedule="0:50;10:80/3;30:20", playout="depth", depth=7)
    line = [Othello()]
    while not line[-1].is_over:
        line.append(line[-1].play(line[-1].legal_moves[0]))
    for position in line[:-1]:
        expected = 50 if position.ply < 10 else 80 if position.ply < 30 else 20
        report = search.search(position)
        assert report.nodes == expected or report.proven


def test_corners_at_once() -> None:
    search = Mcts(iterations=50, corners=True)
    position = Othello("--------" * 2 + "--------" + "---OX---" + "---XO---" + "--------" * 3 + " X")
    assert search.search(position).nodes == 50
    ready = Othello("-OX-----" + "--OX----" + "---O----" + "---OX---" + "---XO---" + "--------" * 3 + " X")
    assert 0 in ready.legal_moves
    report = search.search(ready)
    assert (report.best, report.nodes) == (0, 0)
    assert "corner" in report.note


@pytest.mark.slow
@settings(max_examples=200)
@given(position=midgames(("connect4", "connect4:4x4", "connect4:5x4,forbid=c2", "connect4:9x10,forbid=e1"), plies=70))
def test_decisive_moves_at_the_root(position: Position) -> None:
    report = Mcts(iterations=20, decisive="root").search(position)
    assert sorted(move.move for move in report.moves) == sorted(decisive_moves(position))


def test_guidance() -> None:
    position = Othello.from_transcript("f5d6c3d3")
    proposed = Minimax(depth=3).search(position).best
    report = Mcts(iterations=300, guide=3, guide_bonus=100.0, final="visits").search(position)
    assert report.best == proposed
    assert report.moves[0].visits > 250
    late = Mcts(iterations=300, guide=3, guide_bonus=100.0, guide_discs=4, final="visits").search(position)
    assert late.moves[0].visits < 250


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "bonuses"),
    [
        ({"final": "mean"}, (0.0, 0.05, 0.1, 0.2, 0.4, 1.0, 5.0)),
        ({"final": "visits"}, (0.0, 0.05, 0.1, 0.2, 0.4, 1.0, 5.0)),
        ({"final": "ucb"}, (0.0, 0.05, 0.1, 0.2, 0.4, 1.0, 10.0)),
        ({"final": "mean", "rave": 50.0, "bias": 1.0}, (0.0, 0.05, 0.1, 0.2, 0.4, 1.0, 10.0)),
        ({"final": "ucb", "reward": "margin", "c": 50.0, "expand": 0.5}, (0.0, 5.0, 20.0, 100.0, 1000.0)),
        ({"final": "mean", "reward": "margin", "c": 50.0, "expand": 0.5}, (0.0, 5.0, 20.0, 100.0, 1000.0)),
    ],
    ids=str,
)
def test_growing_guide_bonus(options: dict[str, object], bonuses: tuple[float, ...]) -> None:
    positions = [position for position in random_openings(15) if len(position.legal_moves) > 2]
    counts = [
        sum(
            Mcts(iterations=200, guide=3, guide_bonus=bonus, seed=seed, **options).search(position).best  # type: ignore[arg-type]
            == Minimax(depth=3).search(position).best
            for position in positions
            for seed in range(16)
        )
        for bonus in bonuses
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == 16 * len(positions)


@pytest.mark.slow
@pytest.mark.parametrize("final", ["mean", "visits", "ucb"])
def test_fine_steps_of_the_guide_bonus(final: str) -> None:
    """Another bonus is another sequence of random games, so counts of a few hundred searches may fall by chance."""
    proposed = {p: Minimax(depth=3).search(p).best for p in random_openings(15) if len(p.legal_moves) > 2}
    searches = 100 * len(proposed)
    shares = [
        sum(
            Mcts(iterations=200, guide=3, guide_bonus=bonus, seed=seed, final=final).search(position).best == move
            for position, move in proposed.items()
            for seed in range(100)
        )
        / searches
        for bonus in (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)
    ]
    error = math.sqrt(0.25 / searches)  # at most, of one share
    assert all(later > earlier - 2 * error for earlier, later in itertools.pairwise(shares))
    assert shares[-1] > shares[0] + 4 * error


@given(
    position=midgames(("othello", "othello6"), plies=20),
    seed=st.integers(0, 2**64 - 1),
    iterations=st.sampled_from((1, 2, 5, 200)),
    options=st.sampled_from(({}, {"expand": 0.5}, {"reward": "margin", "c": 50.0}, {"batch": 2}, {"rave": 50.0})),
    final=st.sampled_from(("mean", "visits", "ucb")),
)
def test_large_guide_bonus(
    position: Position, seed: int, iterations: int, options: dict[str, object], final: str
) -> None:
    search = Mcts(iterations=iterations, seed=seed, guide=2, guide_bonus=1e6, final=final, **options)  # type: ignore[arg-type]
    report = search.search(position)
    guided = Minimax(depth=2).search(position).best
    assert report.best == guided or (report.proven and report.value == 1) or proven_loss(search, position, guided)
    assert all(abs(move.value) < 1000 for move in report.moves)  # values are without the bonus


def proven_loss(search: Mcts, position: Position, move: int) -> bool:
    tree = MctsTree()
    search.search(position, tree=tree)
    return any(node.move == move and node.proof == Proof.LOSS for node in tree_children(tree, position))


@pytest.mark.parametrize("final", ["mean", "visits", "ucb"])
def test_a_proven_loss_outranks_guidance(final: str) -> None:
    position = ConnectFour.from_transcript("231415")  # yellow wins at 6 unless red plays there
    worst = evaluation("lines", weights=(-1, -7, -6, -9))
    guided = Minimax(depth=1, evaluation=worst).search(position).best
    assert position.move_name(guided) != "6"
    search = Mcts(iterations=2000, guide=1, guide_bonus=1e6, evaluation=worst, final=final, seed=1)
    assert position.move_name(search.search(position).best) == "6"
    assert search.with_options(solver=False).search(position).best == guided


# Proofs --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=60)
@given(position=midgames(("connect4:4x4", "othello4"), plies=16), seed=st.integers(0, 1000))
def test_proofs_are_true(position: Position, seed: int) -> None:
    report = Mcts(iterations=20_000, seed=seed).search(position)
    exact = Minimax(depth=30, all_moves=True).search(position)
    sign = {move.move: (move.value > 0) - (move.value < 0) for move in exact.moves}
    if report.proven:
        assert report.value == sign[exact.best]
        assert sign[report.best] == sign[exact.best]


def test_small_games_are_proven() -> None:
    report = Mcts(iterations=200_000, seed=1).search(Othello.from_transcript("b1a1a2", size=4))
    assert report.proven
    assert report.nodes < 200_000


def test_proven_losses_are_avoided() -> None:
    position = ConnectFour.from_transcript("44556")  # yellow has to stop 3 and 7: 3 or 7 both lose, but not at once
    report = Mcts(iterations=3000, seed=2).search(position)
    assert report.proven
    assert report.value == -1


# Threads and trees that are kept --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["othello", "connect4", "connect4:9x9"])
def test_threads_share_one_tree(name: str) -> None:
    tree = MctsTree()
    position = game(name).start()
    report = Mcts(iterations=20_000, threads=4, seed=3, rave=20.0).search(position, tree=tree)
    assert report.nodes == 20_000
    children = tree_children(tree, position)
    assert sum(child.visits for child in children) == 20_000
    assert all(-1 <= child.mean <= 1 for child in children)
    for child in children:
        grandchildren = tree_children(tree, position, child.index)
        # The second visit expands the node. How many visits stay there until it is done is up to the scheduler: a
        # thread that waits for a core in the middle of an expansion lets the others pass by.
        assert bool(grandchildren) == (child.visits >= 2)
        assert sum(g.visits for g in grandchildren) <= child.visits


def test_a_tree_is_kept_and_grows_on() -> None:
    position = Othello()
    tree = MctsTree()
    search = Mcts(iterations=2000, seed=1)
    first = search.search(position, tree=tree)
    reply = first.line[1]
    below = tree_below(tree, position, [first.best, reply])
    later = position.play(first.best).play(reply)
    kept = sum(child.visits for child in tree_children(below, later))
    assert kept > 10
    original = next(c for c in tree_children(tree, position) if c.move == first.best)
    original = next(c for c in tree_children(tree, position, original.index) if c.move == reply)
    assert [(c.move, c.visits, c.mean) for c in tree_children(below, later)] == [
        (c.move, c.visits, c.mean) for c in tree_children(tree, position, original.index)
    ]
    second = search.search(later, tree=below)
    assert sum(move.visits for move in second.moves) == kept + 2000
    assert tree_below(tree, position, [first.best, first.best]).size == 1


def test_nodes_are_small() -> None:
    assert MctsTree.node_bytes <= 40


# Budgets -------------------------------------------------------------------------------------------------------------


@pytest.mark.timing
def test_budgets_of_iterations_nodes_and_time() -> None:
    assert Mcts().search(Othello()).nodes == 1000
    assert Mcts(iterations=123).search(Othello()).nodes == 123
    tree = MctsTree()
    Mcts(nodes=500).search(Othello(), tree=tree)
    assert 500 <= tree.size < 540
    began = time.process_time()
    report = Mcts(seconds=0.2).search(Othello())
    assert report.seconds > 0.19
    assert time.process_time() - began < 2


def test_seeds() -> None:
    same = [Mcts(iterations=500, seed=9).search(Othello()).moves for _ in range(2)]
    assert same[0] == same[1] != Mcts(iterations=500, seed=10).search(Othello()).moves


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"iterations": 0}, "iterations=0"),
        ({"seconds": 0.0}, "seconds=0:"),
        ({"c": float("nan")}, "c=nan"),
        ({"c": -1.0}, "at least 0"),
        ({"expand": 0.0}, "more than 0"),
        ({"playout": "half"}, "end, depth"),
        ({"reward": "fame"}, "win, margin, evaluation, squashed"),
        ({"playout": "depth", "reward": "win"}, "needs playout=end"),
        ({"schedule": "ten:1"}, "PLY:ITERATIONS"),
        ({"draw": 2.0}, "at most 1"),
    ],
)
def test_bad_settings(options: dict[str, object], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match=expected_error):
        Mcts(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (Othello, {"decisive": "tree"}),
        (Othello, {"decisive_playouts": True}),
        (ConnectFour, {"corners": True}),
        (ConnectFour, {"reward": "margin"}),
        (ConnectFour, {"tie_width": 1.0}),
        (ConnectFour, {"perspective": "searcher"}),
    ],
)
def test_options_of_the_other_game(position: type[Position], options: dict[str, object]) -> None:
    with pytest.raises(SearchError, match="belong"):
        Mcts(**options).search(position())  # type: ignore[arg-type]


def test_a_finished_game_and_a_pass() -> None:
    with pytest.raises(SearchError, match="the game is over"):
        Mcts().search(ConnectFour.from_transcript("1212121"))
    passing = Othello("-XXXXXXO" + "XXXXXXXX" * 7 + " X")
    assert Mcts(iterations=10).search(passing).best == passing.pass_move


def test_functions_that_fail() -> None:
    def broken(position: Position) -> float:
        raise ZeroDivisionError("by hand")

    def confused(position: Position) -> float:
        return float("nan")

    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError, match="by hand"):
            Mcts(playout="depth", evaluation=evaluation(broken), threads=threads).search(Othello())
        with pytest.raises(FlipdropError, match="confused"):
            Mcts(bias=1.0, evaluation=evaluation(confused), threads=threads).search(Othello())


def test_more_iterations_play_better() -> None:
    """Connect Four after 4 4 4 4 4: only some moves keep red's win; a long search finds one."""
    position = ConnectFour.from_transcript("1")
    few, many = (Mcts(iterations=n, seed=4).search(position) for n in (30, 30_000))
    assert many.moves[0].visits > few.moves[0].visits
    assert position.move_name(many.best) in ("3", "4")  # the centre, or next to it, holds the first player
