"""``verify tool represent`` and ``verify tool sets``."""
