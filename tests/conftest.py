"""Settings that every test shares."""

from hypothesis import settings

# Examples play whole games: how long one takes says nothing.
settings.register_profile("flipdrop", deadline=None, print_blob=True)
settings.load_profile("flipdrop")
