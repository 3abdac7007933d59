"""The values of an option that a sweep tries: ``c=0.2:3:0.4`` for numbers, ``playout=end|depth`` for words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from flipdrop.errors import ArenaError, quoted

MOST_VALUES = 1000

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER}):({_NUMBER})", re.ASCII)
_LIMIT = Decimal(10) ** 15  # beyond it, numbers of 64 bits are no longer exact


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
        name, equals, rest = (part.strip() for part in text.partition("="))
        match = _RANGE.fullmatch(rest)
        if match is not None and name:
            low, high, step = (Decimal(number) for number in match.groups())
            if max(abs(low), abs(high), abs(step)) > _LIMIT:
                raise ArenaError(f"option {quoted(text)}: numbers go up to {_LIMIT:.0e}")
            if step <= 0 or high < low:
                raise ArenaError(f"option {quoted(text)}; write FROM:TO:STEP with FROM <= TO and a STEP above 0")
            if (high - low) / step >= MOST_VALUES:
                raise ArenaError(f"option {quoted(text)} has more than {MOST_VALUES} values; take a larger step")
            count = int((high - low) / step) + 1
            return cls(name, tuple(number_text(low + i * step) for i in range(count)), step)
        words = tuple(word.strip() for word in rest.split("|"))
        if not (name and equals and len(words) > 1 and all(words)):
            raise ArenaError(f"option {quoted(text)}; write NAME=FROM:TO:STEP for numbers, or NAME=a|b|c for words")
        if len(set(words)) < len(words):
            raise ArenaError(f"option {quoted(text)} names a value twice")
        return cls(name, words)

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
        if below + above >= MOST_VALUES:
            raise ArenaError(f"fine steps of {step} of {self.name}: more than {MOST_VALUES} values; take a larger step")
        return tuple(number_text(middle + i * step) for i in range(-below, above + 1))

    def __str__(self) -> str:
        if self.step is None:
            return f"{self.name}={'|'.join(self.values)}"
        return f"{self.name}={self.values[0]}:{self.values[-1]}:{number_text(self.step)}"


def number_text(number: Decimal) -> str:
    """A number without exponent or needless zeros."""
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
