"""The process that plays the games of a class: ``python -m flipdrop.interface.web.classroom.worker FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.interface.web.jobs import worker
from flipdrop.interface.web.jobs.manager import STOPPED

if TYPE_CHECKING:
    from flipdrop.interface.web.jobs.spec import JobSpec


def execute(spec: JobSpec) -> int:
    """Plays the games of the class that the store does not have. Returns the exit status."""
    from flipdrop.arena.store import Store
    from flipdrop.interface.web.agents.roster import RosterFolder
    from flipdrop.interface.web.classroom.games import play

    try:
        with Store(spec.store) as store:
            play(RosterFolder(spec.settings["folder"]), store)
    except KeyboardInterrupt:
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(worker.run(Path(sys.argv[1]), execute))
