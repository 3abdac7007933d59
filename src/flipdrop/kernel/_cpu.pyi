def has_v3() -> bool:
    """Whether this CPU runs code compiled for x86-64-v3."""
