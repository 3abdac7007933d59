"""flipdrop's players as engines for other programs: servers of GTP and of NBoard's protocol, over streams of text."""
