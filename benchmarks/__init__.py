"""Speed of flipdrop compared with peers in one run: ``make bench``."""
