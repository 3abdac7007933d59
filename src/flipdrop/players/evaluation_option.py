"""Evaluations as options of specs.

Commas separate options, so weights are separated by slashes: ``evaluation=D(15/6/-10/-4/8/8)``. A file of weights is
``evaluation=my.weights``, a pattern network ``evaluation=my.pattern``, a function of a position
``evaluation=my_evaluation.py:score``.
"""

from __future__ import annotations

import re
from typing import Any

from flipdrop.errors import PlayerError
from flipdrop.evaluation import Evaluation, EvaluationFunction, Networks, Weights, evaluation
from flipdrop.options import ValueType, register_type
from flipdrop.players.agent_loader import load_object, split_path

_WITH_WEIGHTS = re.compile(r"[^()/\\]*\([^()]*\)")
_FILE = re.compile(r".*(\.weights|\.pattern|[/\\].*)", re.IGNORECASE | re.DOTALL)


class EvaluationFromFile(Evaluation):
    """An evaluation with the file that it was read from, so that a spec can name it."""

    __slots__ = ("source",)
    source: str

    def __init__(self, made_from: Weights | Networks | EvaluationFunction, source: str) -> None:
        super().__init__(made_from)
        object.__setattr__(self, "source", source)

    def __str__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Any, ...]:
        return EvaluationFromFile, (self.made_from, self.source)


def read_evaluation(text: str, *, allow_files: bool) -> Evaluation:
    if _WITH_WEIGHTS.fullmatch(text):
        return evaluation(text.replace("/", ","))
    code = split_path(text)
    if code is None and not _FILE.fullmatch(text):
        return evaluation(text)
    if not allow_files:
        raise PlayerError("files are not read here; name an evaluation, such as D")
    if code is None:
        return EvaluationFromFile(_read(text), text)
    path, name, rest = code
    function = load_object(path, name)
    if rest is not None or not callable(function):
        raise PlayerError("an evaluation from a file is a function of a position, my_evaluation.py:score")
    return EvaluationFromFile(function, text)


def write_evaluation(value: Evaluation) -> str:
    """The text that `read_evaluation` reads; the bare name of a function that is not from a file."""
    return str(value) if isinstance(value, EvaluationFromFile) else str(value).replace(",", "/")


def _read(path: str) -> Weights | Networks | EvaluationFunction:
    try:
        return evaluation(path).made_from
    except OSError as error:
        raise PlayerError(f"{error.strerror}") from None


register_type(
    Evaluation,
    ValueType(
        "an evaluation such as D, D(15/6/-10/-4/8/8), patterns, my.weights or my.pattern",
        read_evaluation,
        write_evaluation,
        reads_files=True,
    ),
)
