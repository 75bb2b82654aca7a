"""Quantized networks, which are built, run on every input, and written to files."""
