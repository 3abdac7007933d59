"""`flipdrop train`: a policy and value network by self-play."""

from __future__ import annotations

from typing import Annotated

from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import (
    LearnerOptions,
    OutFile,
    Setting,
    check_extension,
    parse_settings,
    run_learner,
)
from flipdrop.interface.cli.options import GameName, setting_option
from flipdrop.learning.network import NetworkLearner, TrainingSettings, settings_for


def train(
    game: GameName,
    out: OutFile,
    options: LearnerOptions,
    body: Annotated[str | None, setting_option(TrainingSettings, "body", metavar="LAYERS")] = None,
    simulations: Annotated[int | None, setting_option(TrainingSettings, "simulations")] = None,
    setting: Setting = None,
) -> None:
    """Train a network by self-play; the model is the network that won its matches.

    The network guides a tree search, and learns from the moves and results of games that the search plays against
    itself. The default settings are those of the networks that come with flipdrop. Needs the extra "train".

    Without a limit the training does not end. Ctrl-C stops it; --resume continues from the last checkpoint with the
    same result as an uninterrupted run.

    Example: flipdrop train connect4 --minutes 60 --out my.onnx, then flipdrop play connect4 --against
    network:model=my.onnx
    """
    kind = game_of(game)
    check_extension(out, ".onnx", "network")
    given = {"body": body, "simulations": simulations}
    settings = settings_for(kind, **parse_settings(TrainingSettings, setting, given))
    learner = NetworkLearner(kind, settings, seed=options.seed_for(out), threads=options.thread_count)
    run_learner(learner, out, options, model_spec=f"network:model={out}")
