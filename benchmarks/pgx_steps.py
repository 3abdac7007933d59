"""Random games of pgx, a process in an environment of its own: ``python pgx_steps.py GAME BATCH LENGTH``.

Reads numbers of calls from standard input, and answers each with a line when they are done. A call plays LENGTH
steps of all games in one compiled loop.
"""

from __future__ import annotations

import sys
from typing import Any

import jax
import pgx
from pgx.experimental import auto_reset


def main(game: str, batch: int, length: int) -> None:
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(carry: tuple[Any, Any], _: object) -> tuple[tuple[Any, Any], None]:
        state, key = carry
        key, choice, reset = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(choice, logits, axis=-1)
        return (step(state, action, jax.random.split(reset, batch)), key), None

    loop = jax.jit(lambda carry: jax.lax.scan(play, carry, None, length=length)[0])
    key = jax.random.PRNGKey(0)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch)), key
    for line in sys.stdin:
        for _ in range(int(line)):
            carry = loop(carry)
        jax.block_until_ready(carry)
        print(flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
