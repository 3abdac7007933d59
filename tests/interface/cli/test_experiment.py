"""`flipdrop experiment`, as a shell runs it."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.interface.cli.support import STOPPED

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = [sys.executable, "-m", "flipdrop", "experiment"]
SMALLEST = "R2.2"


def run(*arguments: str, status: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=300, check=False, cwd=cwd)
    assert done.returncode == status, done.stderr
    return done


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def measured(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The values of the parts, without what depends on the clock."""
    return [{k: v for k, v in part["values"].items() if k != "games_a_second"} for part in found["parts"]]


@pytest.mark.slow
def test_the_list() -> None:
    said = run("list").stdout
    found = lines(run("list", "--quick", "--json"))
    names = [one["experiment"] for one in found]
    assert names[:2] == ["R1.1", "R1.2"]
    for one in found:
        assert one["experiment"] in said
        assert one["title"] in said


@pytest.mark.slow
def test_the_list_needs_no_extra() -> None:
    code = (
        "import sys\n"
        "for name in ('cma', 'matplotlib', 'onnx', 'onnxruntime', 'optuna', 'pandas', 'ray', 'torch'):\n"
        "    sys.modules[name] = None\n"
        "from flipdrop.interface.cli import main\n"
        "sys.argv = ['flipdrop', 'experiment', 'list', '--json']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Q6" in [one["experiment"] for one in lines(done)]


@pytest.mark.slow
def test_an_experiment_is_run_once_and_its_pages_can_be_made_again(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "games.db")]
    (first,) = lines(run(SMALLEST, "--quick", *store, "--json", "--pages", str(tmp_path / "pages")))
    assert first["conclusion"]
    assert first["size"] == "quick"
    assert first["seed"] == 1
    again = run(SMALLEST.lower(), "--quick", *store)
    assert "0 tasks to run" in again.stderr
    for words in (first["title"], first["conclusion"], f"{first['games']:,} games"):
        assert words in again.stdout
    pages = {path: path.read_bytes() for path in (tmp_path / "pages").rglob("*.*")}
    assert {path.name for path in pages} >= {"results.html", "results.md", "results.json"}
    results = tmp_path / "kept.json"
    results.write_bytes((tmp_path / "pages" / "results.json").read_bytes())
    (read,) = lines(run(SMALLEST, "--results", str(results), "--pages", str(tmp_path / "pages"), "--json"))
    assert read == first
    assert {path: path.read_bytes() for path in (tmp_path / "pages").rglob("*.*")} == pages
    other = run("R1.4", "--quick", "--seed", "2", *store, "--pages", str(tmp_path / "pages"), status=2)
    assert f"{SMALLEST} of size quick with seed 1" in other.stderr, "pages of one run are not mixed with another's"
    run("R1.4", "--quick", *store, "--pages", str(tmp_path / "pages"))
    renewed = (tmp_path / "pages" / "results.md").read_text()
    assert all(f"## {name} " in renewed for name in (SMALLEST, "R1.4"))


@pytest.mark.slow
def test_a_seed_decides_everything() -> None:
    one, same, other = (
        measured(lines(run(SMALLEST, "--quick", "--no-store", "--json", *more))[0])
        for more in (["--threads", "1"], ["--threads", "2"], ["--seed", "2"])
    )
    assert one == same
    assert one != other


@pytest.mark.timing
@pytest.mark.slow
def test_interrupted_it_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    process = subprocess.Popen(
        [*COMMAND, "R1.4", "--store", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while _kept(path) < 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode in STOPPED, errors
    assert "Traceback" not in errors
    assert "the same command resumes" in errors
    assert output == ""
    kept = _kept(path)
    assert kept >= 1
    assert kept < 181


def _kept(path: Path) -> int:
    """How many parts a store has."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=10)
    try:
        return int(connection.execute("SELECT count(*) FROM experiment_results").fetchone()[0])
    except sqlite3.OperationalError:  # the table is not there yet
        return 0
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["R1.9"], "R1.1"),
        (["R1.1", "sideways"], "sideways"),
        (["R2.2", "--results", "nowhere.json"], "nowhere.json"),
        (["R2.2", "--store", "x.db", "--no-store"], "contradict"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = run(*arguments, status=2, cwd=tmp_path)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
