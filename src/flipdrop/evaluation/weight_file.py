"""Weight files: JSON with a format name, a version and a checksum.

::

    {
      "format": "flipdrop weights",
      "version": 1,
      "evaluation": "D",
      "game": "othello",
      "weights": {"corners": 15.0, "edges": 6.0, ...},
      "table": null,
      "checksum": "sha256:..."
    }

The checksum covers the content, not the white space. For a file edited by hand the error message gives the right one.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from flipdrop.errors import FlipdropError, WeightsError, quoted
from flipdrop.evaluation.registry import definition_of
from flipdrop.evaluation.weights import Weights
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    import os

FORMAT, VERSION = "flipdrop weights", 1
SUFFIX = ".weights"

_FIELDS = ("format", "version", "evaluation", "game", "weights", "table", "checksum")
_LARGEST = 1_000_000  # bytes; a file of 64 squares and seven weights has 2,000


def write_weights(path: str | os.PathLike[str], weights: Weights) -> None:
    """Writes the weights to a file atomically."""
    atomic_write(path, encode_weights(weights))


def read_weights(path: str | os.PathLike[str], *, evaluation: str | None = None) -> Weights:
    """The weights in a file.

    :param evaluation: the evaluation that they must belong to; any by default
    """
    try:
        with Path(path).open("rb") as file:
            weights = decode_weights(file.read(_LARGEST + 1))
        if evaluation is not None and definition_of(evaluation).name != weights.evaluation:
            raise WeightsError(f"weights of {weights.evaluation}, not of {definition_of(evaluation).name}")
    except FlipdropError as error:
        raise WeightsError(f"{path}: {error}") from None
    return weights


def encode_weights(weights: Weights) -> bytes:
    content = {
        "format": FORMAT,
        "version": VERSION,
        "evaluation": weights.evaluation,
        "game": weights.game,
        "weights": dict(weights),
        "table": list(weights.table) or None,
        "checksum": _checksum(weights),
    }
    return (json.dumps(content, indent=2) + "\n").encode()


def decode_weights(data: bytes) -> Weights:
    if len(data) > _LARGEST:
        raise WeightsError(f"more than {_LARGEST:,} bytes: not a weight file")
    content = _parsed(data)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise WeightsError(f'not a weight file; one begins with {{"format": "{FORMAT}", ...')
    if content.get("version") != VERSION:
        raise WeightsError(f"version {_shown(content.get('version'))} of the format; this flipdrop reads {VERSION}")
    for field in _FIELDS:
        if field not in content:
            raise WeightsError(f"{field!r} is missing")
    for field in content:
        if field not in _FIELDS:
            raise WeightsError(f"{quoted(field)} is no field of a weight file; it has {', '.join(_FIELDS)}")
    weights = _weights(content)
    if content["checksum"] != _checksum(weights):
        raise WeightsError(
            f"the checksum does not match: the file is damaged, or was edited and needs {_checksum(weights)!r}"
        )
    return weights


def _parsed(data: bytes) -> Any:
    def refuse(word: str) -> NoReturn:
        raise WeightsError(f"{word} is not a number that a weight can be")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise WeightsError("a name occurs twice in the same braces")
        return found

    try:
        return json.loads(data.decode(), parse_constant=refuse, object_pairs_hook=unique)
    except UnicodeDecodeError as error:
        raise WeightsError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise WeightsError(f"line {error.lineno}, column {error.colno}: {error.msg}; JSON is needed") from None
    except WeightsError:
        raise
    except (ValueError, RecursionError):  # an integer of thousands of digits, brackets in thousands of brackets
        raise WeightsError("not JSON that a weight file can hold") from None


def _weights(content: dict[str, Any]) -> Weights:
    name, values, table = content["evaluation"], content["weights"], content["table"]
    if not isinstance(name, str):
        raise WeightsError(f"evaluation {_shown(name)}; its name is needed")
    definition = definition_of(name)
    if content["game"] != definition.game:
        raise WeightsError(f"game {_shown(content['game'])}; evaluation {definition.name} is for {definition.game}")
    if not isinstance(values, dict) or set(values) != set(definition.terms):
        found = ", ".join(values) if isinstance(values, dict) else _shown(values)
        raise WeightsError(f"weights for {found}; evaluation {definition.name} has {', '.join(definition.terms)}")
    if not isinstance(table, list | None) or (table is None) != (definition.table is None):
        takes = "none (null)" if definition.table is None else "a list of numbers"
        raise WeightsError(f"table {_shown(table)}; evaluation {definition.name} takes {takes}")
    for number in [*values.values(), *(table or [])]:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise WeightsError(f"{_shown(number)} is not a number that a weight can be")
    return Weights(name, values, table=table)


def _checksum(weights: Weights) -> str:
    meaning = json.dumps([FORMAT, VERSION, weights.evaluation, weights.vector, weights.table])
    return "sha256:" + hashlib.sha256(meaning.encode()).hexdigest()


def _shown(value: object) -> str:
    return quoted(json.dumps(value), 40)
