"""Judges of what networks compute, and of how many copies and parameters it takes."""
