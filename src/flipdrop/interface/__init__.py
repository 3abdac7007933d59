"""Where people and programs meet the laboratory: it shows and asks, and decides nothing."""
