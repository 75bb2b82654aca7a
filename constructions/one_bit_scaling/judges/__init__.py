"""Judges of *Scaling 1-Bit Neural Networks*."""
