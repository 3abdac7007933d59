"""Seeds that follow from other seeds."""

from __future__ import annotations

import hashlib


def derive_seed(seed: int, *parts: object) -> int:
    """A seed for a part of what `seed` decides: the same for the same parts, unlike any other.

    It has 63 bits, for databases know no larger numbers.
    """
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
