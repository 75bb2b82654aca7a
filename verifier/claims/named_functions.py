"""Functions that a paper's files name: ``module:function`` in the paper's package."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from verifier.running.errors import InputError


def named_function(package: str, name: str) -> Callable[..., Any]:
    """The function.

    Raises:
        InputError: there is none of this name; UntrustedError: only ``--trust`` runs the folder's Python.
    """
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(f"{package}.{module}"), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{name!r} names no function, module:function of the paper's folder was expected: {error}") from None
    if not callable(found):
        raise InputError(f"{name!r} is not a function; module:function of the paper's folder was expected")
    made: Callable[..., Any] = found
    return made
