"""Python functions as evaluations: arguments, allowed results, and failures."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from typing import Any

import pytest

from flipdrop import ConnectFour, FlipdropError, Othello
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.kernel import Evaluation as KernelEvaluation
from flipdrop.search import Minimax, SearchReport
from tests.strategies import ALL_GAMES, AnyGame


def discs(position: Othello) -> int:
    return position.discs[0] - position.discs[1]


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_a_function_gets_the_position_itself(game: AnyGame) -> None:
    seen: list[Any] = []
    position = game.start().play(game.start().legal_moves[0])

    def look(given: Any) -> float:
        seen.append(given)
        return 2.5

    assert evaluation(look).score(position) == 2.5
    assert seen == [position]
    assert type(seen[0]) is type(position)


def test_a_function_gets_the_users_own_class() -> None:
    class Mine(Othello):
        __slots__ = ()

    assert evaluation(lambda position: float(type(position) is Mine)).score(Mine(size=6).play("c2")) == 1


class Answer:
    def __float__(self) -> float:
        return 7.0


@pytest.mark.parametrize(("answer", "score"), [(3, 3.0), (-2.5, -2.5), (True, 1.0), (Answer(), 7.0), (2**60, 2.0**60)])
def test_answers_of_a_function(answer: Any, score: float) -> None:
    assert evaluation(lambda _: answer).score(Othello()) == score


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "None"),
        ("abc", "'abc'"),
        ("12", "'12'"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        pytest.param(10**400, "1" + "0" * 299 + "…", id="too large"),
        pytest.param(10**9999, "a int", id="more digits than Python writes"),
        ([1.0], "[1.0]"),
        (1j, "1j"),
        pytest.param("a\nb" * 3000, "'a\\nba\\nb", id="long"),
    ],
)
def test_wrong_answers_of_a_function(answer: object, shown: str) -> None:
    def nonsense(_: Othello) -> Any:
        return answer

    for call in (evaluation(nonsense).score, evaluation(nonsense).explain):
        with pytest.raises(FlipdropError) as caught:
            call(Othello())
        message = str(caught.value)
        assert "nonsense gave " + shown in message
        assert f"for {Othello()!r}; a finite number is needed" in message
        assert "\n" not in message
        assert len(message) < 800


def test_a_function_that_raises() -> None:
    def hopeless(position: Othello) -> float:
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea") as caught:
        evaluation(hopeless).score(Othello())
    assert caught.value.args == ("no idea",)
    assert caught.value.__notes__ == [f"while evaluation {hopeless.__qualname__} scored {Othello()!r}"]
    assert evaluation(discs).score(Othello()) == 0  # nothing is left behind


def test_an_answer_that_raises_when_it_is_read() -> None:
    class Trap:
        def __float__(self) -> float:
            raise PermissionError("not now")

    with pytest.raises(PermissionError, match="not now") as caught:
        evaluation(lambda _: Trap()).score(Othello())  # type: ignore[arg-type, return-value]
    assert "while evaluation" in caught.value.__notes__[0]


def test_breakdown_of_a_function() -> None:
    answers = iter([4.0, 5.0])
    breakdown = evaluation(lambda _: next(answers)).explain(ConnectFour())
    (term,) = breakdown.terms
    assert (term.feature, term.weight, term.contribution, breakdown.total) == (4, 1, 4, 4)
    assert "lambda" in term.name


def test_names_of_functions() -> None:
    class Scorer:
        def __call__(self, position: object) -> float:
            return 1

    named = {
        evaluation(discs).name: "discs",
        evaluation(functools.partial(discs)).name: "partial",
        evaluation(Scorer()).name.rpartition(".")[2]: "Scorer",
        evaluation(len).name: "len",
    }
    assert all(found == expected for found, expected in named.items())
    assert (str(evaluation(discs)), repr(evaluation(discs))) == ("discs", "evaluation(discs)")


def test_a_function_may_use_evaluations() -> None:
    inner = evaluation("D")
    assert evaluation(lambda position: -inner.score(position)).score(Othello()) == -32


def test_threads_may_ask_the_same_function() -> None:
    scorer = evaluation(discs)
    scores: list[float] = []
    position = Othello().play("f5")

    def ask() -> None:
        scores.extend(scorer.score(position) for _ in range(300))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == [3] * 1200


def search(scorer: Evaluation, threads: int) -> SearchReport:
    return Minimax(algorithm="minimax", depth=5, evaluation=scorer, threads=threads).search(Othello())


def test_function_in_several_threads() -> None:
    """Those are the kernel's own threads, which Python does not know. Two of them meet inside the function."""
    inner, meeting = evaluation("D"), threading.Barrier(2)
    met: set[int] = set()

    def score(position: Othello) -> float:
        if (me := threading.get_ident()) not in met and len(met) < 2:
            met.add(me)
            meeting.wait(timeout=30)
        return inner.score(position)

    assert search(evaluation(score), threads=3).value == search(inner, threads=1).value
    assert len(met) == 2


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_error_in_a_search_thread(threads: int) -> None:
    def fails_deep_down(position: Othello) -> float:
        if position.ply > 4:
            raise LookupError("too deep")
        return 0

    with pytest.raises(LookupError, match="too deep"):
        search(evaluation(fails_deep_down), threads)
    with pytest.raises(FlipdropError, match="gave 'deep' for"):
        search(evaluation(lambda _: "deep"), threads)  # type: ignore[arg-type, return-value]


@pytest.mark.slow
def test_garbage_collection_of_functions() -> None:
    class Scorer:
        made: KernelEvaluation

        def __call__(self, position: object) -> float:
            return 0

    scorer = Scorer()
    scorer.made = KernelEvaluation.from_function(scorer)
    gone = weakref.ref(scorer)
    del scorer
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("nonsense", [None, 3, object()])
def test_objects_that_are_no_function(nonsense: Any) -> None:
    with pytest.raises(FlipdropError, match="a function of a position, not"):
        evaluation(nonsense)
    with pytest.raises(TypeError):
        KernelEvaluation.from_function(nonsense)
