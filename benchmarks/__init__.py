"""What flipdrop's speed is, measured beside its peers in one run: ``make bench``."""
