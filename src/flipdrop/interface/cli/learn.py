"""`flipdrop learn`: Q-learning, Sarsa and TD(lambda), with a table on small boards and pattern networks on others; and
what orders the moves of Othello's exact solver."""

from __future__ import annotations

import dataclasses
import types
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from flipdrop.errors import LearningError, quoted
from flipdrop.games import game as game_of
from flipdrop.interface.cli.learners import (
    MaxGames,
    Minutes,
    NoRunStore,
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
    from flipdrop.learning import Learner
    from flipdrop.learning.tables import Exploitability, TableLearner

Rule = Literal["q", "sarsa", "td", "endgame"]
With = Literal["table", "patterns"]
Chosen = With | Literal["endgame"]

DEFAULT_SECONDS = 60.0
_ENDINGS: dict[Chosen, str] = {"table": ".table", "patterns": ".pattern", "endgame": ".pattern"}
_PLAYERS: dict[Chosen, str] = {"table": "table", "patterns": "pattern", "endgame": "pattern"}
_DESCRIBED: dict[Chosen, str] = {"table": "a table", "patterns": "a pattern", "endgame": "the rule endgame"}
_BOOLEANS = {
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
}


def learn(
    rule: Annotated[
        Rule,
        typer.Argument(metavar="RULE", help="q (Q-learning), sarsa, td (TD(lambda)) or endgame."),
    ],
    game: GameName,
    with_: Annotated[
        With | None,
        typer.Option("--with", help="What learns; a table on boards that are small enough, else patterns."),
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(metavar="X", help="How far a value moves towards its target.")
    ] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="X", help="Share of random moves, 0 to 1.")] = None,
    lambda_: Annotated[
        float | None, typer.Option("--lambda", metavar="X", help="How much of the rest of the game counts, 0 to 1.")
    ] = None,
    patterns: Annotated[
        str | None, typer.Option(metavar="NAME", help="The set of patterns, such as classic or walks:70x8.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any other setting (docs/learning). Repeat it."),
    ] = None,
    until_optimal: Annotated[
        bool, typer.Option("--until-optimal", help="Table: stop when the solver finds nothing to improve.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The model, such as q-othello4.table. Beside it: .csv and .png (curve), .checkpoint.",
        ),
    ] = None,
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
    """Learn to play from nothing but games against oneself, 60 seconds long unless said.

    On small boards the values of positions are kept in a table, and the exact solver says how far from perfect it
    plays; on others a pattern network learns them, on all cores. The curve is saved beside the model.

    The rule endgame makes what orders the moves of the exact solver for Othello, from its own games and exact scores.

    Ctrl-C stops the run, --resume goes on with it, and with one thread, a table or endgame, the model is the same as if
    it had not been stopped.

    Examples:

    flipdrop learn q othello4 --out q.table --seconds 60 --seed 1

    flipdrop learn sarsa connect4:4x4 --epsilon 0.2 --set reward=result --minutes 5

    flipdrop learn td othello --minutes 15 --out td.pattern

    flipdrop learn endgame othello --minutes 15 --out my.pattern; flipdrop solve othello --judge my.pattern ...
    """
    kind = game_of(game)
    chosen = _choose_model(rule, kind, with_)
    given = {"rate": learning_rate, "epsilon": epsilon, "lambda_": lambda_, "patterns": patterns}
    settings = _settings(chosen, setting or [], {name: value for name, value in given.items() if value is not None})
    model = _model_file(out, rule, kind, chosen)
    limit = seconds_of(seconds, minutes)
    if limit is None and games is None and not until_optimal:
        limit = DEFAULT_SECONDS
    own_seed = seed_for(model, seed, resume=resume)
    if until_optimal and chosen != "table":
        raise LearningError("--until-optimal goes with a table; a network of patterns is never judged whole")
    learner: Learner
    table = None
    if chosen == "table":
        from flipdrop.learning.tables import TableLearner

        assert rule != "endgame"
        table = learner = TableLearner(kind, rule, seed=own_seed, until_optimal=until_optimal, **settings)
    else:
        learner = _network_learner(rule, kind, own_seed, thread_count(threads), settings)
    more: dict[str, Any] = {"with": "patterns" if table is None else "table"}
    run_learner(
        learner,
        model,
        seconds=limit,
        games=games,
        resume=resume,
        store=store,
        no_store=no_store,
        json=json,
        model_plays_as=f"{_PLAYERS[chosen]}:model={model}",
        more=lambda: more if table is None else more | _table_facts(table),
    )
    if table is not None and not json:
        _print_exploitability(table)


