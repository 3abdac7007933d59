"""`evaluation`: an `Evaluation` from a name, a file, numbers or a function."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from flipdrop.errors import WeightsError, quoted
from flipdrop.evaluation.evaluation import Evaluation, EvaluationFunction
from flipdrop.evaluation.patterns import SHIPPED, Networks, shipped_networks
from flipdrop.evaluation.patterns import SUFFIX as PATTERN_SUFFIX
from flipdrop.evaluation.registry import DEFINITIONS
from flipdrop.evaluation.weight_file import SUFFIX, read_weights
from flipdrop.evaluation.weights import Weights, parse_notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flipdrop.games import Game

PLUGINS = "flipdrop.evaluations"
"""The group of entry points by which other packages add evaluations."""
_OWN_NAMES = {SHIPPED, *(definition.name.lower() for definition in DEFINITIONS)}


def evaluation(
    which: str | os.PathLike[str] | Weights | Networks | Evaluation | EvaluationFunction,
    *,
    weights: Weights | Mapping[str, float] | Iterable[float] | str | os.PathLike[str] | None = None,
    table: str | Iterable[float] | Iterable[Iterable[float]] | None = None,
) -> Evaluation:
    """The evaluation that `which` names.

    >>> from flipdrop import Othello
    >>> evaluation("D").score(Othello())
    32.0
    >>> evaluation("D", weights=(15, 6, -8, -6, 4, 4))
    evaluation('D.baseline')
    >>> evaluation(lambda position: len(position.legal_moves)).score(Othello())
    4.0

    :param which: a name (``D``) or preset (``Seven.averaged``), optionally with a table (``B@positive``) and weights
        (``D(15,6,-8,-6,4,4)``); ``patterns``, the networks of this package; a file named ``*.weights`` or
        ``*.pattern``; `Weights`; `Networks`; or any Python function of a position
    :param weights: numbers in the order of the terms, by name, `Weights`, or a file of them
    :param table: a table of squares: see `Weights`
    """
    if isinstance(which, str):
        which = _plugin(which) or which
    if isinstance(which, str) and not _is_file(which) and which.strip().lower() != SHIPPED:
        return Evaluation(_named_weights(which, weights, table))
    if weights is not None or table is not None:
        raise WeightsError("weights and table go with the name of an evaluation, such as evaluation('D', weights=...)")
    if isinstance(which, Evaluation):
        return which
    if isinstance(which, str) and not _is_file(which):
        return _shipped_evaluation()
    return Evaluation(_read_file(which) if isinstance(which, str | os.PathLike) else which)


def _named_weights(
    text: str,
    weights: Weights | Mapping[str, float] | Iterable[float] | str | os.PathLike[str] | None,
    table: str | Iterable[float] | Iterable[Iterable[float]] | None,
) -> Weights:
    """The weights of a named evaluation, from its notation or the arguments of `evaluation`."""
    name, own_weights, own_table = parse_notation(text)
    for given, own, what in ((weights, own_weights, "weights"), (table, own_table, "table")):
        if given is not None and own is not None:
            raise WeightsError(f"evaluation {text!r} has its own {what}: give no other")
    if isinstance(weights, str | os.PathLike):
        weights = read_weights(weights, evaluation=name)
    if not isinstance(weights, Weights):
        return Weights(name, own_weights if weights is None else weights, table=own_table if table is None else table)
    if weights.evaluation != name:
        raise WeightsError(f"weights of {weights.evaluation} for evaluation {name}")
    if table is not None:
        raise WeightsError("the weights bring their own table: give no other")
    return weights


def _read_file(path: str | os.PathLike[str]) -> Weights | Networks:
    if "\0" in os.fspath(path):
        raise WeightsError(f"{quoted(os.fspath(path))} is no name of a file")
    is_network = os.fspath(path).lower().endswith(PATTERN_SUFFIX)
    return Networks.from_file(path) if is_network else read_weights(path)


def default_evaluation(game: Game) -> Evaluation:
    """The evaluation of searches that name none: D for Othello, lines for Connect Four."""
    return evaluation(game.default_evaluation)


def is_plugin(name: str) -> bool:
    """Whether another package has an evaluation of this name, by its entry points."""
    from importlib.metadata import entry_points  # most processes need no other packages

    return bool(name.strip().isidentifier() and entry_points(group=PLUGINS, name=name.strip()))


def _plugin(text: str) -> Evaluation | None:
    """The evaluation of this name in another package, if any; names of flipdrop's own evaluations come first."""
    name = text.strip()
    if name.lower() in _OWN_NAMES or not is_plugin(name):
        return None
    from importlib.metadata import entry_points

    loaded = next(iter(entry_points(group=PLUGINS, name=name))).load()
    return Evaluation(loaded.made_from if isinstance(loaded, Evaluation) else loaded, source=name)


@cache
def _shipped_evaluation() -> Evaluation:
    return Evaluation(shipped_networks())


def _is_file(text: str) -> bool:
    has_weights = text.rstrip().endswith(")")  # slashes may separate them
    return text.lower().endswith((SUFFIX, PATTERN_SUFFIX)) or (not has_weights and ("/" in text or os.sep in text))
