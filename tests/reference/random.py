"""The kernel's random numbers (xoshiro256**, seeded by splitmix64), in Python."""

MASK = 2**64 - 1


def rotated(word: int, count: int) -> int:
    return (word << count | word >> (64 - count)) & MASK


class Random:
    def __init__(self, seed: int) -> None:
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            mixed = seed
            mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
            self.state.append(mixed ^ mixed >> 31)

    def next(self) -> int:
        s = self.state
        result = rotated(s[1] * 5 & MASK, 7) * 9 & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return result

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32

    def chance(self) -> float:
        return (self.next() >> 11) * 2.0**-53
