"""Bitreferee's machine: exact arithmetic, constructions, engines, claims, verdicts and the command line."""

__version__ = "0.1.0"
