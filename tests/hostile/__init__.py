"""Attacks that an independent round of tests tried, and what was found since: files, requests, agents and engines."""
