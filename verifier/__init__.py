"""Bitreferee: exact arithmetic, constructions, engines, claims, verdicts and the command line. The Python API is :mod:`bitreferee`."""

__version__ = "0.1.0"
EXIT_INTERRUPTED = 130
