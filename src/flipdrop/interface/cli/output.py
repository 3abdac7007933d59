"""How the commands speak: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line."""
    sys.stdout.write(json.dumps(value) + "\n")


def fail(message: str) -> NoReturn:
    """Says what was wrong with the call and exits with 2."""
    sys.stderr.write(f"flipdrop: {message}\n")
    sys.exit(2)


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error for the time of the block, or nothing where nobody would see it.

    Yields a function of how many parts are done and how many there are.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
