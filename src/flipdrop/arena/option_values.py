"""Values of a player's options: those that a sweep or a tuning run tries, and specs with some of them set.

A sweep tries ``c=0.2:3:0.4`` or ``playout=end|depth``, a tuning run values from ``c=0.2:3`` or ``depth=1:9:int``.

An option is named as specs name it, ``c`` or ``iterations``. A weight of the player's evaluation is named by its term,
``evaluation.corners``: the evaluation is the one that the spec names, or the one that the game's players use if the
spec names none.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from flipdrop.errors import ArenaError, FlipdropError, did_you_mean, quoted
from flipdrop.evaluation import Evaluation, Weights, default_evaluation
from flipdrop.players import PLAYER_TYPES, player
from flipdrop.players.agent_loader import split_path
from flipdrop.players.option_types import format_evaluation, parse_evaluation
from flipdrop.players.spec import runs_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.games import Game
    from flipdrop.players import Option, PlayerType

_COMMA = re.compile(r",(?![^()]*\))")  # one that does not separate the weights of an evaluation
WEIGHT = "evaluation."
MAX_VALUES = 1000
DIGITS = 4  # that a value is rounded to: more would suggest a precision that no number of games has

_NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_STEPS = re.compile(rf"{_NUMBER}:{_NUMBER}:{_NUMBER}", re.ASCII)
_RANGE = re.compile(rf"{_NUMBER}:{_NUMBER}((?::(?:log|int))*)", re.ASCII)
_LIMIT = Decimal(10) ** 15  # beyond it, numbers of 64 bits are no longer exact


def with_values(spec: str, values: Mapping[str, str], game: Game) -> str:
    """The spec with options set, in place where it has them, else at its end. The player is made once, as a check.

    >>> from flipdrop import game
    >>> with_values("mcts:iterations=800,c=1", {"c": "2", "evaluation.corners": "20"}, game("othello"))
    'mcts:iterations=800,c=2,evaluation=D(20/6/-10/-4/8/8)'
    """
    player_type, written = _read(spec)
    for name, value in values.items():
        if not name.startswith(WEIGHT):
            written[option_of(player_type, name).name] = value
    weights = {name.removeprefix(WEIGHT): value for name, value in values.items() if name.startswith(WEIGHT)}
    if weights:
        written["evaluation"] = _changed_evaluation(_weights(spec, written, game), weights)
    made = f"{player_type.name}:{','.join(f'{name}={value}' for name, value in written.items())}"
    if not runs_code(made):  # `Competition.check` loads code, in a process of its own
        player(made, game=game).close()
    return made


def value_of(spec: str, name: str, game: Game) -> object:
    """The value of an option in a spec, or its default; None if it has neither."""
    player_type, written = _read(spec)
    if name.startswith(WEIGHT):
        return _weight(_weights(spec, written, game), name.removeprefix(WEIGHT))
    option = option_of(player_type, name)
    return option.parse(written[name]) if name in written else option.default


def option_of(player_type: PlayerType, name: str) -> Option:
    for option in player_type.options:
        if option.name == name:
            return option
    names = [option.name for option in player_type.options]
    known = f"{did_you_mean(name, names)}options are {', '.join(names)}, and {WEIGHT}TERM for a weight"
    raise ArenaError(f"{player_type.name} has no option {quoted(name, 40)}; {known}")


def player_type_of(spec: str) -> PlayerType:
    """The type of player that a spec names, which has to be one with options."""
    player_type = PLAYER_TYPES.get(spec.partition(":")[0].strip().lower())
    if player_type is None:
        if not runs_code(spec):
            player(spec).close()  # raises if the spec itself is wrong
        raise ArenaError(f"player {quoted(spec)} has no options to set; those that have are {', '.join(PLAYER_TYPES)}")
    return player_type


def _read(spec: str) -> tuple[PlayerType, dict[str, str]]:
    """The type of player, and its options as they are written."""
    player_type = player_type_of(spec)
    if not runs_code(spec):
        player(spec).close()
    options = spec.partition(":")[2]
    parts = (part.partition("=") for part in _COMMA.split(options) if part.strip())
    return player_type, {name.strip(): value.strip() for name, _, value in parts}


def _weights(spec: str, written: Mapping[str, str], game: Game) -> Weights:
    option_of(player_type_of(spec), "evaluation")
    text = written.get("evaluation")
    if text is None:
        evaluation: Evaluation | None = default_evaluation(game)
    else:  # code that a file defines is a function
        evaluation = None if split_path(text) else parse_evaluation(text, allow_files=True)
    if evaluation is None or evaluation.weights is None:
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
    text = format_evaluation(Evaluation(Weights(weights.evaluation, changed, table=weights.table or None)))
    try:
        parse_evaluation(text, allow_files=False)
    except FlipdropError:
        raise ArenaError(
            f"evaluation {weights.evaluation} with a table of squares of its own cannot be written in a spec, so its "
            "weights cannot be set there"
        ) from None
    return text


@dataclass(frozen=True)
class Axis:
    """An option and the values it takes, as specs write them.

    >>> Axis.parse("c=0.5:1.2:0.25").values
    ('0.5', '0.75', '1')
    >>> Axis.parse("playout=end|depth").values
    ('end', 'depth')

    :param step: between the values if they are numbers at equal distances, else None
    """

    name: str
    values: tuple[str, ...]
    step: Decimal | None = None

    @classmethod
    def parse(cls, text: str) -> Axis:
        name, match, words = _read_values(text, _STEPS, "NAME=FROM:TO:STEP for numbers")
        if match is None:
            return cls(name, words)
        low, high, step = (Decimal(number) for number in match.groups())
        if max(abs(low), abs(high), abs(step)) > _LIMIT:
            raise ArenaError(f"option {quoted(text)}: numbers go up to {_LIMIT:.0e}")
        if step <= 0 or high < low:
            raise ArenaError(f"option {quoted(text)}; write FROM:TO:STEP with FROM <= TO and a STEP above 0")
        if (high - low) / step >= MAX_VALUES:
            raise ArenaError(f"option {quoted(text)} has more than {MAX_VALUES} values; take a larger step")
        count = int((high - low) / step) + 1
        return cls(name, tuple(number_text(low + i * step) for i in range(count)), step)

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, in order: a range, or a list of numbers such as ``50|100|200``."""
        try:
            numbers = [Decimal(value) for value in self.values]
        except InvalidOperation:
            return False
        return all(number.is_finite() for number in numbers) and numbers == sorted(numbers)

    def refine(self, value: str, step: Decimal, reach: int) -> tuple[str, ...]:
        """The values from `reach` steps of this axis below one of its values to as many above it, by smaller steps."""
        assert self.step is not None
        middle, far = Decimal(value), reach * self.step
        low, high = max(Decimal(self.values[0]), middle - far), min(Decimal(self.values[-1]), middle + far)
        below, above = int((middle - low) / step), int((high - middle) / step)
        if below + above >= MAX_VALUES:
            raise ArenaError(f"fine steps of {step} of {self.name}: more than {MAX_VALUES} values; take a larger step")
        return tuple(number_text(middle + i * step) for i in range(-below, above + 1))

    def __str__(self) -> str:
        if self.step is None:
            return f"{self.name}={'|'.join(self.values)}"
        return f"{self.name}={self.values[0]}:{self.values[-1]}:{number_text(self.step)}"


