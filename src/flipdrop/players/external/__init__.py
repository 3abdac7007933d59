"""Other programs as players: engines that speak GTP or NBoard, each in a process of its own.

A spec is ``gtp:COMMAND LINE`` or ``nboard:COMMAND LINE``, with options in brackets, as in
``gtp[name=Edax,timeout=20]:edax -gtp -l 10``. `player` imports the code that runs programs only for such specs.
"""
