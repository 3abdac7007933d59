"""What runs in the process of a job (see `jobs`): a command of flipdrop's, and then a note of how it ended.

``python -m flipdrop.interface.web.jobs.worker FOLDER COMMAND ARGUMENT...``
"""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from flipdrop.files import atomic_write
from flipdrop.interface.web.jobs.manager import STOPPED, JobSpec

NICENESS = 5
"""Games in the background leave the page and people's searches their share of the machine."""


def run(folder: Path, arguments: list[str]) -> int:
    """Runs a job to its end, writes down how it ended, and returns the exit status."""
    # A server that was begun in the background of a script ignores Ctrl-C, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.nice(NICENESS)
    code = 1
    try:
        # Who was asked to stop before it listened to Ctrl-C has nothing to save, or saves what an earlier run left.
        code = STOPPED if (folder / "stop").exists() else command(arguments)
        spec = JobSpec.from_json(json.loads((folder / "job.json").read_text(encoding="utf-8")))
        if code == STOPPED and spec.on_stop:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ending already
            command(list(spec.on_stop))
    finally:
        note = {"code": code, "at": datetime.now(UTC).isoformat()}
        atomic_write(folder / "ended.json", json.dumps(note).encode())
    return code


def command(arguments: list[str]) -> int:
    """Runs a command as the command line does, and returns its exit status."""
    try:
        from flipdrop.interface.cli import main

        sys.argv = ["flipdrop", *arguments]
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:  # it came before the command knew what to do about it
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2:]))
