"""Options of players as text: read from specs, written into canonical ones, listed for people.

They are the fields of the dataclasses that hold them, declared with `flipdrop.search.options.option`, so that nothing
is written down twice.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
import typing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError, quoted
from flipdrop.evaluation import Evaluation
from flipdrop.players.evaluation_option import read_evaluation, write_evaluation

if TYPE_CHECKING:
    from collections.abc import Iterable

_TAKES: dict[type, str] = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "a word",
    Evaluation: "an evaluation such as D, D(15/6/-10/-4/8/8), patterns, my.weights or my.pattern",
    Path: "a file",
}
_WORDS = {
    **dict.fromkeys(("yes", "true", "on", "1"), True),
    **dict.fromkeys(("no", "false", "off", "0"), False),
}
_COMMA = re.compile(r",(?![^()]*\))")  # one that does not separate the weights of an evaluation


@dataclass(frozen=True)
class Option:
    """One option of a player.

    :param name: as specs write it
    :param type: int, float, bool, str, Path or Evaluation
    :param default: its value if nothing is said; None if it is then not used
    :param meaning: for people
    :param least: the smallest number it takes, if there is one
    :param most: the largest
    :param above: a number that it has to exceed
    """

    name: str
    type: type
    default: Any
    meaning: str
    least: float | None = None
    most: float | None = None
    above: float | None = None

    @property
    def takes(self) -> str:
        """What a value looks like."""
        return _TAKES[self.type]

    def read(self, text: str, *, allow_files: bool = True) -> Any:
        """The value that a text means."""
        try:
            if self.type is Evaluation:
                return read_evaluation(text, allow_files=allow_files)
            if self.type is Path and not allow_files:
                raise PlayerError(f"{self.name}: files are not read here")
            return _WORDS[text.lower()] if self.type is bool else self.type(text)
        except (ValueError, KeyError) as error:
            if self.type is Path:
                raise
            if self.type is Evaluation:
                raise PlayerError(f"{self.name}={text}: {error}") from None
            raise PlayerError(f"{self.name}={quoted(text)}; it takes {self.takes} ({self.meaning})") from None

    def write(self, value: Any) -> str:
        """The text that `read` makes the value of."""
        if isinstance(value, Evaluation):
            return write_evaluation(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            short = f"{value:g}"
            return short if float(short) == value else repr(value)
        return str(value)


@cache
def options_of(settings: Any, *, leave_out: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """The options that a dataclass declares, in its order."""
    hints = typing.get_type_hints(settings)
    return tuple(
        Option(field.name, _plain(hints[field.name]), field.default, **field.metadata)
        for field in dataclasses.fields(settings)
        if "meaning" in field.metadata and field.name not in leave_out
    )


def read_options(text: str, options: tuple[Option, ...], *, allow_files: bool = True) -> dict[str, Any]:
    """The values in ``option=value,option=value``."""
    known = {option.name: option for option in options}
    values: dict[str, Any] = {}
    for part in _COMMA.split(text) if text else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise PlayerError(f"no option {quoted(name, 30)}; {nearest(name, known)}options are {', '.join(known)}")
        if not equals or not value:
            raise PlayerError(f"{quoted(part, 30)}; write {name}=VALUE, {known[name].takes} ({known[name].meaning})")
        if name in values:
            raise PlayerError(f"{name} is given twice")
        values[name] = known[name].read(value, allow_files=allow_files)
    return values


def spec_of(kind: str, *settings: Any, leave_out: tuple[str, ...] = ()) -> str:
    """The canonical spec: the options of some dataclasses that differ from their defaults, in their order."""
    written = [
        f"{option.name}={option.write(value)}"
        for one in settings
        for option in options_of(one.__class__, leave_out=leave_out)
        if (value := getattr(one, option.name)) != option.default
    ]
    return f"{kind}:{','.join(written)}" if written else kind


def nearest(name: str, names: Iterable[str]) -> str:
    """A question that asks whether one of the names was meant; nothing if none is near."""
    near = difflib.get_close_matches(name.lower(), list(names), n=3)
    return f"did you mean {' or '.join(near)}? " if near else ""


def _plain(hint: Any) -> type:
    """``int`` of ``int | None``."""
    if isinstance(hint, types.UnionType):
        (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
    return typing.cast("type", hint)
