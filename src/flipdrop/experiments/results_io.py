"""Results of experiments as a JSON file with a line for each task.

Pages can be made from the store or from this file. Games are in the store only.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flipdrop.arena.store import ExperimentResult
from flipdrop.errors import DAMAGE, ArenaError
from flipdrop.experiments.experiment import SIZES, Results

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.experiments.experiment import Values

VERSION = 1
_COLUMNS = ("key", "seed", "settings", "values", "seconds", "threads", "ended", "version")


def task_json(done: ExperimentResult) -> Values:
    """A result without the ids of the store and without the names that all tasks of an experiment share."""
    return {column: getattr(done, column) for column in _COLUMNS}


def write_results(results: Mapping[str, Results]) -> str:
    """The results of experiments, by name, as the text of a file."""
    lines = [
        json.dumps({"experiment": name, "size": of.size, "seed": of.seed, "part": task_json(done)}, allow_nan=False)
        for name, of in results.items()
        for done in of.done.values()
    ]
    return f'{{"version": {VERSION}, "parts": [\n' + ",\n".join(lines) + "\n]}\n"


def read_results(text: str, name: str = "results") -> dict[str, Results]:
    """Reads the text of `write_results`.

    :param name: of the file, for error messages
    """
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise ArenaError(f"{name} is of version {data['version']}, and this flipdrop reads version {VERSION}")
        found: dict[str, Results] = {}
        for line in data["parts"]:
            if line["size"] not in SIZES:
                raise KeyError(line["size"])
            results = found.setdefault(line["experiment"], Results(line["size"], line["seed"]))
            done = ExperimentResult(experiment=line["experiment"], size=line["size"], **line["part"])
            results.done[done.key] = done
    except DAMAGE as error:
        if isinstance(error, ArenaError):
            raise
        raise ArenaError(f"{name} holds no results of experiments: {error}") from None
    return found
