"""Random seeds, and seeds derived from other seeds."""

from __future__ import annotations

import hashlib
import secrets


def random_seed() -> int:
    """A random number of at most six digits, easy to type again."""
    return secrets.randbelow(10**6)


def derive_seed(seed: int, *parts: object) -> int:
    """A seed that is a hash of another seed and of `parts`, such as a player's spec and the number of a game.

    It has 63 bits, the largest number that SQLite stores.
    """
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
