"""Output of the commands: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import signal
import sys
import threading
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from flipdrop.interface.termination import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from types import FrameType


def print_json(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


def fail(message: str) -> NoReturn:
    """Prints the error and exits with status 2."""
    sys.stderr.write(f"flipdrop: {message}\n")
    sys.exit(2)


def exit_stopped(sentence: str | None) -> NoReturn:
    """Ends the command after Ctrl-C or SIGTERM.

    :param sentence: what was saved and how to continue; None to say nothing
    """
    if sentence is not None:
        sys.stderr.write(f"{sentence}\n")
    raise typer.Exit(INTERRUPTED) from None


_INTERVAL = 0.1  # s between updates of a display
_INTERVAL_FACTOR = 10  # times the duration of an update: describing a million games must not delay the next ones


@contextmanager
def progress_display(
    describe: Callable[..., tuple[float, float | None, str]],
) -> Iterator[Callable[..., None] | None]:
    """Shows a progress bar with a text on standard error.

    Yields a function that updates it, or None without a terminal.

    :param describe: makes of the arguments of that function how much is done, the total (None if unknown) and the text
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        due = 0.0

        def show(*progress: Any) -> None:
            nonlocal due
            began = perf_counter()
            if began < due:
                return
            done, total, text = describe(*progress)
            bar.update(task, completed=done, total=total, description=escape(text))
            due = perf_counter() + max(_INTERVAL, _INTERVAL_FACTOR * (perf_counter() - began))

        yield show


@contextmanager
def interrupt_check() -> Iterator[Callable[[], None]]:
    """Yields a function that raises KeyboardInterrupt if Ctrl-C was pressed, or SIGTERM received, before.

    Python drops a KeyboardInterrupt that is raised in a callback of its own, such as that of a weak reference.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    def check() -> None:
        if interrupted:
            raise KeyboardInterrupt

    before, report = signal.signal(signal.SIGINT, interrupt), sys.unraisablehook
    sys.unraisablehook = lambda dropped: None if issubclass(dropped.exc_type, KeyboardInterrupt) else report(dropped)
    try:
        yield check
    finally:
        sys.unraisablehook = report
        signal.signal(signal.SIGINT, before)


def progress_bar(unit: str) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """A `progress_display` whose function takes how many units are done, and their total."""
    return progress_display(lambda done, total: (done, total, f"{done:,} of {total:,} {unit}"))
