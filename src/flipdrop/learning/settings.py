"""Checking the settings of learners."""

from __future__ import annotations

from typing import Any

from flipdrop.errors import LearningError, SearchError
from flipdrop.search.options import check_ranges


def check_settings(settings: Any) -> None:
    """Raises LearningError if an option of a settings dataclass is out of its range."""
    try:
        check_ranges(settings)
    except SearchError as error:
        raise LearningError(str(error)) from None
