"""Engines that decide a construction on every input of its promise, each checked against :mod:`verifier.transformers.table_traces`."""

METHODS = ("auto", "enumerate", "reachable")
"""The engines that a command can be told to take."""
