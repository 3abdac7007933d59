"""The names at the top level of the package."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

import flipdrop
from flipdrop import errors


def test_every_name_can_be_imported() -> None:
    for name in flipdrop.__all__:
        assert getattr(flipdrop, name) is not None, name
    assert set(flipdrop.__all__) <= set(dir(flipdrop))


def test_lazy_names_agree_with_the_declared_imports() -> None:
    """Type checkers read the imports, Python the table: both name the same modules."""
    tree = ast.parse(inspect.getsource(flipdrop))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(declared) == {*flipdrop._LAZY, *flipdrop._SUBPACKAGES}
    for name, (module, original) in declared.items():
        if name not in flipdrop._SUBPACKAGES:
            assert getattr(flipdrop, name) is getattr(sys.modules[str(module)], original), name


def test_all_errors_are_at_the_top_level() -> None:
    own = {name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, Exception)}
    assert own <= set(flipdrop.__all__)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'minimax'"):
        _ = flipdrop.minimax


def test_import_loads_little() -> None:
    """What takes long to import is loaded on use."""
    code = "import sys, flipdrop; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "scipy", "typer", "rich", "matplotlib", "flipdrop.evaluation", "flipdrop.search", "asyncio"}
    assert not heavy & set(loaded)


def test_package_and_function_evaluation() -> None:
    code = (
        "from flipdrop import evaluation, Othello; print(evaluation('D').score(Othello()), len(evaluation.PRESETS) > 0)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["32.0", "True"]
    assert str(flipdrop.evaluation("D", weights=(15, 6, -8, -6, 4, 4))) == "D.baseline"


@pytest.mark.timing
def test_import_time() -> None:
    """Under 100 ms of the processor, besides what Python itself takes to start."""
    code = "import time; began = time.process_time(); import flipdrop; print(time.process_time() - began)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(times) < 0.1
