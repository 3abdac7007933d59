"""The package order of docs/architecture.md: a package imports only from those before it; folders form no cycle."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import flipdrop

ROOT = Path(flipdrop.__file__).parent
ORDER = (
    "kernel", "games", "evaluation", "search", "batch", "players", "envs", "arena", "reporting", "learning",
    "experiments", "interface",
)  # fmt: skip
SHARED = {path.stem for path in ROOT.glob("*.py")} - {"__init__", "__main__"}  # modules below all packages


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT)


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of the package that a file imports, wherever in the file, also for type checking only."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            # `from flipdrop.arena import match` may name a module or something in flipdrop/arena/__init__.py.
            found |= {f"{node.module}.{alias.name}" if is_module(node.module, alias.name) else node.module
                      for alias in node.names}  # fmt: skip
    return frozenset(name for name in found if name.split(".")[0] == "flipdrop")


def is_module(package: str, name: str) -> bool:
    folder = ROOT.parent.joinpath(*package.split("."))
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()


def folder_of(module: str) -> str:
    """The folder that a module lives in, or is: ``flipdrop.arena.store.store`` and ``flipdrop.arena.store`` alike."""
    path = ROOT.parent.joinpath(*module.split("."))
    return module if path.is_dir() else module.rpartition(".")[0]


@pytest.mark.parametrize("package", [name for name in ORDER if (ROOT / name).is_dir()])
def test_package_order(package: str) -> None:
    allowed = {*ORDER[: ORDER.index(package) + 1], *SHARED, "__init__"}
    for path in modules():
        if path.relative_to(ROOT).parts[0] != package:
            continue
        for name in imported(path):
            top = [*name.split("."), "__init__"][1]
            assert top in allowed, f"{path.relative_to(ROOT)} imports {name}"


def test_every_package_is_ordered() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found <= set(ORDER)


def test_no_cycles_of_folders() -> None:
    edges: dict[str, set[str]] = {}
    for path in modules():
        own = folder_of(".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"))
        for name in imported(path):
            other = folder_of(name)
            # Modules that stand directly in a package serve its folders and use them: only folders side by side count.
            if not f"{own}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{own}."):
                edges.setdefault(own, set()).add(other)

    def visit(folder: str, way: tuple[str, ...]) -> None:
        assert folder not in way, " -> ".join((*way[way.index(folder) :], folder))
        if folder in done:
            return
        for other in sorted(edges.get(folder, ())):
            visit(other, (*way, folder))
        done.add(folder)

    done: set[str] = set()
    for folder in sorted(edges):
        visit(folder, ())
