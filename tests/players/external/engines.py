"""Engines for tests: small programs that speak a protocol with one fault, and the processes of them that still run."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

GTP = """
import os, signal, subprocess, sys, time

def answer(text=""):
    print("= " + text + "\\n", flush=True)

def misbehave(line):
{fault}

def serve():
    for line in sys.stdin:
        words = line.split()
        if words[0] == {when!r}:
            misbehave(line)
        elif words[0] == "genmove":
            answer("d3")
        elif words[0] == "known_command":
            answer("false")
        elif words[0] == "quit":
            answer()
            break
        else:
            answer()

{before}
serve()
"""

NBOARD = """
import os, signal, subprocess, sys, time

def misbehave(line):
{fault}

def serve():
    for line in sys.stdin:
        words = line.split()
        if words[0] == {when!r}:
            misbehave(line)
        elif words[0] == "ping":
            print("pong", words[1], flush=True)
        elif words[0] == "go":
            print("=== D3/1.50/0.01", flush=True)
        elif words[0] == "quit":
            break

{before}
serve()
"""

CONNECT_FOUR = """
import os, signal, subprocess, sys, time

heights = [0] * 7
games = 0

def answer(text=""):
    print("= " + text + "\\n", flush=True)

def misbehave(line):
{fault}

def serve():
    global heights, games
    for line in sys.stdin:
        words = line.split()
        if words[0] == "clear_board":
            heights = [0] * 7
            games += 1
        if words[0] == {when!r}:
            misbehave(line)
        elif words[0] == "play":
            heights[int(words[2]) - 1] += 1
            answer()
        elif words[0] == "genmove":
            column = heights.index(min(heights))
            heights[column] += 1
            answer(str(column + 1))
        elif words[0] == "known_command":
            answer("false")
        elif words[0] == "quit":
            answer()
            break
        else:
            answer()

{before}
serve()
"""
TEMPLATES = {"gtp": GTP, "nboard": NBOARD, "connect4": CONNECT_FOUR}


def engine(
    folder: Path,
    fault: str = "",
    *,
    when: str = "genmove",
    before: str = "",
    kind: str = "gtp",
    name: str = "bad",
) -> str:
    """The command line of an engine, with a fault, if one is given, at a command or before it begins.

    :param kind: ``gtp`` and ``nboard`` always play d3; ``connect4`` speaks GTP and plays whole games of Connect Four
    """
    body = "\n".join(f"    {line}" for line in (fault or "pass").strip().splitlines())
    when = when if fault else ""
    script = folder / f"{name}.py"
    script.write_text(TEMPLATES[kind].format(fault=body, when=when, before=before))
    return shlex.join([sys.executable, "-I", "-S", str(script)])


def processes(folder: Path) -> list[str]:
    """The command lines of all processes that run something of a folder; a fork has the one of its parent."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:  # it has ended meanwhile
                continue
            if str(folder).encode() in command:
                found.append(command.replace(b"\0", b" ").decode(errors="replace").strip())
    return found


def all_gone(folder: Path, *, within: float = 0.0) -> bool:
    """Whether all processes of a folder end within some seconds."""
    deadline = time.monotonic() + within
    while processes(folder):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True
