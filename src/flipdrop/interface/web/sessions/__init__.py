"""Sessions: games, their clocks and their analysis. The pages and the JSON API share them."""
