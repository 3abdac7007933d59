"""`flipdrop learn`: Q-learning, Sarsa and TD(lambda) by self-play, and move ordering for the exact Othello solver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from flipdrop.errors import LearningError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import LearnerOptions, Setting, check_extension, parse_settings, run_learner
from flipdrop.interface.cli.options import GameName
from flipdrop.learning.patterns import EndgameLearner, EndgameSettings, PatternLearner, PatternSettings
from flipdrop.learning.tables import TableLearner, TableSettings, fits_a_table

if TYPE_CHECKING:
    from flipdrop.learning import Learner
    from flipdrop.learning.tables import Exploitability

Rule = Literal["q", "sarsa", "td", "endgame"]
With = Literal["table", "patterns"]

DEFAULT_SECONDS = 60.0


def learn(
    rule: Annotated[Rule, typer.Argument(metavar="RULE", help="q (Q-learning), sarsa, td (TD(lambda)) or endgame.")],
    game: GameName,
    options: LearnerOptions,
    with_: Annotated[
        With | None,
        typer.Option("--with", help="Representation of values.", show_default="table on small boards, else patterns"),
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(metavar="X", help="Initial learning rate.")] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="X", help="Share of random moves, 0 to 1.")] = None,
    lambda_: Annotated[
        float | None, typer.Option("--lambda", metavar="X", help="Trace decay of TD(lambda), 0 to 1.")
    ] = None,
    patterns: Annotated[
        str | None, typer.Option(metavar="NAME", help="Set of patterns, such as classic or walks:70x8.")
    ] = None,
    setting: Setting = None,
    until_optimal: Annotated[
        bool, typer.Option("--until-optimal", help="Table: stop when the table plays perfectly.")
    ] = False,
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
    plays; on other boards a pattern network learns the values on all cores. The learning curve is saved beside the
    model.

    The rule endgame learns the move ordering of the exact Othello solver from its own games and exact scores.

    Ctrl-C stops the run and --resume continues it. With one thread, a table or endgame the model is the same as that of
    an uninterrupted run.

    Examples:

    flipdrop learn q othello4 --out q.table --seconds 60 --seed 1

    flipdrop learn sarsa connect4:4x4 --epsilon 0.2 --set reward=result --minutes 5

    flipdrop learn td othello --minutes 15 --out td.pattern

    flipdrop learn endgame othello --minutes 15 --out my.pattern; flipdrop solve othello --ordering my.pattern ...
    """
    kind = game_of(game)
    use_table = rule != "endgame" and (with_ or ("table" if fits_a_table(kind) else "patterns")) == "table"
    if rule == "endgame" and with_ == "table":
        raise LearningError("--with table: the move ordering of endgames is a pattern network")
    if until_optimal and not use_table:
        raise LearningError("--until-optimal needs a table; a pattern network cannot be compared with the solver")
    player, extension = ("table", ".table") if use_table else ("pattern", ".pattern")
    model = out or Path(f"{rule}-{kind.name.translate(str.maketrans(':,=', '---'))}{extension}")
    check_extension(model, extension, player)
    schema = TableSettings if use_table else EndgameSettings if rule == "endgame" else PatternSettings
    given = {"rate": learning_rate, "epsilon": epsilon, "lambda_": lambda_, "patterns": patterns}
    settings = parse_settings(schema, setting, given)
    seed = options.seed_for(model)
    learner: Learner
    table: TableLearner | None = None
    if rule == "endgame":
        learner = EndgameLearner(kind, seed=seed, threads=options.thread_count, **settings)
    elif use_table:
        learner = table = TableLearner(kind, rule, seed=seed, until_optimal=until_optimal, **settings)
    else:
        learner = PatternLearner(kind, rule, seed=seed, threads=options.thread_count, **settings)
    run_learner(
        learner,
        model,
        options,
        seconds=None if options.games is not None or until_optimal else DEFAULT_SECONDS,
        model_spec=f"{player}:model={model}",
        more=lambda: {"with": "patterns"} if table is None else {"with": "table"} | _table_info(table),
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
