# mypy: ignore-errors
"""Agents that cannot be made."""

import os
import sys
import time


class Sleeps:
    def __init__(self):
        time.sleep(3600)

    def choose(self, position):
        return position.legal_moves[0]


class Exits:
    def __init__(self):
        sys.exit("no")

    def choose(self, position):
        return position.legal_moves[0]


class Dies:
    def __init__(self):
        os._exit(3)

    def choose(self, position):
        return position.legal_moves[0]


class Endless:
    """Raises an error that cannot be shown."""

    def __init__(self):
        class Error(Exception):
            def __str__(self):
                while True:
                    time.sleep(1)

        raise Error

    def choose(self, position):
        return position.legal_moves[0]
