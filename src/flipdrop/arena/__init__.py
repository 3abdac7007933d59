"""Matches, tournaments, and what their results say."""
