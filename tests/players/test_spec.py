"""Specs: parsing, canonical form, errors."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello
from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.evaluation import Evaluation, Weights, evaluation, write_weights
from flipdrop.games import OthelloGame
from flipdrop.players import (
    LEVELS,
    PLAYER_TYPES,
    FlatMonteCarlo,
    GreedyPlayer,
    LevelPlayer,
    Option,
    RandomPlayer,
    SearchPlayer,
    player,
)
from flipdrop.search import Mcts, Minimax
from flipdrop.search.book import shipped_book
from flipdrop.search.othello_book import OthelloBook
from tests.strategies import any_text, surrogates

D = evaluation("D", weights=(15, 6, -10, -4, 8, 9))


@pytest.mark.parametrize(
    ("spec", "search", "canonical"),
    [
        ("minimax", Minimax(algorithm="minimax"), "minimax"),
        ("alphabeta:depth=6", Minimax(algorithm="alphabeta", depth=6), "alphabeta:depth=6"),
        ("ITERATIVE: seconds = 0.5 , depth=9", Minimax(depth=9, seconds=0.5), "iterative:depth=9,seconds=0.5"),
        ("iterative:all_moves=TRUE,threads=1", Minimax(all_moves=True), "iterative:all_moves=yes"),
        ("mcts:iterations=1_000,c=1", Mcts(iterations=1000, c=1), "mcts:iterations=1000,c=1"),
        ("mcts:solver=off,draw=-1", Mcts(solver=False, draw=-1), "mcts:draw=-1,solver=no"),
        (
            "mcts:schedule=0:300/10;20:150/15,final=visits",
            Mcts(schedule="0:300/10;20:150/15", final="visits"),
            "mcts:schedule=0:300/10;20:150/15,final=visits",
        ),
        (
            "alphabeta:evaluation=D",
            Minimax(algorithm="alphabeta", evaluation=evaluation("D")),
            "alphabeta:evaluation=D",
        ),
        (
            "alphabeta:depth=2,evaluation=D(15/6/-10/-4/8/9)",
            Minimax(algorithm="alphabeta", depth=2, evaluation=D),
            "alphabeta:evaluation=D(15/6/-10/-4/8/9),depth=2",
        ),
        (
            "alphabeta:evaluation=D(15,6,-10,-4,8,9),depth=2",
            Minimax(algorithm="alphabeta", depth=2, evaluation=D),
            "alphabeta:evaluation=D(15/6/-10/-4/8/9),depth=2",
        ),
        ("mcts:seed=18446744073709551615", Mcts(seed=2**64 - 1), "mcts:seed=18446744073709551615"),
    ],
)
def test_a_search_from_its_spec(spec: str, search: Minimax | Mcts, canonical: str) -> None:
    made = player(spec)
    assert isinstance(made, SearchPlayer)
    assert made.search == search
    assert made.spec == str(made) == canonical
    assert player(canonical).spec == canonical
    assert SearchPlayer(search).spec == canonical


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("random", RandomPlayer()),
        ("random:seed=4", RandomPlayer(seed=4)),
        ("greedy:evaluation=A", GreedyPlayer(evaluation=evaluation("A"))),
        ("flat:games=10,threads=2", FlatMonteCarlo(games=10, threads=2)),
    ],
)
def test_a_simple_player_from_its_spec(spec: str, expected: object) -> None:
    assert player(spec) == expected
    assert str(expected) == spec
    assert repr(expected) == f"player({spec!r})"


def test_reuse_is_an_option_of_the_tree_search() -> None:
    made = player("mcts:reuse=yes,iterations=9")
    assert isinstance(made, SearchPlayer)
    assert made.reuse
    assert made.spec == "mcts:iterations=9,reuse=yes"


@pytest.mark.parametrize(
    ("spec", "number"), [("level:1", 1), ("level:10", 10), ("beginner", 2), ("Expert", 8), ("level: 4 , seed=3", 4)]
)
def test_a_level_from_its_spec(spec: str, number: int) -> None:
    made = player(spec)
    assert isinstance(made, LevelPlayer)
    assert made.number == number
    assert made.name == f"level:{number}"
    assert player(made.spec).spec == made.spec


def test_default_seed() -> None:
    assert player("random", seed=5).spec == "random:seed=5"
    assert player("random:seed=1", seed=5).spec == "random:seed=1"
    assert player("mcts", seed=5).spec == "mcts:seed=5"
    assert player("level:3", seed=5).spec == "level:3,seed=5"
    assert player("expert:seed=6", seed=5).spec == "level:8,seed=6"
    assert player("greedy", seed=5).spec == "greedy"
    assert player("mcts:c=2", seed=5).name == "mcts:c=2"


def test_default_threads() -> None:
    assert player("iterative", threads=2).spec == "iterative:threads=2"
    assert player("iterative:threads=3", threads=2).spec == "iterative:threads=3"
    assert player("random", threads=2).spec == "random"


MISTAKES = [
    ("", "players are random, greedy"),
    ("mtcs", "did you mean mcts?"),
    ("alphabet:depth=3", "did you mean alphabeta?"),
    ("chess", "my_agent.py:MyAgent"),
    ("mcts:", "nothing follows the colon"),
    ("mcts:iteration=5", "did you mean iterations"),
    ("mcts:foo=1", "options are iterations, seconds,"),
    ("iterative:algorithm=minimax", "no option 'algorithm'"),
    ("random:depth=1", "options are seed"),
    ("mcts:iterations=many", "expected a whole number of at least 1 (simulations for a move)"),
    ("mcts:iterations=1.5", "a whole number"),
    ("mcts:iterations=0", "at least 1"),
    ("mcts:iterations=", "write iterations=VALUE"),
    ("mcts:iterations", "write iterations=VALUE"),
    ("mcts:solver=perhaps", "yes or no"),
    ("mcts:c=nan", "finite"),
    ("mcts:c=x", "expected a number"),
    ("mcts:seed=-1", "at least 0"),
    ("mcts:playout=long", "end, depth"),
    ("mcts:schedule=5", "PLY:ITERATIONS"),
    ("mcts:c=1,c=2", "c is given twice"),
    ("mcts:c=1,,draw=0", "no option ''"),
    ("mcts:reuse=yes,decisive=root", "decisive=root"),
    ("iterative:depth=201", "at most 200"),
    ("iterative:seconds=0", "more than 0"),
    ("flat:games=0", "at least 1"),
    ("alphabeta:evaluation=E", "evaluations are A, B"),
    ("alphabeta:evaluation=D(1/2)", "2 weights for evaluation D"),
    ("alphabeta:evaluation=D(1/2/x/4/5/6)", "'x'"),
    ("alphabeta:evaluation=D(15/6/-10/-4/8/nan)", "finite"),
    ("alphabeta:evaluation=missing.weights", "missing.weights: No such file"),
    ("level", "levels are 1 to 10"),
    ("level:", "nothing follows the colon"),
    ("level:0", "levels are 1 to 10"),
    ("level:11", "levels are 1 to 10"),
    ("level:x", "levels are 1 to 10"),
    ("level:³", "levels are 1 to 10"),
    ("level:3,depth=2", "options are seed, threads"),
    ("expert:3", "no option '3'"),
]


@pytest.mark.parametrize(("spec", "expected_error"), MISTAKES)
def test_messages(spec: str, expected_error: str) -> None:
    with pytest.raises(PlayerError) as caught:
        player(spec)
    message = str(caught.value)
    assert message.removeprefix("unknown ").startswith(f"player {spec!r}")
    assert expected_error in message
    assert "\n" not in message


def test_a_number_is_no_player() -> None:
    with pytest.raises(TypeError, match="a player is a spec such as"):
        player(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spec", "game", "expected_error"),
    [
        ("greedy:evaluation=lines", "othello", "lines is for Connect Four"),
        ("iterative:depth=90,evaluation=D", "connect4:9x10", "D is for Othello"),
        ("mcts:corners=yes", "connect4", "belongs to Othello"),
        ("mcts:decisive=tree", "othello6", "belong to Connect Four"),
        ("mcts:seconds=600,playout=depth,evaluation=D", "connect4", "D is for Othello"),
    ],
)
def test_options_that_do_not_suit_the_game(spec: str, game: str, expected_error: str) -> None:
    player(spec)
    with pytest.raises(PlayerError, match=expected_error):
        player(spec, game=game)


@pytest.mark.parametrize("spec", ["random", "mcts:seconds=600,guide=20", "iterative:seconds=600", "level:10", "flat"])
@pytest.mark.parametrize("game", ["othello", "connect4:4x4"])
def test_check_of_the_game_is_quick(spec: str, game: str) -> None:
    assert player(spec, game=game).spec == spec


def test_weights_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.weights"
    weights = Weights("B", table=[float(n) for n in range(16)])
    write_weights(path, weights)
    made = player(f"alphabeta:evaluation={path}")
    assert isinstance(made, SearchPlayer)
    assert isinstance(made.search, Minimax)
    assert made.search.evaluation is not None
    assert made.search.evaluation.weights == weights
    assert made.spec == f"alphabeta:evaluation={path}"
    assert made.choose(Othello()) in Othello().legal_moves


def test_evaluation_function_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def score(position):\n    return float(position.discs[position.to_move])\nnumber = 3\n")
    made = player(f"greedy:evaluation={path}:score")
    assert made.spec == f"greedy:evaluation={path}:score"
    start = Othello().play("f5").play("f6")
    fewest = min(start.legal_moves, key=lambda move: start.play(move).discs[1])
    assert made.choose(start) == fewest
    with pytest.raises(PlayerError, match="function of a position"):
        player(f"greedy:evaluation={path}:number")
    with pytest.raises(PlayerError, match="it has score"):
        player(f"greedy:evaluation={path}:scores")


@pytest.mark.parametrize("spec", ["agent.py:Agent", "greedy:evaluation=x.weights", "greedy:evaluation=x.py:f"])
def test_files_that_are_not_allowed(spec: str) -> None:
    with pytest.raises(PlayerError, match=r"not (run|read) here"):
        player(spec, allow_code=False)


def test_every_level_plays_both_games() -> None:
    assert list(LEVELS) == list(range(1, 11))
    for level in LEVELS.values():
        player(level.othello, game="othello4")
        player(level.connect_four, game="connect4:4x4")
        assert player(level.othello).spec == level.othello
        assert player(level.connect_four).spec == level.connect_four


def test_threads_of_levels() -> None:
    for number in LEVELS:
        for game, first in ((Othello().game, 10), (ConnectFour().game, 9)):
            made = LevelPlayer(number, threads=3).player_of(game)
            assert ("threads=3" in made.spec) == (number >= first)


# Any text, and any options.

PUNCTUATION = [":", ":", ",", ",", "=", "=", "/", "(", ")", ".py"]
OPTIONS = sorted({option.name for kind in PLAYER_TYPES.values() for option in kind.options})
words = st.sampled_from([*PLAYER_TYPES, *OPTIONS, *PUNCTUATION, "level", "expert", "D", "1", "-1"])


@given(any_text() | surrogates() | st.lists(words | st.text(max_size=3), max_size=12).map("".join))
def test_arbitrary_specs(text: str) -> None:
    with suppress(FlipdropError):
        made = player(text, allow_code=False)
        assert player(made.spec, allow_code=False).spec == made.spec


@given(any_text() | surrogates())
def test_arbitrary_files(text: str) -> None:
    for spec in (f"{text}.py:Agent", f"/nowhere/{text}.py", f"greedy:evaluation=/nowhere/{text}"):
        with pytest.raises(FlipdropError):
            player(spec)


TEXTS = {
    "schedule": st.sampled_from(["", "0:5", "0:300/10;20:150/15"]),
    "reward": st.sampled_from(["", "evaluation", "squashed"]),
    "decisive": st.sampled_from(["no", "tree"]),
}


def values(option: Option) -> st.SearchStrategy[Any]:
    if option.type is Evaluation:
        weight = st.floats(-1e6, 1e6)
        return st.tuples(*[weight] * 6).map(lambda weights: evaluation("D", weights=weights))
    if option.type is bool:
        return st.booleans()
    if option.type is OthelloBook:
        return st.sampled_from([None, shipped_book(OthelloGame())])
    if option.type is str:
        return TEXTS[option.name] if option.name in TEXTS else st.sampled_from(option.choices)
    if option.type is Path:
        return st.sampled_from([Path("my.onnx"), Path("/nets/my best.onnx")])
    if option.type is int:
        return st.integers(int(option.minimum or 0), int(option.maximum or 10**9))
    return st.floats(option.above or option.minimum or 0, option.maximum or 1e9, exclude_min=option.above is not None)


@st.composite
def canonical_players(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    kind = draw(st.sampled_from(sorted(set(PLAYER_TYPES) - {"table", "linear"})))  # they need a file
    chosen = draw(st.lists(st.sampled_from(PLAYER_TYPES[kind].options), unique=True))
    return kind, {option.name: draw(values(option)) for option in chosen}


@given(canonical_players())
def test_specs_round_trip(drawn: tuple[str, dict[str, Any]]) -> None:
    kind, options = drawn
    made = PLAYER_TYPES[kind].build(**options)
    again = player(made.spec)
    assert again.spec == made.spec
    if isinstance(made, SearchPlayer):
        assert isinstance(again, SearchPlayer)
        assert (again.search, again.reuse) == (made.search, made.reuse)
    else:
        assert again == made
