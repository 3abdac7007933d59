"""The methods that evolve weights, by name, for the command line and the page."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from flipdrop.errors import LearningError, quoted
from flipdrop.evaluation import definitions_for_game
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import Genes, genome
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


_OPTIONS_BESIDE_SETTINGS: dict[str, tuple[Method, ...]] = {
    "positions": ("online-ga", "position-ga"),
    "position": ("online-ga",),
    "start": ("tournament-ga",),
    "competitor": ("position-ga",),
}


def methods_with(name: str) -> tuple[Method, ...]:
    """The methods that have an option."""
    return _OPTIONS_BESIDE_SETTINGS.get(name) or tuple(
        method for method, learner in _LEARNERS.items() if any(field.name == name for field in fields(learner.Settings))
    )


def _setting(name: str) -> Any:
    """The option of a setting, as the settings of the learners declare it, but with the default None."""
    methods = methods_with(name)
    declared = next(field for field in fields(_LEARNERS[methods[0]].Settings) if field.name == name)
    about = declared.metadata
    prefix = "" if methods == METHODS else f"{', '.join(methods)}: "
    default = "" if declared.default is None else f" (default {declared.default})"
    return option(None, f"{prefix}{about['description']}{default}", minimum=about["minimum"], maximum=about["maximum"])


@dataclass(frozen=True, kw_only=True)
class EvolutionOptions:
    """The command-line options of all methods; None is the default of the method."""

    evaluation: str | None = option(
        None, "evaluation to evolve, and the signs of its weights: D, Seven, D(15,6,-10,-4,0,8)"
    )
    genes: Genes | None = option(None, "evolve the weights, or the square table (default if there is a single weight)")
    population: int | None = _setting("population")
    generations: int | None = option(
        None,
        "generations (default 300); online-ga: rounds, position-ga: generations per position (10, 30)",
        minimum=1,
    )
    depth: int | None = _setting("depth")
    fitness: Literal["points", "wins", "discs", "value"] | None = option(
        None, "2/1/0 points, wins minus losses or disc difference of games; value: evaluation of the position"
    )
    openings: str | None = option(None, "openings of the games (not position-ga): start, random:8, balanced:8, FILE")
    openings_per_generation: int | None = _setting("openings_per_generation")
    start: list[str] | None = option(None, "tournament-ga: a vector of the first population; may be repeated")
    mutation: float | None = _setting("mutation")
    elite_breeds: bool | None = _setting("elite_breeds")
    threshold: float | None = _setting("threshold")
    positions: int | None = option(None, "online-ga, position-ga: number of positions (default 60 and 20)", minimum=1)
    position: str | None = option(None, "online-ga: a fixed position (default: those of the games it plays)")
    copy_probability: float | None = _setting("copy_probability")
    keep_probability: float | None = _setting("keep_probability")
    competitor: list[str] | None = option(
        None, "position-ga: a vector that competes but does not breed; may be repeated"
    )
    final: Literal["mean", "random"] | None = _setting("final")
    benchmark_every: int | None = option(None, "steps between benchmarks of the best vector; 0: never", minimum=0)

    def given(self) -> dict[str, Any]:
        """The options that are not None, as `make_evolution` and `steps_of` take them."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}


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
    genes: Genes | None = None,
    fitness: Any = None,
    generations: int | None = None,
    **options: Any,
) -> Evolution:
    """A learner of a method.

    :param options: those of `EvolutionOptions`
    """
    for name in options:
        if method not in (methods := methods_with(name)):
            flag = name.replace("_", "-")
            raise LearningError(f"--{flag} is an option of {', '.join(methods)}, not of {method}")
    if fitness == "value" and method in ("tournament-ga", "cma"):
        raise LearningError(
            f"--fitness value compares vectors on a position (online-ga, position-ga); {method} plays games"
        )
    if "position" in options and ("positions" in options or "openings" in options):
        raise LearningError("--position is fixed: give neither --positions nor --openings with it")
    learner = _LEARNERS[method]
    learner.check_packages()
    chosen = genome(evaluation or _default_evaluation(method, game), game, genes=genes)
    given = {"benchmark_every": _BENCHMARK_EVERY[method]} | options
    given |= {"fitness_measure": fitness, "rounds": generations, "generations": generations}
    declared = {field.name for field in fields(learner.Settings)}
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
    seven = method in ("online-ga", "position-ga") and game.family == "othello"
    return "Seven" if seven else game.default_evaluation
