"""The values of an option that a search may take: ``c=0.2:3``, ``iterations=10:1000:log``, ``playout=end|depth``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from flipdrop.arena.sweep.axes import number_text
from flipdrop.arena.sweep.settings import WEIGHT, kind_of, option_of
from flipdrop.errors import ArenaError, quoted

DIGITS = 4  # that a value is rounded to: more would suggest a precision that no number of games has

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER})((?::(?:log|int))*)", re.ASCII)


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
        name, equals, rest = (part.strip() for part in text.partition("="))
        match = _RANGE.fullmatch(rest)
        if match is not None and name:
            kinds = match[3].split(":")
            low, high = float(match[1]), float(match[2])
            if not (math.isfinite(low) and math.isfinite(high)):
                raise ArenaError(f"option {quoted(text)}: numbers have to be finite")
            return cls(name, low, high, is_log="log" in kinds, is_int="int" in kinds)
        words = tuple(word.strip() for word in rest.split("|"))
        if not (name and equals and len(words) > 1 and all(words)):
            raise ArenaError(
                f"option {quoted(text)}; write NAME=LOW:HIGH for numbers, with :log for factors and :int for whole "
                "ones, or NAME=a|b|c for words"
            )
        if len(set(words)) < len(words):
            raise ArenaError(f"option {quoted(text)} names a value twice")
        return cls(name, words=words)

    def for_player(self, spec: str) -> Range:
        """The range for an option of this player: of whole numbers, if the option takes no others."""
        kind = kind_of(spec)
        if self.name.startswith(WEIGHT):
            option_of(kind, "evaluation")
            return self
        is_int = option_of(kind, self.name).type is int
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
