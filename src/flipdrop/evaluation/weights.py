"""`Weights`: the weights of one evaluation, an immutable value; evaluations as text.

Evaluations are written ``D``, ``Seven.averaged``, ``B@positive``, ``D(15,6,-8,-6,4,4)``, ``B@positive(2)``: a name or a
preset; after ``@`` the name of a table of squares; in parentheses weights, separated by commas, slashes or spaces.
Defaults fill in the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flipdrop.errors import FlipdropError, WeightsError, did_you_mean, quoted
from flipdrop.evaluation.registry import PRESETS, TABLES, Definition, definition_of, table_of
from flipdrop.kernel import Evaluation as KernelEvaluation

_NOTATION = re.compile(r"([^@()]*)(?:@([^@()]*))?(?:\(([^()]*)\))?")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Weights(Mapping[str, float]):
    """The weight of each term of an evaluation by the term's name, and its table of squares if it has one.

    >>> weights = Weights("D", {"corners": 20})
    >>> weights["corners"], weights["edges"], weights.game
    (20.0, 6.0, 'othello')
    >>> weights
    Weights('D', (20, 6, -10, -4, 8, 8))

    :param evaluation: the evaluation's name
    :param values: one number for each term in order, or numbers by name; defaults fill in the rest
    :param table: a name in `TABLES`, or the numbers: all squares of a board row by row, or the 16 of the top left
        quarter of 8x8, which fits every board (16 numbers always mean that quarter)
    """

    evaluation: str
    vector: tuple[float, ...]
    table: tuple[float, ...]

    def __init__(
        self,
        evaluation: str,
        values: Mapping[str, float] | Iterable[float] | None = None,
        *,
        table: str | Iterable[float] | Iterable[Iterable[float]] | None = None,
    ) -> None:
        definition = definition_of(evaluation)
        object.__setattr__(self, "evaluation", definition.name)
        object.__setattr__(self, "vector", _vector(definition, values))
        object.__setattr__(self, "table", _table(definition, table))
        self.kernel()

    @property
    def game(self) -> str:
        """The family of games that the evaluation is for: ``othello`` or ``connect4``."""
        return definition_of(self.evaluation).game

    def kernel(self) -> KernelEvaluation:
        """The kernel's evaluation with these numbers; WeightsError if they do not fit."""
        try:
            return KernelEvaluation(self.evaluation, self.vector, self.table)
        except FlipdropError as error:
            raise WeightsError(str(error)) from None

    def __getitem__(self, term: str) -> float:
        return dict(zip(self, self.vector, strict=True))[term]

    def __iter__(self) -> Iterator[str]:
        return iter(definition_of(self.evaluation).terms)

    def __len__(self) -> int:
        return len(self.vector)

    def __repr__(self) -> str:
        definition = definition_of(self.evaluation)
        default = table_of(definition.table) if definition.table else ()
        table = "" if self.table == default else f", table={tuple_text(self.table)}"
        return f"Weights({self.evaluation!r}, {tuple_text(self.vector)}{table})"


def parse_notation(text: str) -> tuple[str, tuple[float, ...] | None, str | None]:
    """The evaluation's name, and its weights and table if the text gives them."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise WeightsError(f"evaluation {quoted(text)}; write a name such as D, B@positive or D(15,6,-10,-4,8,8)")
    name, table, numbers = match.groups()
    preset = PRESETS.get(name.strip().lower())
    definition = definition_of(name if preset is None else preset.evaluation)
    weights = None if preset is None else preset.weights
    if numbers is not None:
        words = [word for word in re.split(r"[,/\s]+", numbers) if word]
        weights = tuple(_read_number(word, text) for word in words)
    return definition.name, weights, table


def format_notation(weights: Weights) -> str | None:
    """The text that `parse_notation` reads as these weights; None if their table has no name."""
    definition = definition_of(weights.evaluation)
    table = ""
    if definition.table is not None:
        named = next((name for name, numbers in TABLES.items() if numbers == weights.table), None)
        if named is None:
            return None
        table = "" if named == definition.table else f"@{named}"
    if weights.vector == definition.defaults:
        return definition.name + table
    for preset in PRESETS.values():
        if preset.evaluation == definition.name and preset.weights == weights.vector:
            return preset.name + table
    return f"{definition.name}{table}({','.join(map(number_text, weights.vector))})"


def number_text(number: float) -> str:
    """A number that reads back as the same, without a needless ``.0``."""
    return repr(number).removesuffix(".0")


def tuple_text(numbers: tuple[float, ...]) -> str:
    """A tuple as Python code."""
    listed = ", ".join(map(number_text, numbers))
    return f"({listed},)" if len(numbers) == 1 else f"({listed})"


def _vector(definition: Definition, values: Mapping[str, float] | Iterable[float] | None) -> tuple[float, ...]:
    if values is None:
        return tuple(map(float, definition.defaults))
    if isinstance(values, Mapping):
        for name in values:
            if name not in definition.terms:
                raise WeightsError(
                    f"evaluation {definition.name} has no term {quoted(str(name))}; "
                    f"{did_you_mean(str(name), definition.terms)}terms are {', '.join(definition.terms)}"
                )
        values = [values.get(kind.name, kind.weight) for kind in definition.kinds]
    return _numbers(values, f"weights of evaluation {definition.name}")


def _table(
    definition: Definition, table: str | Iterable[float] | Iterable[Iterable[float]] | None
) -> tuple[float, ...]:
    if table is None:
        return tuple(map(float, table_of(definition.table))) if definition.table else ()
    if isinstance(table, str):
        return tuple(map(float, table_of(table)))
    return _numbers(table, f"the table of evaluation {definition.name}")


def _numbers(given: object, what: str) -> tuple[float, ...]:
    """Flattens numbers, or rows of numbers, into one tuple."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise WeightsError(f"{what}: {quoted(repr(given))}; numbers such as (1, 2.5) are needed")
    numbers: list[float] = []
    for item in given:
        if isinstance(item, Iterable) and not isinstance(item, str | bytes):
            numbers += (_number(inner, what) for inner in item)
        else:
            numbers.append(_number(item, what))
    return tuple(numbers)


def _number(item: object, what: str) -> float:
    try:
        if isinstance(item, str | bytes):  # float would read it
            raise TypeError
        return float(item)  # type: ignore[arg-type]  # the except clause handles other types
    except (TypeError, ValueError, OverflowError):
        shown = "a huge number" if isinstance(item, int) else quoted(repr(item))
        raise WeightsError(f"{what}: {shown} is not a number that a weight can be") from None


def _read_number(word: str, text: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise WeightsError(f"{quoted(word, 20)} in evaluation {quoted(text)} is not a number") from None
