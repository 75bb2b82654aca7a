"""Errors that a user can mend. Each says what, where, and what was expected, in one line; the command line shows it with exit status 2.

A refuted claim is a value (:mod:`verifier.verdicts`), never an exception.
"""

from __future__ import annotations


class InputError(Exception):
    """A command line, construction file, errata file or parameter that cannot be used."""


class LimitError(Exception):
    """More work than the limits allow. The engine's caller turns it into ``declined``; ``flag`` lifts the limit."""

    def __init__(self, message: str, flag: str) -> None:
        super().__init__(f"{message}; {flag} lifts the limit")
        self.flag = flag
