"""The smallest engine that flipdrop can measure: Othello 8x8 over GTP, here with random moves.

flipdrop match "gtp:python examples/gtp_engine.py" random --games 4

Replace `choose` by your engine, or write the same loop in your language. The rules are flipdrop's here; an engine has
its own. An answer is ``= text`` or ``? error``, followed by an empty line.
"""

from __future__ import annotations

import random
import sys

from flipdrop import Othello

COMMANDS = ("protocol_version", "name", "list_commands", "boardsize", "clear_board", "play", "genmove", "quit")


def choose(position: Othello) -> int:
    return random.choice(position.legal_moves)


def answer(command: str, arguments: list[str], position: Othello) -> tuple[str, Othello]:
    """The text of the answer, and the position after the command."""
    match command:
        case "protocol_version":
            return "2", position
        case "name":
            return "example", position
        case "list_commands":
            return "\n".join(COMMANDS), position
        case "clear_board":
            return "", Othello()
        case "play":  # play black f5, play white pass
            return "", position.play(arguments[1].lower())
        case "genmove":  # genmove black
            move = choose(position)
            return position.move_name(move), position.play(move)
    return "", position


def main() -> None:
    position = Othello()
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if not words:
            continue
        command, *arguments = words
        if command in COMMANDS:
            text, position = answer(command, arguments, position)
            print(f"= {text}\n", flush=True)
        else:
            print("? unknown command\n", flush=True)
        if command == "quit":
            return


if __name__ == "__main__":
    main()
