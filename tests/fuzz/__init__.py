"""Coverage-guided fuzzing of everything that reads text or files: ``python -m tests.fuzz`` (see `__main__`)."""
