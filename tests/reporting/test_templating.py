"""Templates: escaping, and text between backticks."""

from __future__ import annotations

from flipdrop.reporting.templating import backticks_as_code


def test_backticks_as_code() -> None:
    assert backticks_as_code("a < b: `x & y`") == "a &lt; b: <code>x &amp; y</code>"
