"""``python -m flipdrop``: the command line."""

from flipdrop.interface.cli import main

main()
