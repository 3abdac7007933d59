"""Game records and their files: GGF, WTHOR and plain transcripts."""

from flipdrop.games.records.files import FORMATS, decode_games, encode_games, format_of, read_games, write_games
from flipdrop.games.records.record import GameRecord, MoveNote

__all__ = [
    "FORMATS",
    "GameRecord",
    "MoveNote",
    "decode_games",
    "encode_games",
    "format_of",
    "read_games",
    "write_games",
]
