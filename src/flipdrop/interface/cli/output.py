"""Output of the commands: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def print_json(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


def fail(message: str) -> NoReturn:
    """Prints the error and exits with status 2."""
    sys.stderr.write(f"flipdrop: {message}\n")
    sys.exit(2)


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None] | None]:
    """Shows a progress bar on standard error; yields a function of (done, total), or None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
