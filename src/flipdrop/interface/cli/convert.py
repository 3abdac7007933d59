"""`flipdrop convert`: games from one file format to another."""

from __future__ import annotations


def convert() -> None:
    """."""
