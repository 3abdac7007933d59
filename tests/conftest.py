"""Settings that every test shares."""

import signal

from hypothesis import settings

# Examples play whole games: how long one takes says nothing.
settings.register_profile("flipdrop", deadline=None, print_blob=True)
settings.load_profile("flipdrop")

# A shell lets what it runs in the background ignore Ctrl-C, and so would the processes whose Ctrl-C is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
