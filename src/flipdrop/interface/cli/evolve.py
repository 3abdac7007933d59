"""`flipdrop evolve`: weights of an evaluation by a genetic algorithm, or by CMA-ES."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from flipdrop.errors import LearningError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import (
    MaxGames,
    Minutes,
    NoRunStore,
    OutFile,
    ResumeRun,
    RunStore,
    Seconds,
    run_learner,
    seconds_of,
    seed_for,
)
from flipdrop.interface.cli.options import GameName, Json, Seed, Threads, thread_count

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.learning.genetic import Evolution, Genome

Method = Literal["R1", "R2", "R5", "cma"]

# Which methods know an option that not all of them know.
_KNOWN_TO: dict[str, tuple[Method, ...]] = {
    "population": ("R1", "cma"),
    "positions": ("R2", "R5"),
    "position": ("R2",),
    "openings": ("R1", "R2", "cma"),
    "different": ("R1", "cma"),
    "start": ("R1",),
    "mutation": ("R1",),
    "threshold": ("R1",),
    "copying": ("R2",),
    "keep": ("R5",),
    "pacemaker": ("R5",),
    "final": ("R5",),
}
_POSITIONS = {"R2": 60, "R5": 20}
_EVERY = {"R1": 10, "R2": 100, "R5": 5, "cma": 10}  # rounds of R2 are short, positions of R5 few


def evolve(
    game: GameName,
    method: Annotated[
        Method, typer.Option(help="A report's genetic algorithm, or CMA-ES on the fitness of R1.")
    ] = "R1",
    evaluation: Annotated[
        str | None,
        typer.Option(metavar="E", help="What evolves, and its signs: D, Seven, B, lines, ... or D(15,6,-10,-4,0,8)."),
    ] = None,
    genes: Annotated[
        Literal["weights", "squares"] | None,
        typer.Option(help="Its weights, or its table of squares; weights unless it has but one."),
    ] = None,
    population: Annotated[
        int | None, typer.Option(metavar="N", help="R1, cma: vectors; 50 unless said. R2 and R5 have ten.")
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Unless said 300; R2: 10 rounds, R5: 30 generations on each position."),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="N", help="Plies that games look ahead.")] = 2,
    fitness: Annotated[
        Literal["points", "wins", "discs", "value"] | None,
        typer.Option(
            help="2/1/0 points, wins minus losses, or disc difference of games; R2 and R5: value of the position."
        ),
    ] = None,
    openings: Annotated[
        str | None, typer.Option(metavar="X", help="R1, R2, cma: where games begin: start, random:8, balanced:8, FILE.")
    ] = None,
    different: Annotated[
        int | None, typer.Option(metavar="N", help="R1, cma: openings drawn for a generation; one unless said.")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(metavar="E", help="R1: in the first population, D.initial-1 or D(5,5,-10,-4,4,4). Repeat it."),
    ] = None,
    mutation: Annotated[
        float | None, typer.Option(metavar="P", help="R1: probability that a gene mutates; 0.2 unless said.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(metavar="F", help="R1: stop when best and worst fitness differ by no more.")
    ] = None,
    positions: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="R2, R5: positions to evolve on; 60 and 20 unless said.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="POSITION", help="R2: the one at hand; those of games it plays unless said.")
    ] = None,
    copying: Annotated[
        float | None, typer.Option(metavar="P", help="R2: probability that the best are copied; 0.9 unless said.")
    ] = None,
    keep: Annotated[
        float | None, typer.Option(metavar="P", help="R5: probability that each of the best is kept; 1 unless said.")
    ] = None,
    pacemaker: Annotated[
        list[str] | None, typer.Option(metavar="E", help="R5: one that competes but does not breed. Repeat it.")
    ] = None,
    final: Annotated[
        Literal["mean", "random"] | None, typer.Option(help="R5: the mean of the winners, or a random one.")
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Measure the best against E every N steps; 0 for never."),
    ] = None,
    out: OutFile = Path("best.weights"),
    seconds: Seconds = None,
    minutes: Minutes = None,
    games: MaxGames = None,
    seed: Seed = None,
    threads: Threads = None,
    resume: ResumeRun = False,
    store: RunStore = None,
    no_store: NoRunStore = False,
    json: Json = False,
) -> None:
    """Evolve the weights of an evaluation.

    R1: vectors play a double round robin of real games. R2: they are compared on the position at hand. R5: they evolve
    on mid-game positions, and the winners are averaged. cma: CMA-ES by the games of R1; it needs the extra "tune".

    Ctrl-C stops the run, --resume goes on with it, and the weights are the same as if it had not been stopped.

    Example: flipdrop evolve othello --method R1 --population 50 --generations 300 --seed 1 --out best.weights
    """
    from flipdrop.learning.genetic import genome

    given = {
        "population": population,
        "positions": positions,
        "position": position,
        "openings": openings,
        "different": different,
        "start": start,
        "mutation": mutation,
        "threshold": threshold,
        "copying": copying,
        "keep": keep,
        "pacemaker": pacemaker,
        "final": final,
    }
    options = {name: value for name, value in given.items() if value is not None}
    _check(method, options, fitness, out)
    kind = game_of(game)
    chosen = genome(evaluation or _default_evaluation(method, kind), kind, genes=genes)
    common = {
        "seed": seed_for(out, seed, resume=resume),
        "every": _EVERY[method] if every is None else every,
        "threads": thread_count(threads),
    }
    learner = _learner(method, kind, chosen, depth, fitness, generations, options, common)
    run_learner(
        learner,
        out,
        seconds=seconds_of(seconds, minutes),
        games=games,
        steps=_steps(method, generations, options),
        resume=resume,
        store=store,
        no_store=no_store,
        json=json,
        model_plays_as=f"alphabeta:depth={depth},evaluation={out}",
        more=lambda: (
            {"weights": dict(learner.weights), "table": list(learner.weights.table) or None}
            | {"evaluation": learner.weights.evaluation, "reused": learner.reused}
        ),
    )
    if not json:
        if learner.reused:
            typer.echo(f"{learner.reused:,} more games were known from before")
        typer.echo("weights: " + ", ".join(f"{name} {gene:.4g}" for name, gene in learner.genes.items()))


def _default_evaluation(method: Method, game: Game) -> str:
    """The evaluation of the report, or the game's usual one."""
    from flipdrop.evaluation import default_evaluation, definitions_for_game

    seven = any(definition.name == "Seven" for definition in definitions_for_game(game))
    return "Seven" if method in ("R2", "R5") and seven else default_evaluation(game).name


