"""The methods that evolve weights, by name, for the command line and the page."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from flipdrop.errors import LearningError, quoted
from flipdrop.evaluation import default_evaluation, definitions_for_game
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import genome
from flipdrop.learning.genetic.online_ga import OnlineGA, OnlineSettings
from flipdrop.learning.genetic.position_ga import PositionGA
from flipdrop.learning.genetic.tournament_ga import TournamentGA
from flipdrop.options import option

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.learning.genetic.evolution import Evolution

Method = Literal["tournament-ga", "online-ga", "position-ga", "cma"]
METHODS: tuple[Method, ...] = get_args(Method)
_LEARNERS: dict[Method, type[Evolution]] = {
    "tournament-ga": TournamentGA,
    "online-ga": OnlineGA,
    "position-ga": PositionGA,
    "cma": EvolutionStrategy,
}


@dataclass(frozen=True, kw_only=True)
class EvolutionOptions:
    """The options of all methods; None is the default of the method. `OPTION_METHODS` says which method has which."""

    evaluation: str | None = option(
        None, "evaluation to evolve, and the signs of its weights: D, Seven, D(15,6,-10,-4,0,8)"
    )
    genes: Literal["weights", "squares"] | None = option(
        None, "evolve the weights, or the square table (default if there is a single weight)"
    )
    population: int | None = option(None, "tournament-ga, cma: number of vectors (default 50)", minimum=2)
    generations: int | None = option(
        None,
        "generations (default 300); online-ga: rounds, position-ga: generations per position (10, 30)",
        minimum=1,
    )
    depth: int = option(2, "search depth of the games in plies", minimum=1)
    fitness: Literal["points", "wins", "discs", "value"] | None = option(
        None, "2/1/0 points, wins minus losses or disc difference of games; value: evaluation of the position"
    )
    openings: str | None = option(None, "openings of the games (not position-ga): start, random:8, balanced:8, FILE")
    openings_per_generation: int | None = option(
        None, "tournament-ga, cma: number of openings per generation (default 1)", minimum=1
    )
    start: list[str] | None = option(None, "tournament-ga: a vector of the first population; may be repeated")
    mutation: float | None = option(
        None, "tournament-ga: mutation probability of a gene (default 0.2)", minimum=0, maximum=1
    )
    threshold: float | None = option(None, "tournament-ga: stop when best and worst fitness differ by at most this")
    positions: int | None = option(None, "online-ga, position-ga: number of positions (default 60 and 20)", minimum=1)
    position: str | None = option(None, "online-ga: a fixed position (default: those of the games it plays)")
    copy_probability: float | None = option(
        None, "online-ga: probability of copying the best vectors (default 0.9)", minimum=0, maximum=1
    )
    keep_probability: float | None = option(
        None, "position-ga: probability of keeping each of the best vectors (default 1)", minimum=0, maximum=1
    )
    competitor: list[str] | None = option(
        None, "position-ga: a vector that competes but does not breed; may be repeated"
    )
    final: Literal["mean", "random"] | None = option(
        None, "position-ga: the result is the mean of the winners (default), or a random one"
    )
    benchmark_every: int | None = option(None, "steps between benchmarks of the best vector; 0: never", minimum=0)

    def given(self) -> dict[str, Any]:
        """The options that are not None, as `make_evolution` and `steps_of` take them."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}


OPTION_METHODS: dict[str, tuple[Method, ...]] = {
    "population": ("tournament-ga", "cma"),
    "positions": ("online-ga", "position-ga"),
    "position": ("online-ga",),
    "openings": ("tournament-ga", "online-ga", "cma"),
    "openings_per_generation": ("tournament-ga", "cma"),
    "start": ("tournament-ga",),
    "mutation": ("tournament-ga",),
    "threshold": ("tournament-ga",),
    "copy_probability": ("online-ga",),
    "keep_probability": ("position-ga",),
    "competitor": ("position-ga",),
    "final": ("position-ga",),
}
"""The methods of each option that not all of them have."""

_POSITIONS = {"online-ga": 60, "position-ga": 20}
# Rounds of online-ga are short, positions of position-ga few.
_BENCHMARK_EVERY: dict[Method, int] = {"tournament-ga": 10, "online-ga": 100, "position-ga": 5, "cma": 10}


def make_evolution(
    method: Method,
    game: Game,
    *,
    seed: int,
    threads: int,
    evaluation: str | None = None,
    genes: Literal["weights", "squares"] | None = None,
    fitness: Any = None,
    generations: int | None = None,
    **options: Any,
) -> Evolution:
    """A learner of a method.

    :param options: those of `EvolutionOptions`
    """
    for name in options:
        if method not in OPTION_METHODS.get(name, METHODS):
            flag = name.replace("_", "-")
            raise LearningError(f"--{flag} is an option of {', '.join(OPTION_METHODS[name])}, not of {method}")
    if fitness == "value" and method in ("tournament-ga", "cma"):
        raise LearningError(
            f"--fitness value compares vectors on a position (online-ga, position-ga); {method} plays games"
        )
    if "position" in options and ("positions" in options or "openings" in options):
        raise LearningError("--position is fixed: give neither --positions nor --openings with it")
    learner = _LEARNERS[method]
    chosen = genome(evaluation or _default_evaluation(method, game), game, genes=genes)
    declared = {field.name for field in fields(learner.Settings)}
    given = {"benchmark_every": _BENCHMARK_EVERY[method]} | options
    given |= {"fitness_measure": fitness, "rounds": generations, "generations": generations}
    settings = {name: value for name, value in given.items() if name in declared and value is not None}
    if "start" in options:
        settings["start"] = chosen.vectors_of(options["start"])
    if "competitor" in options:
        settings["competitors"] = chosen.vectors_of(options["competitor"])
    if "position" in options:
        settings["position"] = game.position(options["position"])
    return learner(game, chosen, seed=seed, threads=threads, **settings)


def steps_of(method: Method, generations: int | None = None, **options: Any) -> int:
    """The number of steps that the options of `make_evolution` ask for."""
    if method in ("tournament-ga", "cma"):
        return 300 if generations is None else generations
    positions = 1 if "position" in options else options.get("positions", _POSITIONS[method])
    if method == "position-ga":
        return int(positions)
    return int(positions) * (OnlineSettings.rounds if generations is None else generations)


def evolvable_evaluations(game: Game) -> tuple[str, ...]:
    """The evaluations of a game that have weights to evolve."""
    found = []
    for definition in definitions_for_game(game):
        try:
            genome(definition.name, game)
        except LearningError:
            continue
        found.append(definition.name)
    return tuple(found)


def check_method(name: str) -> Method:
    for method in METHODS:
        if method == name:
            return method
    raise LearningError(f"unknown method {quoted(name, 20)}; methods are {', '.join(METHODS)}")


def _default_evaluation(method: Method, game: Game) -> str:
    seven = any(definition.name == "Seven" for definition in definitions_for_game(game))
    return "Seven" if method in ("online-ga", "position-ga") and seven else default_evaluation(game).name
