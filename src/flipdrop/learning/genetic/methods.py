"""The methods that evolve weights, by name, for the command line and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from flipdrop.errors import LearningError, quoted
from flipdrop.evaluation import default_evaluation, definitions_for_game
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import genome
from flipdrop.learning.genetic.online_ga import ROUNDS, OnlineGA
from flipdrop.learning.genetic.position_ga import GENERATIONS, PositionGA
from flipdrop.learning.genetic.tournament_ga import RoundRobin, TournamentGA

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.learning.genetic.evolution import Evolution

Method = Literal["tournament-ga", "online-ga", "position-ga", "cma"]
METHODS: tuple[Method, ...] = get_args(Method)

OPTION_METHODS: dict[str, tuple[Method, ...]] = {
    "population": ("tournament-ga", "cma"),
    "positions": ("online-ga", "position-ga"),
    "position": ("online-ga",),
    "openings": ("tournament-ga", "online-ga", "cma"),
    "different": ("tournament-ga", "cma"),
    "start": ("tournament-ga",),
    "mutation": ("tournament-ga",),
    "threshold": ("tournament-ga",),
    "copying": ("online-ga",),
    "keep": ("position-ga",),
    "competitor": ("position-ga",),
    "final": ("position-ga",),
}
"""The methods of each option that not all of them have."""

_POSITIONS = {"online-ga": 60, "position-ga": 20}
# Rounds of online-ga are short, positions of position-ga few.
_EVERY: dict[Method, int] = {"tournament-ga": 10, "online-ga": 100, "position-ga": 5, "cma": 10}


def make_evolution(
    method: Method,
    game: Game,
    *,
    seed: int,
    threads: int,
    evaluation: str | None = None,
    genes: Literal["weights", "squares"] | None = None,
    depth: int = 2,
    fitness: Any = None,
    generations: int | None = None,
    every: int | None = None,
    **options: Any,
) -> Evolution:
    """A learner of a method.

    :param options: those of `OPTION_METHODS`
    """
    for name in options:
        if method not in OPTION_METHODS[name]:
            raise LearningError(f"--{name} is an option of {', '.join(OPTION_METHODS[name])}, not of {method}")
    if fitness == "value" and method in ("tournament-ga", "cma"):
        raise LearningError(
            f"--fitness value compares vectors on a position (online-ga, position-ga); {method} plays games"
        )
    if "position" in options and ("positions" in options or "openings" in options):
        raise LearningError("--position stays at hand: give neither --positions nor --openings with it")

    def some(*names: str) -> dict[str, Any]:
        return {name: options[name] for name in names if name in options}

    chosen = genome(evaluation or _default_evaluation(method, game), game, genes=genes)
    common: dict[str, Any] = {"seed": seed, "every": _EVERY[method] if every is None else every, "threads": threads}
    if method in ("tournament-ga", "cma"):
        round_robin = RoundRobin(
            depth=depth, fitness_measure=fitness or "points", **some("population", "openings", "different")
        )
        if method == "cma":
            return EvolutionStrategy(game, chosen, round_robin, **common)
        start = chosen.vectors_of(options.get("start", ()))
        return TournamentGA(game, chosen, round_robin, start=start, **some("mutation", "threshold"), **common)
    common |= {"depth": depth, "fitness_measure": fitness or "value"}
    if method == "online-ga":
        position = game.position(options["position"]) if "position" in options else None
        rounds = ROUNDS if generations is None else generations
        return OnlineGA(game, chosen, rounds=rounds, position=position, **some("openings", "copying"), **common)
    of_each = GENERATIONS if generations is None else generations
    competitors = chosen.vectors_of(options.get("competitor", ()))
    return PositionGA(game, chosen, generations=of_each, competitors=competitors, **some("keep", "final"), **common)


def steps_of(method: Method, generations: int | None = None, **options: Any) -> int:
    """How many steps of the learner the settings ask for."""
    if method in ("tournament-ga", "cma"):
        return 300 if generations is None else generations
    positions = 1 if "position" in options else options.get("positions", _POSITIONS[method])
    if method == "position-ga":
        return int(positions)
    return int(positions) * (ROUNDS if generations is None else generations)


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
