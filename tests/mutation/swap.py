"""The code of one function of a loaded module, put in the place of another's: a change is tried without importing everything again."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache, cached_property
from types import CodeType, FunctionType
from typing import Any


def found(module: object, before: str, after: str) -> tuple[FunctionType, CodeType] | None:
    """The function of a loaded module that a change is in, and its code after it; None where no function's code is all that changes.

    Args:
        module: as loaded from ``before``, its text.
        after: its text with the change, as ``ast.unparse`` writes it.
    """
    loaded, old, new = *_compiled(before), compile(after, "", "exec", dont_inherit=True)
    names: list[str] = []
    while not old.co_flags & inspect.CO_OPTIMIZED:
        trios = list(zip(_inside(loaded), _inside(old), _inside(new), strict=False))
        differing = [trio for trio in trios if trio[1] != trio[2]]
        if len(differing) != 1 or _shell(old) != _shell(new):
            return None
        loaded, old, new = differing[0]
        names.append(old.co_name)
    for function in _functions(module, names):
        if function.__code__ == loaded and function.__code__.co_freevars == new.co_freevars:
            return function, new.replace(co_filename=function.__code__.co_filename, co_qualname=function.__code__.co_qualname)
    return None


@cache
def _compiled(text: str) -> tuple[CodeType, CodeType]:
    """As it is loaded, and as ``ast.unparse`` writes it."""
    plain = ast.unparse(ast.parse(text))
    return compile(text, "", "exec", dont_inherit=True), compile(plain, "", "exec", dont_inherit=True)


def _inside(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _shell(code: CodeType) -> CodeType:
    """A module's or class's own code, without that of its functions and without places in the text."""
    return code.replace(
        co_consts=tuple(None if isinstance(each, CodeType) else each for each in code.co_consts), co_linetable=b"", co_firstlineno=1
    )


def _functions(module: object, names: list[str]) -> Iterator[FunctionType]:
    """What stands under a name of a module or class, under the wrappers that decorators leave."""
    holder: Any = module
    for name in names[:-1]:
        holder = vars(holder).get(name)
        if not isinstance(holder, type):
            return
    layers = [vars(holder).get(names[-1])]
    while layers:
        layer = layers.pop()
        if isinstance(layer, FunctionType):
            yield layer
        if isinstance(layer, property):
            layers += [layer.fget, layer.fset]
        elif isinstance(layer, staticmethod | classmethod):
            layers.append(layer.__func__)
        elif isinstance(layer, cached_property):
            layers.append(layer.func)
        elif layer is not None:
            layers += [getattr(layer, "__wrapped__", None), getattr(layer, "callback", None)]
