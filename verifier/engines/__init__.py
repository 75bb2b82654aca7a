"""Engines that decide a construction on every input of its promise, each checked against :mod:`verifier.networks.evaluate`."""
