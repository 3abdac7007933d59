"""Options: fields of settings dataclasses with a range, a default and a description, each declared once.

Searches, players and learners declare their settings with `option`. Spec strings, the command line, the API and the
tables in the docs read the same declarations through `options_of`.

>>> @dataclass(frozen=True)
... class Settings:
...     depth: int = option(6, "plies to look ahead", minimum=1, maximum=200)
...     def __post_init__(self) -> None:
...         check_options(self)
>>> Settings(depth=0)
Traceback (most recent call last):
flipdrop.errors.OptionError: depth=0: expected a whole number of at least 1 and at most 200 (plies to look ahead)
>>> parse_options("depth=9", options_of(Settings))
{'depth': 9}
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import re
import types
import typing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError, OptionError, did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LARGEST = 2**63 - 1
"""The largest whole number of an option that declares no maximum: kernel and store count in 64 bits."""
LONGEST_SHOWN = 200  # bits of a number in a message; Python refuses to print numbers of thousands of digits
BOOLEANS = {
    **dict.fromkeys(("yes", "true", "on", "1"), True),
    **dict.fromkeys(("no", "false", "off", "0"), False),
}
_NUMBERS: dict[type, type] = {bool: bool, int: numbers.Integral, float: numbers.Real}
_COMMA = re.compile(r",(?![^()]*\))")  # not the commas between the weights of an evaluation, as in D(15,6,...)


@dataclass(frozen=True)
class ValueType:
    """How values of a type are written as text.

    :param expected: what a value looks like, for error messages and tables
    :param parse: raises ValueError or KeyError for a text that is no such value
    :param reads_files: whether `parse` may open a file or run code; then it takes ``allow_files``
    """

    expected: str
    parse: Callable[..., Any]
    format: Callable[[Any], str] = str
    reads_files: bool = False


def _parse_path(text: str, *, allow_files: bool) -> Path:
    if not allow_files:
        raise OptionError("files are not read here")
    return Path(text)


def _format_float(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


_TYPES: dict[type, ValueType] = {
    int: ValueType("a whole number", int),
    float: ValueType("a number", float, _format_float),
    bool: ValueType("yes or no", lambda text: BOOLEANS[text.lower()], lambda value: "yes" if value else "no"),
    str: ValueType("a word", str),
    Path: ValueType("a file", _parse_path, reads_files=True),
}


def register_type(of: type, value_type: ValueType) -> None:
    """Declares how options of a further type are written, such as evaluations."""
    _TYPES[of] = value_type


def option(
    default: Any,
    description: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    choices: Iterable[str] = (),
) -> Any:
    """A field of a settings dataclass.

    :param above: an exclusive lower bound
    :param choices: the words that a text option takes
    """
    metadata = {
        "description": description,
        "minimum": minimum,
        "maximum": maximum,
        "above": above,
        "choices": tuple(choices),
    }
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Option:
    """One option of a settings class.

    :param type: a builtin type, Path, or a type given to `register_type`
    :param default: None for an option that is not used unless it is set
    """

    name: str
    type: type
    default: Any
    description: str
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """The values that the option takes, in words."""
        if self.choices:
            return f"one of {', '.join(filter(None, self.choices))}"
        bounds = []
        if self.above is not None:
            bounds.append(f"of more than {_format(self.above)}")
        if self.minimum is not None:
            bounds.append(f"of at least {_format(self.minimum)}")
        if self.maximum is not None:
            bounds.append(f"at most {_format(self.maximum)}")
        return f"{_TYPES[self.type].expected} {' and '.join(bounds)}".strip()

    def check(self, value: Any) -> None:
        """Raises OptionError for a value of another type or out of range; None is no value."""
        if self.choices and value not in self.choices:
            raise self._error(value)
        number = _NUMBERS.get(self.type)
        if (
            number
            and value is not None
            and not (isinstance(value, number) and isinstance(value, bool) == (number is bool))
        ):
            raise self._error(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        if isinstance(value, int) and not (-LARGEST <= value <= max(LARGEST, self.maximum or 0)):
            raise self._error(value)
        if not math.isfinite(value):
            raise OptionError(f"{self.name}={value}: expected a finite number ({self.description})")
        if (
            (self.minimum is not None and value < self.minimum)
            or (self.maximum is not None and value > self.maximum)
            or (self.above is not None and value <= self.above)
        ):
            raise self._error(value)

    def parse(self, text: str, *, allow_files: bool = True) -> Any:
        """The value of a text; its range is checked by `check_options` when the settings are made."""
        value_type = _TYPES[self.type]
        try:
            return value_type.parse(text, **({"allow_files": allow_files} if value_type.reads_files else {}))
        except FlipdropError as error:
            raise OptionError(f"{self.name}={text}: {error}") from None
        except (ValueError, KeyError):
            raise self._error(text) from None

    def format(self, value: Any) -> str:
        """The text that `parse` reads as this value."""
        return next(_TYPES[of].format(value) for of in type(value).__mro__ if of in _TYPES)

    def to_json(self) -> dict[str, Any]:
        """The declaration, for programs."""
        declared = {field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "type"}
        return declared | {"expected": self.expected, "choices": list(self.choices)}

    def _error(self, value: Any) -> OptionError:
        shown = _format(value) if isinstance(value, float) else quoted(value) if isinstance(value, str) else value
        if isinstance(value, int) and value.bit_length() > LONGEST_SHOWN:
            shown = f"a number of {value.bit_length()} bits"
        largest = " and at most 2^63 - 1" if isinstance(value, int) and value > LARGEST and self.maximum is None else ""
        return OptionError(f"{self.name.rstrip('_')}={shown}: expected {self.expected}{largest} ({self.description})")


@cache
def options_of(settings: Any, *, leave_out: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """The options that a dataclass declares, in its order."""
    hints = typing.get_type_hints(settings)
    return tuple(
        Option(field.name, _without_none(hints[field.name]), field.default, **field.metadata)
        for field in dataclasses.fields(settings)
        if "description" in field.metadata and field.name not in leave_out
    )


def check_whole_numbers(**values: int) -> None:
    """Raises OptionError for a number of more than 64 bits, which the kernel cannot take."""
    for name, value in values.items():
        if not -LARGEST <= value <= 2 * LARGEST + 1:
            raise OptionError(f"{name} is a number of {value.bit_length()} bits; at most 64 are possible")


def check_options(settings: Any) -> None:
    """Raises OptionError for the first option of a settings object that is out of range."""
    for one in options_of(settings.__class__):
        one.check(getattr(settings, one.name))


def parse_options(text: str, options: tuple[Option, ...], *, allow_files: bool = True) -> dict[str, Any]:
    """The values in ``option=value,option=value``."""
    known = {one.name: one for one in options}
    values: dict[str, Any] = {}
    for part in _COMMA.split(text) if text else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise OptionError(
                f"no option {quoted(name, 30)}; {did_you_mean(name, known)}options are {', '.join(known)}"
            )
        if not equals or not value:
            raise OptionError(f"{quoted(part, 30)} has no value; write {name}=VALUE, {known[name].expected}")
        if name in values:
            raise OptionError(f"{name} is given twice")
        values[name] = known[name].parse(value, allow_files=allow_files)
    return values


def format_options(*settings: Any, leave_out: tuple[str, ...] = ()) -> str:
    """The options of some settings that differ from their defaults, as `parse_options` reads them."""
    return ",".join(
        f"{one.name}={one.format(value)}"
        for holder in settings
        for one in options_of(holder.__class__, leave_out=leave_out)
        if (value := getattr(holder, one.name)) != one.default
    )


def _format(number: float) -> str:
    return str(number) if isinstance(number, int) else _format_float(number)


def _without_none(hint: Any) -> type:
    """``int`` of ``int | None``; ``str`` of ``Literal["a", "b"]``."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
    if typing.get_origin(hint) is typing.Literal:
        hint = type(typing.get_args(hint)[0])
    return typing.cast("type", hint)
