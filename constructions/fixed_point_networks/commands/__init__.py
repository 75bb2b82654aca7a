"""``verify represent`` and ``verify sets``."""
