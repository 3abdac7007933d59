"""Fuzzes all readers with Atheris (libFuzzer): ``python -m tests.fuzz --seconds 3600``.

The corpus of the repository is the start; what reaches new code goes to ``build/fuzz/corpus``. The first input of each
failure is kept in ``build/fuzz/failures`` with its traceback, and the fuzzing goes on; a crash of the process or an
input that takes too long or too much memory ends it. ``python -m tests.fuzz FILE`` repeats an input. With
``--minimise`` the short inputs that reach new code are copied into the repository's corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import shlex
import shutil
import subprocess
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 4096  # bytes of an input
SHORT = 300  # bytes of an input that is added to the repository's corpus
SECONDS, MEGABYTES = 30, 2048  # that an input may take


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=0, help="time limit; none by default")
    parser.add_argument("--runs", type=int, default=-1, help="limit of inputs; none by default")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; random by default")
    parser.add_argument("--output", type=Path, default=Path("build") / "fuzz", help="folder of corpus and failures")
    parser.add_argument("--minimise", action="store_true", help="keep the inputs that reach new code in the repository")
    parser.add_argument("file", nargs="*", type=Path, help="inputs to repeat")
    given = parser.parse_args()
    if given.file:
        from tests.fuzz.targets import run

        for path in given.file:
            run(path.read_bytes())
        return
    options = [f"-max_len={LONGEST}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}"]
    if given.minimise:
        sys.exit(minimise(given.output, options))
    options += [f"-max_total_time={given.seconds}", f"-runs={given.runs}", f"-seed={given.seed}"]
    sys.exit(fuzz(given.output, [*options, "-print_final_stats=1", str(given.output / "corpus"), str(CORPUS)]))


def fuzz(output: Path, options: list[str]) -> int:
    """Fuzzes in a process of its own, which libFuzzer ends; prints the failures, and 1 if there are any."""
    failures = output / "failures"
    shutil.rmtree(failures, ignore_errors=True)
    for folder in (failures, output / "corpus"):
        folder.mkdir(parents=True, exist_ok=True)
    worker = output.absolute() / "worker"  # a program that libFuzzer can start again, which it does to merge corpora
    command = [sys.executable, "-m", "tests.fuzz.worker", str(failures.absolute())]
    worker.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    worker.chmod(0o755)
    status = subprocess.run([str(worker), *options, f"-artifact_prefix={failures}/"], check=False).returncode
    for path in sorted(failures.glob("*.txt")):
        print(f"{path.with_suffix('')}:\n{path.read_text()}", file=sys.stderr)
    return 1 if status or any(failures.iterdir()) else 0


def minimise(output: Path, options: list[str]) -> int:
    """Adds the short inputs that reach code which the repository's corpus does not reach."""
    merged = output / "merged"
    shutil.rmtree(merged, ignore_errors=True)
    shutil.copytree(CORPUS, merged)
    status = fuzz(output, [*options, "-merge=1", str(merged), str(output / "corpus")])
    for path in merged.iterdir():
        data = path.read_bytes()
        name = data.partition(b"\n")[0].decode("latin-1")
        if len(data) <= SHORT and not (CORPUS / path.name).exists():
            (CORPUS / f"{name}-{hashlib.sha1(data).hexdigest()[:8]}").write_bytes(data)
    return status


def keep_failure(failures: Path, entry: bytes, error: BaseException) -> None:
    """Keeps the first input of each failure: the same error at the same place."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "flipdrop" in frame.filename] or frames
    place = f"{type(error).__name__} {own[-1].filename} {own[-1].lineno}"
    path = failures / f"{type(error).__name__}-{hashlib.sha1(place.encode()).hexdigest()[:8]}"
    if not path.exists():
        path.write_bytes(entry)
        text = "".join(traceback.format_exception(error))
        path.with_suffix(".txt").write_text(text, errors="backslashreplace")


def is_available() -> bool:
    """Whether Atheris is installed: there is no build of it for every system."""
    return find_spec("atheris") is not None


if __name__ == "__main__":
    main()
