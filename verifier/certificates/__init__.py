"""Verdicts on file, which :mod:`verifier.certificates.recheck` checks without this project.

That file begins with the format; it needs the other `recheck_*.py` beside it.
"""