def _check(method: Method, options: dict[str, Any], fitness: str | None, out: Path) -> None:
    for name in options:
        if method not in _KNOWN_TO[name]:
            raise LearningError(f"--{name} is an option of {', '.join(_KNOWN_TO[name])}, not of {method}")
    if fitness == "value" and method in ("R1", "cma"):
        raise LearningError(f"--fitness value compares on a position, as R2 and R5 do; {method} plays games")
    if "position" in options and ("positions" in options or "openings" in options):
        raise LearningError("--position stays at hand: give neither --positions nor --openings with it")
    if out.suffix != ".weights":
        raise LearningError(f"--out {out}: players find weights in files whose names end in .weights")


def _steps(method: Method, generations: int | None, options: dict[str, Any]) -> int:
    """How many steps of the learner were asked for."""
    if method in ("R1", "cma"):
        return 300 if generations is None else generations
    positions = 1 if "position" in options else options.get("positions", _POSITIONS[method])
    if method == "R5":
        return int(positions)
    from flipdrop.learning.genetic.online import ROUNDS

    return int(positions) * (ROUNDS if generations is None else generations)


def _learner(
    method: Method,
    game: Game,
    genome: Genome,
    depth: int,
    fitness: Any,
    generations: int | None,
    options: dict[str, Any],
    common: dict[str, Any],
) -> Evolution:
    from flipdrop.learning.genetic import Contest, EvolutionStrategy, OnlineGA, PositionsGA, TournamentGA
    from flipdrop.learning.genetic.online import ROUNDS
    from flipdrop.learning.genetic.positions import GENERATIONS

    def some(*names: str) -> dict[str, Any]:
        return {name: options[name] for name in names if name in options}

    if method in ("R1", "cma"):
        contest = Contest(depth=depth, worth=fitness or "points", **some("population", "openings", "different"))
        if method == "cma":
            return EvolutionStrategy(game, genome, contest, **common)
        start = genome.vectors_of(options.get("start", ()))
        return TournamentGA(game, genome, contest, start=start, **some("mutation", "threshold"), **common)
    common |= {"depth": depth, "judging": fitness or "value"}
    if method == "R2":
        at_hand = game.position(options["position"]) if "position" in options else None
        rounds = ROUNDS if generations is None else generations
        return OnlineGA(game, genome, rounds=rounds, position=at_hand, **some("openings", "copying"), **common)
    of_each = GENERATIONS if generations is None else generations
    pacemakers = genome.vectors_of(options.get("pacemaker", ()))
    return PositionsGA(game, genome, generations=of_each, pacemakers=pacemakers, **some("keep", "final"), **common)
