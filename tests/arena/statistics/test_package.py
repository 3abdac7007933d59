"""The statistics have no side effects, and `import flipdrop` does not load their libraries."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from flipdrop.arena import statistics

ALLOWED = ("numpy", "scipy", "flipdrop.errors", "flipdrop.arena.statistics")


def test_imports() -> None:
    modules = sorted(Path(statistics.__file__).parent.glob("*.py"))
    assert len(modules) > 10
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                allowed = name.startswith(ALLOWED) or name.split(".")[0] in sys.stdlib_module_names
                assert allowed, f"{module.name} imports {name}"
                assert name.split(".")[0] not in {"os", "pathlib", "sqlite3", "io", "random"}, module.name


def test_no_scipy_on_import() -> None:
    code = "import sys, flipdrop; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
