"""Templates: escaping, and text between backticks."""

from __future__ import annotations

from flipdrop.reporting.templating import backticks_as_code


def test_backticks_become_code_and_the_rest_is_escaped() -> None:
    assert backticks_as_code("a < b: `x & y`") == "a &lt; b: <code>x &amp; y</code>"
