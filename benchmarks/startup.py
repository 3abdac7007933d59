"""Time of `import flipdrop`, without the start of Python."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import seconds_of


def run(effort: float) -> None:
    """Prints the best of several fresh interpreters."""
    runs = max(3, round(15 * effort))
    bare, importing = (min(_python(code) for _ in range(runs)) for code in ("pass", "import flipdrop"))
    print(f"\nimport flipdrop: {1000 * (importing - bare):.0f} ms (Python itself starts in {1000 * bare:.0f} ms)")


def _python(code: str) -> float:
    return seconds_of(lambda: subprocess.run([sys.executable, "-c", code], check=True))
