"""A short run of the fuzzer: the corpus, then mutations of it; ``make fuzz`` runs for an hour."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.__main__ import CORPUS, is_available
from tests.fuzz.targets import TARGETS, run

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = sorted(CORPUS.iterdir())
RUNS = 6000
SLOWEST = 300  # s, on a machine that does other things


def test_corpus() -> None:
    assert sum(path.stat().st_size for path in ENTRIES) < 200_000
    names = {path.read_bytes().partition(b"\n")[0].decode() for path in ENTRIES}
    assert names == set(TARGETS)  # every reader is fuzzed


@pytest.mark.parametrize("name", TARGETS)
def test_entries(name: str) -> None:
    for path in ENTRIES:
        if path.name.startswith(f"{name}-"):
            assert run(path.read_bytes()), path.name


@pytest.mark.parametrize("name", TARGETS)
def test_mutations(name: str) -> None:
    """Without coverage, so that it runs everywhere: the same mutations every time."""
    source = random.Random(name)
    entries = [path.read_bytes() for path in ENTRIES if path.name.startswith(f"{name}-")]
    for _ in range(60):
        data = bytearray(source.choice(entries).partition(b"\n")[2])
        for _ in range(source.randint(1, 4)):
            at = source.randint(0, len(data))
            match source.randint(0, 3):
                case 0:
                    data[at:at] = bytes(source.choices(b'\x00\x01\xff"[]{}():,.=+-019azAZ', k=source.randint(1, 4)))
                case 1:
                    del data[at : at + source.randint(1, 8)]
                case 2 if data:
                    data[at % len(data)] ^= 1 << source.randint(0, 7)
                case 3:
                    data += data[at : at + 40]
        assert run(f"{name}\n".encode() + bytes(data))


@pytest.mark.slow
def test_with_coverage(tmp_path: Path) -> None:
    if not is_available():  # no build for this system: `test_mutations` has to do
        return
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--runs", str(RUNS), "--seed", "1", "--output", str(tmp_path)],
        cwd=CORPUS.parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SLOWEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert "NEW" in done.stderr  # it is guided by coverage
