# mypy: ignore-errors
"""Agents that try to decide their games by other means than moves."""

import contextlib
import gc
import json
import os
import pickle
import sys


class PatchesThePosition:
    """Makes every position a game that it has won."""

    def choose(self, position):
        for cls in type(position).__mro__:
            for name, value in {"is_over": True, "result": 1, "margin": 64, "legal_moves": ()}.items():
                with contextlib.suppress(TypeError, AttributeError):
                    setattr(cls, name, value)
        return 0


class PatchesTheReferee:
    """Replaces whatever function it finds that belongs to the referee, the opponent or the rules."""

    def choose(self, position):
        first = position.legal_moves[0]
        for module in list(sys.modules.values()):
            for name in ("play", "referee", "forfeit", "checked_move", "result_of", "margin_of", "replayed"):
                if getattr(module, "__name__", "").startswith("flipdrop") and hasattr(module, name):
                    setattr(module, name, lambda *_, **__: first)
        for found in gc.get_objects():
            if type(found).__name__ in ("FinishedGame", "GameTask", "Opening"):
                object.__setattr__(found, "result", 1)
        return first


class ForgesAnswers:
    """Writes answers to every descriptor that it finds."""

    def choose(self, position):
        for number in range(1000):
            line = json.dumps({"number": number, "move": position.legal_moves[-1], "played": 1, "result": 1})
            for descriptor in range(3, 10):
                with contextlib.suppress(OSError):
                    os.write(descriptor, line.encode() + b"\n")
        return position.legal_moves[0]


class SendsAPickle:
    """Sends something that runs code where it is unpickled."""

    def __reduce__(self):
        return os.system, ("kill -9 $PPID",)

    def choose(self, position):
        for descriptor in range(3, 10):
            with contextlib.suppress(OSError):
                os.write(descriptor, pickle.dumps(self) + b"\n")
        return position.legal_moves[0]


class AnswersWithNonsense:
    """Returns what is no move."""

    answers = (10**400, "9" * 10**6, [], {"move": 1}, float("nan"), None, True, -1, b"f5")

    def choose(self, position):
        return self.answers[position.ply % len(self.answers)]
