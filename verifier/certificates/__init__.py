"""Certificates: verdicts in files, which :mod:`verifier.certificates.recheck` checks without this project.

That file begins with a description of the format; it needs the other `recheck_*.py` beside it.
"""
