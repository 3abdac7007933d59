"""Servers that run a player as an engine for other programs: GTP and NBoard's protocol over text streams."""
