"""The process that fuzzes: ``python -m tests.fuzz.worker FAILURES OPTIONS`` with options of libFuzzer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.fuzz.__main__ import keep_failure

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


SOURCE = Path(__file__).parents[2] / "src"


class CompiledModules:
    """A finder that asks the finder of an editable install for the compiled kernels alone.

    Atheris instruments what Python's own finder loads, which is the rest of the package.
    """

    def __init__(self, editable: Any) -> None:
        self._editable = editable

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith("flipdrop.kernel._"):
            return None
        found: ModuleSpec | None = self._editable.find_spec(name, path, target)
        return found


def import_without_redirection() -> None:
    for number, finder in enumerate(sys.meta_path):
        if type(finder).__name__ == "ScikitBuildRedirectingFinder":
            sys.meta_path[number] = CompiledModules(finder)
            sys.path.insert(0, str(SOURCE))


def main() -> None:
    import atheris  # there is no build of it for every system, and pytest imports this module

    import_without_redirection()
    with atheris.instrument_imports(include=["flipdrop"]):
        from tests.fuzz.targets import run
    failures = Path(sys.argv[1])

    def mutate(entry: bytes, most: int, _seed: int) -> bytes:
        """Mutates the input of an entry; its target stays the same."""
        name, line_end, data = entry.partition(b"\n")
        if not line_end:
            return entry
        mutated: bytes = atheris.Mutate(data, max(1, most - len(name) - 1))
        return name + line_end + mutated

    def test(entry: bytes) -> int:
        try:
            return 0 if run(entry) else -1  # -1: not for the corpus
        except Exception as error:
            keep_failure(failures, entry, error)
            return -1

    atheris.Setup([str(failures.parent / "worker"), *sys.argv[2:]], test, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
