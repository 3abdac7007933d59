"""Matches, tournaments, ladders, sweeps and tuning runs, and the statistics of their results.

This module imports nothing, so that worker processes do not load the libraries for statistics.
"""
