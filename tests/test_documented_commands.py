"""The command lines of README and docs name commands and options that exist."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import typer

from flipdrop.interface.cli import ALIASES, COMMANDS, app

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "experiments" not in path.parts),
)
# A line of a block of commands, and its continuations; not what the server prints.
LINE = re.compile(r"^    (?:.*\| )?flipdrop (?!is at)([a-z]+)\b(.*(?:(?<=\\)\n.*)*)", re.MULTILINE)


@cache
def options_of(command: str) -> set[str]:
    group = typer.main.get_group(app)
    found = group.get_command(typer.Context(group), ALIASES.get(command, command))
    assert found is not None
    return {name for param in found.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_options_exist(page: Path) -> None:
    for command, rest in LINE.findall(page.read_text(encoding="utf-8")):
        assert command in (*COMMANDS, *ALIASES), f"flipdrop {command}"
        words = shlex.split(rest, comments=True)
        unknown = {word.partition("=")[0] for word in words if word.startswith("--")} - options_of(command)
        assert not unknown, f"flipdrop {command}{rest}: no option {', '.join(sorted(unknown))}"


def test_many_are_found() -> None:
    assert sum(len(LINE.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 100