def _choose_model(rule: Rule, game: Game, with_: With | None) -> Chosen:
    """What learns, if nothing else is said."""
    from flipdrop.learning.tables import fits_a_table

    if rule != "endgame":
        return with_ or ("table" if fits_a_table(game) else "patterns")
    if with_ == "table":
        raise LearningError("--with table: what orders the moves of endgames is a network of patterns")
    return "endgame"


def _network_learner(rule: Rule, game: Game, seed: int, threads: int, settings: dict[str, Any]) -> Learner:
    from flipdrop.learning.patterns import EndgameLearner, PatternLearner

    if rule == "endgame":
        return EndgameLearner(game, seed=seed, threads=threads, **settings)
    return PatternLearner(game, rule, seed=seed, threads=threads, **settings)


def _model_file(out: Path | None, rule: str, game: Game, chosen: Chosen) -> Path:
    ending = _ENDINGS[chosen]
    if out is None:
        return Path(f"{rule}-{game.name.replace(':', '-').replace(',', '-').replace('=', '-')}{ending}")
    if out.suffix != ending:
        raise LearningError(f"--out {out}: a file that {_PLAYERS[chosen]} players can be made of ends in {ending}")
    return out


def _settings(chosen: Chosen, texts: list[str], given: dict[str, Any]) -> dict[str, Any]:
    """The settings of the options, and of ``--set name=value``, read by the types of the settings' fields."""
    known = _settings_class(chosen)
    hints = typing.get_type_hints(known)
    names = {field.name.rstrip("_"): field.name for field in dataclasses.fields(known)}
    for name in given:
        if name not in hints:
            raise LearningError(f"--{name.rstrip('_')}: {_DESCRIBED[chosen]} has no such setting")
    settings = dict(given)
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in names:
            raise LearningError(f"--set {quoted(text)}: with {chosen} there is {', '.join(names)}")
        if not equals or not value:
            raise LearningError(f"--set {quoted(text)}; write {name}=VALUE")
        if names[name] in settings:
            raise LearningError(f"--set {quoted(text)}: {name} is given twice")
        settings[names[name]] = _read(name, value, hints[names[name]])
    return settings


def _settings_class(chosen: Chosen) -> Any:
    if chosen == "table":
        from flipdrop.learning.tables import TableSettings

        return TableSettings
    from flipdrop.learning.patterns import EndgameSettings, PatternSettings

    return EndgameSettings if chosen == "endgame" else PatternSettings


def _read(name: str, text: str, hint: Any) -> Any:
    """The value that a text means for a field of some type."""
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if types.NoneType in kinds and text.lower() == "none":
        return None
    for kind, takes in ((bool, "yes or no"), (int, "a whole number"), (float, "a number")):
        if kind in kinds:
            try:
                return _BOOLEANS[text.lower()] if kind is bool else kind(text)
            except (KeyError, ValueError):
                raise LearningError(f"{name}={quoted(text, 30)}; it takes {takes}") from None
    return text


def _table_facts(learner: TableLearner) -> dict[str, Any]:
    """What there is to say of a table in the end."""
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


def _print_exploitability(learner: TableLearner) -> None:
    exploitability = learner.exploitability()
    if exploitability is None:
        return
    typer.echo(_format_exploitability(learner, exploitability))


def _format_exploitability(learner: TableLearner, exploitability: Exploitability) -> str:
    """The exploitability in words."""
    solved, (first, second) = (
        learner.as_score(exploitability.solved),
        map(learner.as_score, exploitability.worst_case_value),
    )
    verdict = "perfect" if exploitability.is_optimal else "not perfect yet"
    return (
        f"against every reply: at least {first:+d} as first and {second:+d} as second side; perfect play gets "
        f"{solved:+d} and {-solved:+d}: {verdict}\n"
        f"{exploitability.kept:,} of {exploitability.decisions:,} decisions that such games lead to keep the result; "
        f"{learner.size:,} positions in the table"
    )
