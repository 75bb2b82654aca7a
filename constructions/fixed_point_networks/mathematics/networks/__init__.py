"""Quantized networks: building them, running them on every input, writing them to files."""
