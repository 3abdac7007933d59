"""Output that commands share, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import weakref

import pytest

from flipdrop.interface.cli.output import interrupt_check


def test_interrupt_that_python_drops(capsys: pytest.CaptureFixture[str]) -> None:
    class Referent:
        pass

    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    with interrupt_check() as check:
        check()
        referent = Referent()
        kept = weakref.ref(referent, lambda _: signal.raise_signal(signal.SIGINT))
        del referent
        assert kept() is None
        with pytest.raises(KeyboardInterrupt):
            check()
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before
    assert "Traceback" not in capsys.readouterr().err


def test_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), interrupt_check():
        signal.raise_signal(signal.SIGINT)
