# mypy: ignore-errors
"""Agents that take what they can get."""

import os
import sys
import time


def prints(position):
    """Prints 8 MB for every move, by all means."""
    line = "x" * 1023 + "\n"
    for _ in range(4096):
        sys.stdout.write(line)
        os.write(2, line.encode())
    return position.legal_moves[0]


def fills_the_memory(position):
    taken = []
    while True:
        taken.append(bytearray(2**24))


def recurses(position):
    return recurses(position)


def sleeps(position):
    time.sleep(3600)
