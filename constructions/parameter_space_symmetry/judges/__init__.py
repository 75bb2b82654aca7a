"""Judges of the paper."""
