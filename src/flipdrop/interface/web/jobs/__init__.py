"""Matches, tournaments, ladders and learners that the page starts: specification, process, results."""
