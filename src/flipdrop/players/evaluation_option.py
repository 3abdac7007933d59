"""Evaluations as options of specs.

Commas separate options, so weights are separated by slashes: ``evaluation=D(15/6/-10/-4/8/8)``. A file of weights is
``evaluation=my.weights``, a pattern network ``evaluation=my.pattern``, a function of a position
``evaluation=my_evaluation.py:score``.
"""

from __future__ import annotations

import re

from flipdrop.errors import PlayerError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.evaluation.lookup import is_plugin
from flipdrop.options import ValueType, register_type
from flipdrop.players.agent_loader import load_object, split_path

_WITH_WEIGHTS = re.compile(r"[^()/\\]*\([^()]*\)")
_FILE = re.compile(r".*(\.weights|\.pattern|[/\\].*)", re.IGNORECASE | re.DOTALL)


def read_evaluation(text: str, *, allow_files: bool) -> Evaluation:
    if _WITH_WEIGHTS.fullmatch(text):
        return evaluation(text.replace("/", ","))
    code = split_path(text)
    if code is None and not _FILE.fullmatch(text):
        if not allow_files and is_plugin(text):
            raise PlayerError("code of other packages is not run here; name one of flipdrop's own evaluations")
        return evaluation(text)
    if not allow_files:
        raise PlayerError("files are not read here; name an evaluation, such as D")
    if code is not None:
        path, name, rest = code
        function = load_object(path, name)
        if rest is not None or not callable(function):
            raise PlayerError("an evaluation from a file is a function of a position, my_evaluation.py:score")
        return Evaluation(function, source=text)
    try:
        return Evaluation(evaluation(text).made_from, source=text)
    except OSError as error:
        raise PlayerError(f"{error.strerror}") from None


def write_evaluation(value: Evaluation) -> str:
    """The text that `read_evaluation` reads; the bare name of a function that is not from a file."""
    return value.source or str(value).replace(",", "/")


register_type(
    Evaluation,
    ValueType(
        "an evaluation such as D, D(15/6/-10/-4/8/8), patterns, my.weights or my.pattern",
        read_evaluation,
        write_evaluation,
        reads_files=True,
    ),
)