@dataclass(frozen=True)
class Range:
    """An option and the values it may take: numbers from `low` to `high`, or one of some words.

    >>> Range.parse("c=0.1:10:log").text(0.5)
    '1'
    >>> Range.parse("depth=1:9:int").text(0.3)
    '3'

    :param is_log: whether a factor counts, not a difference
    :param is_int: whether only whole numbers do
    :param words: if it takes words
    """

    name: str
    low: float = 0.0
    high: float = 1.0
    is_log: bool = False
    is_int: bool = False
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.words:
            return
        if not self.low < self.high:
            raise ArenaError(f"option {self}; LOW has to be below HIGH")
        if self.is_log and self.low <= 0:
            raise ArenaError(f"option {self}; only numbers above 0 have factors between them")
        if self.is_int and not (self.low.is_integer() and self.high.is_integer()):
            raise ArenaError(f"option {self}; whole numbers lie between whole numbers")

    @classmethod
    def parse(cls, text: str) -> Range:
        kinds_of_numbers = "NAME=LOW:HIGH for numbers, with :log for factors and :int for whole ones,"
        name, match, words = _read_values(text, _RANGE, kinds_of_numbers)
        if match is None:
            return cls(name, words=words)
        low, high, kinds = float(match[1]), float(match[2]), match[3].split(":")
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ArenaError(f"option {quoted(text)}: numbers have to be finite")
        return cls(name, low, high, is_log="log" in kinds, is_int="int" in kinds)

    def for_player(self, spec: str) -> Range:
        """The range for an option of this player: of whole numbers, if the option takes no others."""
        player_type = player_type_of(spec)
        if self.name.startswith(WEIGHT):
            option_of(player_type, "evaluation")
            return self
        is_int = option_of(player_type, self.name).type is int
        return replace(self, is_int=True) if is_int and not self.words else self

    def text(self, share: float) -> str:
        """The value at a position in the range, from 0 to 1, as a spec writes it."""
        if self.words:
            return self.words[min(int(share * len(self.words)), len(self.words) - 1)]
        share = min(1.0, max(0.0, share))
        low, high = (math.log(self.low), math.log(self.high)) if self.is_log else (self.low, self.high)
        value = low + share * (high - low)
        return self.rounded(math.exp(value) if self.is_log else value)

    def rounded(self, value: float) -> str:
        if self.is_int:
            return str(round(min(self.high, max(self.low, value))))
        short = min(self.high, max(self.low, float(f"{value:.{DIGITS}g}")))
        return number_text(Decimal(repr(short)))

    def unit_value(self, value: object) -> float | None:
        """The position of a value in the range, from 0 to 1; None if it is outside."""
        if self.words:
            return (self.words.index(str(value)) + 0.5) / len(self.words) if str(value) in self.words else None
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            return None
        if self.is_log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def __str__(self) -> str:
        if self.words:
            return f"{self.name}={'|'.join(self.words)}"
        ends = ":".join(number_text(Decimal(repr(end))) for end in (self.low, self.high))
        return f"{self.name}={ends}{':log' if self.is_log else ''}{':int' if self.is_int else ''}"


def _read_values(text: str, numbers: re.Pattern[str], hint: str) -> tuple[str, re.Match[str] | None, tuple[str, ...]]:
    """The name of an option, and its values: numbers that match the pattern, or else words."""
    name, equals, rest = (part.strip() for part in text.partition("="))
    match = numbers.fullmatch(rest)
    words = () if match else tuple(word.strip() for word in rest.split("|"))
    if not (name and (match or (equals and len(words) > 1 and all(words)))):
        raise ArenaError(f"option {quoted(text)}; write {hint} or NAME=a|b|c for words")
    if len(set(words)) < len(words):
        raise ArenaError(f"option {quoted(text)} names a value twice")
    return name, match, words


def number_text(number: Decimal) -> str:
    """A number without exponent or needless zeros."""
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
