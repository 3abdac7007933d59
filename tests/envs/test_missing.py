"""Errors for missing libraries of environments."""

from __future__ import annotations

import subprocess
import sys


def test_missing_libraries_are_named() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import flipdrop.envs\n"
        "try: flipdrop.envs.GameEnv\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "FlipdropError GameEnv needs gymnasium, which is not installed: pip install '.[env]'" in shown


def test_openspiel_is_named() -> None:
    code = "import sys; sys.modules['pyspiel'] = None\nimport flipdrop.envs.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "FlipdropError: flipdrop.envs.openspiel needs the package open_spiel" in done.stderr
