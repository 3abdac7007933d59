"""Agents from files that clients name without a path: those of a folder, and those of a class."""
