"""Verdicts on file, for :mod:`verifier.certificates.recheck` to check without this project. The format is described at the top of that file."""
