"""Everything that can be wrong with what a caller gave us.

::

    ValueError
      FlipdropError          any of these
        UnknownGame          a game or size that does not exist
        IllegalMove          a move that the rules, or the notation of moves, do not allow here
        IllegalPosition      a board that no game can reach
        NotationError        a board string, transcript or problem line that cannot be read
        SearchError          settings that a search cannot work with, or a position that it cannot search
        PlayerError          a player that cannot be made, or that does not answer with a legal move
        ArenaError           a match or tournament that cannot be played as it was described
        StoreError           a store of games that cannot be used
        ModelError           a model or checkpoint that is damaged, or of another game, kind or version
        LearningError        a learner that cannot work with its settings or its budget
        BookError            an opening book that is damaged, or of another version
        RecordError          a game record or file of them that is malformed
        UnknownEvaluation    an evaluation that does not exist
        WeightsError         weights, a table of squares or a file of them that fit no evaluation

The message quotes what was given and says what would be right. The command line prints it and exits with 2.
"""

from flipdrop.kernel import FlipdropError, IllegalMove, IllegalPosition

__all__ = [
    "ArenaError",
    "BookError",
    "FlipdropError",
    "IllegalMove",
    "IllegalPosition",
    "LearningError",
    "ModelError",
    "NotationError",
    "PlayerError",
    "RecordError",
    "SearchError",
    "StoreError",
    "UnknownEvaluation",
    "UnknownGame",
    "WeightsError",
]


class UnknownGame(FlipdropError):
    """A game or size that does not exist."""


class NotationError(FlipdropError):
    """A board string, transcript or problem line that cannot be read."""


class SearchError(FlipdropError):
    """Settings that a search cannot work with, or a position that it cannot search."""


class PlayerError(FlipdropError):
    """A player that cannot be made, or that does not answer with a legal move."""


class ArenaError(FlipdropError):
    """A match or tournament that cannot be played as it was described."""


class StoreError(FlipdropError):
    """A store of games that cannot be used: damaged, locked, or written by a newer version."""


class ModelError(FlipdropError):
    """A model or a checkpoint that is damaged, or of another game, kind or version."""


class LearningError(FlipdropError):
    """A learner that cannot work with its settings or its budget."""


class BookError(FlipdropError):
    """An opening book that is damaged, or of another version."""


class RecordError(FlipdropError):
    """A game record, or a file of them, that is malformed."""


class UnknownEvaluation(FlipdropError):
    """An evaluation that does not exist."""


class WeightsError(FlipdropError):
    """Weights, a table of squares, or a file of them, that fit no evaluation."""


def quoted(text: str, limit: int = 60) -> str:
    """The text as a message quotes it: on one line, and cut if it is long."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def install_command(extra: str) -> str:
    """How to install one of flipdrop's optional extras; the package is on no registry, so it is the source tree's."""
    return f"pip install '.[{extra}]' in flipdrop's source folder"
