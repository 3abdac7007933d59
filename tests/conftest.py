"""Settings that every test shares, and the option that adds the large reference sets."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    import pytest

# Examples play whole games: how long one takes says nothing.
settings.register_profile("flipdrop", deadline=None, print_blob=True)
settings.load_profile("flipdrop")

# A shell lets what it runs in the background ignore Ctrl-C, and so would the processes whose Ctrl-C is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REFERENCE_SETS = Path(__file__).with_name("reference_sets")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reference-data", metavar="DIR", help="also run tests/reference_sets on the collections in DIR")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out the reference sets where no collections are named."""
    return True if collection_path == REFERENCE_SETS and not config.getoption("reference_data") else None


def pytest_report_header(config: pytest.Config) -> str:
    data = config.getoption("reference_data")
    return f"reference sets: {data or 'not run (optional; --reference-data DIR runs them)'}"
