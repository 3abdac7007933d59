"""Tries out an installed flipdrop: ``python installed.py [SDIST]`` with the Python of an environment that has it.

It uses the standard library and the package alone, from an empty folder, so that no source tree is in the way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any


def run(*arguments: str, kernel: str = "") -> Any:
    """The JSON that a command prints."""
    environment = {**os.environ, "FLIPDROP_KERNEL": kernel, "XDG_DATA_HOME": str(Path.cwd())}
    shown = subprocess.run(
        [sys.executable, "-m", "flipdrop", *arguments, "--json"], stdout=subprocess.PIPE, check=True, env=environment
    )
    return json.loads(shown.stdout)


def check_kernels() -> None:
    """Both kernels are there, and the baseline solves what the other one solves."""
    from flipdrop import kernel
    from flipdrop.kernel import _cpu

    folder = Path(kernel.__file__).parent
    built = {path.name.split(".")[0] for path in folder.iterdir() if path.suffix in (".so", ".pyd")}
    expected = {"_baseline", "_cpu"} | ({"_v3"} if _cpu.has_v3() else set())
    assert expected <= built, f"kernels in the wheel: {sorted(built)}"
    for name in sorted(expected - {"_cpu"}):
        solved = run("solve", "connect4", "44444222", "--threads", "1", kernel=name.removeprefix("_"))
        assert solved["exact"], solved
        print(f"kernel {name}: score {solved['score']}")


def check_commands() -> None:
    """What needs files of the package: books, networks, the ladder, templates, the results of the experiments."""
    assert run("solve", "connect4", "")["book"]
    assert run("analyse", "othello", "f5d6c3", "--depth", "4", "--threads", "1")["best"]
    assert run("match", "level:2", "random", "--games", "2", "--seed", "1", "--no-store")["games"] == 2
    assert run("ladder", "--game", "othello")["rungs"]
    from flipdrop import Minimax, match
    from flipdrop.interface.web import app, pages

    assert match(lambda position: position.legal_moves[0], Minimax(depth=2), games=2).games == 2
    folder = Path(app.__file__).parent
    for part in ("static/board.js", "locales/en.json", "locales/zh.json", "templates"):
        assert (folder / part).exists(), f"the wheel lacks {part}"
    assert (folder.parents[1] / "experiments" / "data" / "results.json").exists()
    assert pages.__doc__


def check_sdist(path: Path) -> None:
    """What a build needs, and nothing that one makes."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "CMakeLists.txt",
        "pyproject.toml",
        "kernel/binding/module.cpp",
        "src/flipdrop/__init__.py",
        "LICENSE",
    ):
        assert needed in names, f"{path.name} lacks {needed}"
    made = [name for name in names if name.startswith(("build/", ".venv/")) or name.endswith((".so", ".pyc"))]
    assert not made, f"{path.name} has {made[:3]}"


def main() -> None:
    sdists = [Path(argument).resolve() for argument in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import flipdrop

        assert "site-packages" in str(flipdrop.__file__), f"not an installed package: {flipdrop.__file__}"
        check_kernels()
        check_commands()
        for sdist in sdists:
            check_sdist(sdist)
        os.chdir("/")
    print(f"flipdrop {flipdrop.__version__} works with Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
