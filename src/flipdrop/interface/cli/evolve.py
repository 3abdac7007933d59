"""`flipdrop evolve`: weights of an evaluation by a genetic algorithm, or by CMA-ES."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

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

Method = Literal["tournament-ga", "online-ga", "position-ga", "cma"]


def evolve(
    game: GameName,
    method: Annotated[Method, typer.Option(help="A genetic algorithm, or CMA-ES on the games of tournament-ga.")] = (
        "tournament-ga"
    ),
    evaluation: Annotated[
        str | None,
        typer.Option(metavar="E", help="What evolves, and its signs: D, Seven, B, lines, ... or D(15,6,-10,-4,0,8)."),
    ] = None,
    genes: Annotated[
        Literal["weights", "squares"] | None,
        typer.Option(help="Evolve its weights or its table of squares. [default: squares if it has a single weight]"),
    ] = None,
    population: Annotated[
        int | None, typer.Option(metavar="N", help="tournament-ga, cma: number of vectors. [default: 50]")
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Generations; online-ga, position-ga: per position. [default: 300, 10, 30]"),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="N", help="Search depth of the games, in plies.")] = 2,
    fitness: Annotated[
        Literal["points", "wins", "discs", "value"] | None,
        typer.Option(help="2/1/0 points, wins minus losses, or margin of games; value: evaluation of the position."),
    ] = None,
    openings: Annotated[
        str | None,
        typer.Option(metavar="X", help="Openings of games (not position-ga): start, random:8, balanced:8, FILE."),
    ] = None,
    different: Annotated[
        int | None, typer.Option(metavar="N", help="tournament-ga, cma: openings per generation. [default: 1]")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(metavar="E", help="tournament-ga: add D(5,5,-10,-4,4,4) to the first population. Repeatable."),
    ] = None,
    mutation: Annotated[
        float | None, typer.Option(metavar="P", help="tournament-ga: mutation probability of a gene. [default: 0.2]")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(metavar="F", help="tournament-ga: stop when best minus worst fitness is at most F.")
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="online-ga, position-ga: positions to evolve on. [default: 60, 20]"),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(metavar="POSITION", help="online-ga: a fixed position. [default: those of games it plays]"),
    ] = None,
    copying: Annotated[
        float | None, typer.Option(metavar="P", help="online-ga: probability of copying the best. [default: 0.9]")
    ] = None,
    keep: Annotated[
        float | None,
        typer.Option(metavar="P", help="position-ga: probability of keeping each best vector. [default: 1]"),
    ] = None,
    competitor: Annotated[
        list[str] | None,
        typer.Option(metavar="E", help="position-ga: a vector that competes but does not breed. Repeatable."),
    ] = None,
    final: Annotated[
        Literal["mean", "random"] | None,
        typer.Option(help="position-ga: the mean of the winners, or a random winner. [default: mean]"),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Benchmark the best vector against E every N steps; 0 for never."),
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

    tournament-ga: vectors play a double round robin. online-ga: they are compared on the current position of a game.
    position-ga: they evolve on mid-game positions, and the winners are averaged. cma: CMA-ES on the games of
    tournament-ga; it needs the extra "tune".

    Ctrl-C stops the run, --resume continues it, and the weights are the same as without the interruption.

    Example: flipdrop evolve othello --method tournament-ga --population 50 --generations 300 --out best.weights
    """
    from flipdrop.learning.genetic.methods import make_evolution, steps_of

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
        "competitor": competitor,
        "final": final,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if out.suffix != ".weights":
        raise LearningError(f"--out {out}: players find weights in files whose names end in .weights")
    learner = make_evolution(
        method,
        game_of(game),
        evaluation=evaluation,
        genes=genes,
        depth=depth,
        fitness=fitness,
        generations=generations,
        every=every,
        seed=seed_for(out, seed, resume=resume),
        threads=thread_count(threads),
        **options,
    )
    run_learner(
        learner,
        out,
        seconds=seconds_of(seconds, minutes),
        games=games,
        steps=steps_of(method, generations, **options),
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
