"""Judges of sums of outputs and of gaps: when they are everything, how many terms they take."""
