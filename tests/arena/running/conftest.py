"""Agents that misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = """
import os, time

def first(position):
    return position.legal_moves[0]

def prints(position):
    print("noise on standard output")
    return position.legal_moves[-1]

def hangs(position):
    while True:
        time.sleep(0.01)

def dies(position):
    os._exit(7)

class raises:
    def __init__(self):
        raise LookupError("no")

def score(position):
    return position.ply

def hangs_later(position):
    while position.ply > 6:
        pass
    return position.legal_moves[0]

"""


@pytest.fixture
def agents(tmp_path: Path) -> str:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return str(path)
