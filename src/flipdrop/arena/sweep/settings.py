"""Specs with some options set to other values.

An option is named as specs name it, ``c`` or ``iterations``. A weight of the player's evaluation is named by its term,
``evaluation.corners``: the evaluation is the one that the spec names, or the one that the game's players use if the
spec names none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import ArenaError, FlipdropError, did_you_mean, quoted
from flipdrop.evaluation import Evaluation, Weights, default_evaluation
from flipdrop.players import PLAYER_TYPES, player
from flipdrop.players.evaluation_option import read_evaluation, write_evaluation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.games import Game
    from flipdrop.players import Option, PlayerType

_COMMA = re.compile(r",(?![^()]*\))")  # one that does not separate the weights of an evaluation
WEIGHT = "evaluation."


def with_values(spec: str, values: Mapping[str, str], game: Game) -> str:
    """The spec with options set, in place where it has them, else at its end. The player is made once, as a check.

    >>> from flipdrop import game
    >>> with_values("mcts:iterations=800,c=1", {"c": "2", "evaluation.corners": "20"}, game("othello"))
    'mcts:iterations=800,c=2,evaluation=D(20/6/-10/-4/8/8)'
    """
    kind, written = _read(spec)
    for name, value in values.items():
        if not name.startswith(WEIGHT):
            written[option_of(kind, name).name] = value
    weights = {name.removeprefix(WEIGHT): value for name, value in values.items() if name.startswith(WEIGHT)}
    if weights:
        written["evaluation"] = _changed_evaluation(_weights(spec, written, game), weights)
    made = f"{kind.name}:{','.join(f'{name}={value}' for name, value in written.items())}"
    player(made, game=game).close()
    return made


def value_of(spec: str, name: str, game: Game) -> object:
    """The value of an option in a spec, or its default; None if it has neither."""
    kind, written = _read(spec)
    if name.startswith(WEIGHT):
        return _weight(_weights(spec, written, game), name.removeprefix(WEIGHT))
    option = option_of(kind, name)
    return option.parse(written[name]) if name in written else option.default


def option_of(kind: PlayerType, name: str) -> Option:
    for option in kind.options:
        if option.name == name:
            return option
    names = [option.name for option in kind.options]
    raise ArenaError(
        f"{kind.name} has no option {quoted(name, 40)}; {did_you_mean(name, names)}options are {', '.join(names)}, and "
        f"{WEIGHT}TERM for a weight"
    )


def kind_of(spec: str) -> PlayerType:
    """The kind of player that a spec names, which has to be one with options."""
    kind = PLAYER_TYPES.get(spec.partition(":")[0].strip().lower())
    if kind is None:
        player(spec).close()  # raises if the spec itself is wrong
        raise ArenaError(f"player {quoted(spec)} has no options to set; those that have are {', '.join(PLAYER_TYPES)}")
    return kind


def _read(spec: str) -> tuple[PlayerType, dict[str, str]]:
    """The kind of player, and its options as they are written."""
    kind = kind_of(spec)
    player(spec).close()
    options = spec.partition(":")[2]
    parts = (part.partition("=") for part in _COMMA.split(options) if part.strip())
    return kind, {name.strip(): value.strip() for name, _, value in parts}


def _weights(spec: str, written: Mapping[str, str], game: Game) -> Weights:
    option_of(kind_of(spec), "evaluation")
    text = written.get("evaluation")
    evaluation = default_evaluation(game) if text is None else read_evaluation(text, allow_files=True)
    if evaluation.weights is None:
        raise ArenaError(f"evaluation={text} is a function: it has no weights that could be set")
    return evaluation.weights


def _weight(weights: Weights, term: str) -> float:
    if term not in weights:
        raise ArenaError(
            f"evaluation {weights.evaluation} has no term {quoted(term, 40)}; {did_you_mean(term, weights)}terms are "
            f"{', '.join(weights)}"
        )
    return weights[term]


def _changed_evaluation(weights: Weights, changes: Mapping[str, str]) -> str:
    """The evaluation with some weights changed, as a spec writes it."""
    changed = dict(weights)
    for term, text in changes.items():
        _weight(weights, term)
        try:
            changed[term] = float(text)
        except ValueError:
            raise ArenaError(f"{WEIGHT}{term}={quoted(text)}; a weight is a number") from None
    text = write_evaluation(Evaluation(Weights(weights.evaluation, changed, table=weights.table or None)))
    try:
        read_evaluation(text, allow_files=False)
    except FlipdropError:
        raise ArenaError(
            f"evaluation {weights.evaluation} with a table of squares of its own cannot be written in a spec, so its "
            "weights cannot be set there"
        ) from None
    return text
