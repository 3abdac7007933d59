"""Matches, tournaments, and what their results say.

Nothing is imported here: workers, which play games and count nothing, do without the libraries for statistics.
"""
