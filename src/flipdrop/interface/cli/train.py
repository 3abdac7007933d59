"""`flipdrop train`: a network that teaches itself."""

from __future__ import annotations

import dataclasses
from typing import Annotated

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

ENDING = ".onnx"


def train(
    game: GameName,
    out: OutFile,
    seconds: Seconds = None,
    minutes: Minutes = None,
    games: MaxGames = None,
    body: Annotated[
        str | None,
        typer.Option(metavar="LAYERS", help="The network: conv:3x32, dense:384-256-128 or conv:3x32+dense:64."),
    ] = None,
    simulations: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Simulations of a search that teaches the policy.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Any other setting of the training, such as noise=0.3."),
    ] = None,
    resume: ResumeRun = False,
    seed: Seed = None,
    threads: Threads = None,
    store: RunStore = None,
    no_store: NoRunStore = False,
    json: Json = False,
) -> None:
    """Train a network by its own games, and keep the one that wins its matches.

    The network guides a tree search; what the search finds out in games against itself is what the network learns next.
    Without options it follows the recipe that made the networks that come with flipdrop. Needs: pip install
    "flipdrop\\[train]".

    Without a limit it goes on for ever. Ctrl-C stops it; --resume goes on from the last checkpoint as if it had never
    stopped.

    Example: flipdrop train connect4 --minutes 60 --out my.onnx, then flipdrop play connect4 --against
    network:model=my.onnx
    """
    from flipdrop.learning.network import NetworkLearner, settings_for

    kind = game_of(game)
    if out.suffix != ENDING:
        raise LearningError(f"--out {out}: a file that network players can be made of ends in {ENDING}")
    changes = _changes(option or []) | {
        name: value for name, value in (("body", body), ("simulations", simulations)) if value is not None
    }
    learner = NetworkLearner(
        kind,
        settings_for(kind, **changes),
        seed=seed_for(out, seed, resume=resume),
        threads=thread_count(threads),
    )
    run_learner(
        learner,
        out,
        seconds=seconds_of(seconds, minutes),
        games=games,
        resume=resume,
        store=store,
        no_store=no_store,
        json=json,
        model_plays_as=f"network:model={out}",
    )


def _changes(options: list[str]) -> dict[str, object]:
    """``NAME=VALUE`` for settings of any type."""
    from flipdrop.learning.network import TrainingSettings

    fields = {field.name: type(field.default) for field in dataclasses.fields(TrainingSettings)}
    changes: dict[str, object] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if name not in fields or not equals:
            raise LearningError(f"--option {text!r}; write NAME=VALUE, where NAME is one of {', '.join(fields)}")
        kind: type = fields[name]
        try:
            changes[name] = kind(value)
        except ValueError:
            takes = "a whole number" if kind is int else "a number"
            raise LearningError(f"--option {text!r}; {name} takes {takes}") from None
    return changes
