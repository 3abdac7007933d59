"""Other programs as players: engines that speak GTP or NBoard, each in a process of its own.

A spec is ``gtp:COMMAND LINE`` or ``nboard:COMMAND LINE``, with options in brackets if need be, as in
``gtp[name=Edax,timeout=20]:edax -gtp -l 10``. What it takes to run programs is loaded with `player`, and not before.
"""
