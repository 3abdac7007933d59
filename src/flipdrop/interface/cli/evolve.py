"""`flipdrop evolve`: weights of an evaluation by a genetic algorithm, or by CMA-ES."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import LearnerOptions, OutFile, check_extension, run_learner
from flipdrop.interface.cli.options import GameName
from flipdrop.learning.genetic.methods import EvolutionOptions, Method, make_evolution, steps_of


def evolve(
    game: GameName,
    evolution: EvolutionOptions,
    options: LearnerOptions,
    method: Annotated[Method, typer.Option(help="A genetic algorithm, or CMA-ES on the games of tournament-ga.")] = (
        "tournament-ga"
    ),
    out: OutFile = Path("best.weights"),
) -> None:
    """Evolve the weights of an evaluation.

    tournament-ga: vectors play a double round robin. online-ga: they are compared on the current position of a game.
    position-ga: they evolve on mid-game positions, and the winners are averaged. cma: CMA-ES on the games of
    tournament-ga; it needs the extra "tune".

    Ctrl-C stops the run, --resume continues it, and the weights are the same as without the interruption.

    Example: flipdrop evolve othello --method tournament-ga --population 50 --generations 300 --out best.weights
    """
    check_extension(out, ".weights", "alphabeta")
    given = evolution.given()
    learner = make_evolution(method, game_of(game), seed=options.seed_for(out), threads=options.thread_count, **given)
    run_learner(
        learner,
        out,
        options,
        steps=steps_of(method, **given),
        model_spec=f"alphabeta:depth={learner.options.depth},evaluation={out}",
        more=lambda: {
            "weights": dict(learner.weights),
            "table": list(learner.weights.table) or None,
            "evaluation": learner.weights.evaluation,
            "reused": learner.reused,
        },
    )
    if not options.json:
        if learner.reused:
            typer.echo(f"{learner.reused:,} results came from the cache")
        typer.echo("weights: " + ", ".join(f"{name} {gene:.4g}" for name, gene in learner.genes.items()))
