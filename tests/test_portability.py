"""Every module can be imported on a system without what only POSIX has, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Other packages have code of their own for each system: they are imported first.
SCRIPT = """
import importlib, os, pkgutil, signal, socket, sys
import cma, gymnasium, matplotlib.figure, nicegui.run, numpy, onnxruntime, optuna, pandas, pettingzoo, pyspiel
import scipy.optimize, scipy.stats, torch, typer, uvicorn

for name in ("fcntl", "grp", "pwd", "pty", "resource", "termios", "tty"):
    sys.modules[name] = None
for module, names in {
    os: "fork getpgrp geteuid getuid killpg register_at_fork sched_getaffinity setpgid setsid sysconf uname",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 SIGXFSZ pthread_sigmask",
    socket: "AF_UNIX",
}.items():
    for name in names.split():
        delattr(module, name)

import flipdrop
for found in pkgutil.walk_packages(flipdrop.__path__, "flipdrop."):
    # Compiled modules, the command itself, and the program that POSIX alone runs beside an engine.
    if found.name.split(".")[-1].startswith("_") or found.name == "flipdrop.players.external.supervisor":
        continue
    importlib.import_module(found.name)
    print(found.name)
"""


@pytest.mark.slow
def test_imports_without_posix(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) > 300
