"""The agents are loaded by their workers only: collecting doctests would import them here, and one of them sleeps."""

collect_ignore = ["agents"]
