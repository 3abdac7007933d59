"""`flipdrop learn`: Q-learning, Sarsa and TD(lambda) by self-play, and the evaluation of the Othello engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from flipdrop.errors import LearningError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import LearnerOptions, Setting, check_extension, parse_settings, run_learner
from flipdrop.interface.cli.options import GameName
from flipdrop.learning.linear import LinearLearner, LinearSettings
from flipdrop.learning.patterns import EvaluationLearner, EvaluationSettings, PatternLearner, PatternSettings
from flipdrop.learning.tables import TableLearner, TableSettings, fits_a_table
from flipdrop.options import option

if TYPE_CHECKING:
    from flipdrop.learning import Learner
    from flipdrop.learning.tables import Exploitability

Rule = Literal["q", "sarsa", "td", "evaluation"]
With = Literal["table", "linear", "patterns"]

DEFAULT_SECONDS = 60.0
_SETTINGS: dict[With, Any] = {"table": TableSettings, "linear": LinearSettings, "patterns": PatternSettings}
_PLAYERS: dict[With, str] = {"table": "table", "linear": "linear", "patterns": "pattern"}


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """The options of `learn` beside those of all learners; None is the default of the representation."""

    with_: With | None = option(None, "representation of values (default: table on small boards, else patterns)")
    learning_rate: float | None = option(None, "initial learning rate")
    epsilon: float | None = option(None, "share of random moves, 0 to 1")
    lambda_: float | None = option(None, "trace decay of TD(lambda), 0 to 1")
    patterns: str | None = option(None, "set of patterns, such as classic or walks:70x8")
    until_optimal: bool = option(False, "table: stop when the table plays perfectly")


def learn(
    rule: Annotated[Rule, typer.Argument(metavar="RULE", help="q (Q-learning), sarsa, td (TD(lambda)) or evaluation.")],
    game: GameName,
    chosen: LearnOptions,
    options: LearnerOptions,
    setting: Setting = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The model; .csv and .png (curve) and .checkpoint are written beside it.",
            show_default="such as q-othello4.table",
        ),
    ] = None,
) -> None:
    """Learn by self-play (60 s by default).

    On small boards a table holds the value of every position, and the exact solver measures how far from perfect it
    plays; on other boards a pattern network learns the values on all cores. --with linear learns weights of features by
    q or sarsa on any board. The learning curve is saved beside the model.

    The rule evaluation learns the network of the Othello engine and of the exact solver from exact scores and searches,
    backwards from the end of the game. It ends by itself, with the defaults after some ten minutes on two cores.

    Ctrl-C stops the run and --resume continues it. With one thread, a table, linear or evaluation the model is the same
    as that of an uninterrupted run.

    Examples:

    flipdrop learn q othello4 --out q.table --seconds 60 --seed 1

    flipdrop learn sarsa connect4:4x4 --epsilon 0.2 --set reward=result --minutes 5

    flipdrop learn q othello --with linear --set features=squares --seconds 30

    flipdrop learn td othello --minutes 15 --out td.pattern

    flipdrop learn evaluation othello --set positions=100000 --out my.pattern
    """
    kind = game_of(game)
    with_ = chosen.with_ or ("table" if fits_a_table(kind) and rule != "evaluation" else "patterns")
    if rule == "evaluation" and with_ != "patterns":
        raise LearningError(f"--with {with_}: the evaluation of the engine is a pattern network")
    if chosen.until_optimal and with_ != "table":
        raise LearningError("--until-optimal needs a table; only a table is compared with the solver")
    player = _PLAYERS[with_]
    model = out or Path(f"{rule}-{kind.name.translate(str.maketrans(':,=', '---'))}.{player}")
    check_extension(model, f".{player}", player)
    schema = EvaluationSettings if rule == "evaluation" else _SETTINGS[with_]
    given = {
        "rate": chosen.learning_rate,
        "epsilon": chosen.epsilon,
        "lambda_": chosen.lambda_,
        "patterns": chosen.patterns,
    }
    settings = parse_settings(schema, setting, given)
    seed = options.seed_for(model)
    learner: Learner
    table: TableLearner | None = None
    if rule == "evaluation":
        learner = EvaluationLearner(kind, seed=seed, threads=options.thread_count, **settings)
    elif with_ == "table":
        learner = table = TableLearner(kind, rule, seed=seed, until_optimal=chosen.until_optimal, **settings)
    elif with_ == "linear":
        learner = LinearLearner(kind, rule, seed=seed, **settings)
    else:
        learner = PatternLearner(kind, rule, seed=seed, threads=options.thread_count, **settings)
    run_learner(
        learner,
        model,
        options,
        seconds=None if options.games is not None or chosen.until_optimal or rule == "evaluation" else DEFAULT_SECONDS,
        model_spec=f"{player}:model={model}",
        more=lambda: {"with": with_} | ({} if table is None else _table_info(table)),
    )
    exploitability = None if table is None or options.json else table.exploitability()
    if table is not None and exploitability is not None:
        typer.echo(_format_exploitability(table, exploitability))


def _table_info(learner: TableLearner) -> dict[str, Any]:
    exploitability = learner.exploitability()
    if exploitability is None:
        return {"positions": learner.size, "optimal": None}
    return {
        "positions": learner.size,
        "optimal": exploitability.is_optimal,
        "worst_case_value": list(map(learner.as_score, exploitability.worst_case_value)),
        "solved": learner.as_score(exploitability.solved),
        "decisions": exploitability.decisions,
        "kept": exploitability.kept,
    }


def _format_exploitability(learner: TableLearner, exploitability: Exploitability) -> str:
    first, second = map(learner.as_score, exploitability.worst_case_value)
    solved = learner.as_score(exploitability.solved)
    return (
        f"worst case against any opponent: {first:+d} as first and {second:+d} as second side; perfect play gets "
        f"{solved:+d} and {-solved:+d}: {'perfect' if exploitability.is_optimal else 'not perfect yet'}\n"
        f"{exploitability.kept:,} of {exploitability.decisions:,} decisions in such games keep the result; "
        f"{learner.size:,} positions in the table"
    )
