"""Judges of activations: conditions on their slopes, what those with a name satisfy, and bounds of their values."""
