"""Judges of this paper alone."""
