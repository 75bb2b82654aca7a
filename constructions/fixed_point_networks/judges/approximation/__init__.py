"""Judges of Theorem 21: coverings, and networks for continuous functions."""
