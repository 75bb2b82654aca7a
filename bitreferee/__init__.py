"""An exact referee for papers on low-precision neural networks, from Python.

Seven names do what the command line does (``docs/python.md``); each is imported when it is first used:

* :func:`load` reads a construction, from a file or by the claim that is about it; :class:`Construction` is one, also from a dict;
* :func:`evaluate` runs it on one input, :func:`trace` with every step;
* :func:`judge` judges a claim or a construction, :func:`claims` lists claims;
* :class:`Format` is a bounded number format with its rounding.
"""

from typing import TYPE_CHECKING

from verifier import __version__ as __version__

__all__ = ["Construction", "Format", "claims", "evaluate", "judge", "load", "trace"]

if TYPE_CHECKING:
    from verifier.interface.constructions import Construction as Construction
    from verifier.interface.constructions import load as load
    from verifier.interface.format import Format as Format
    from verifier.interface.judging import claims as claims
    from verifier.interface.judging import judge as judge
    from verifier.interface.running import evaluate as evaluate
    from verifier.interface.running import trace as trace
else:
    _HOMES = {
        "Construction": "constructions",
        "Format": "format",
        "claims": "judging",
        "evaluate": "running",
        "judge": "judging",
        "load": "constructions",
        "trace": "running",
    }

    def __getattr__(name):
        """The name, imported from its home; it stays here."""
        if name not in _HOMES:
            raise AttributeError(f"module 'bitreferee' has no name {name!r}; it offers {', '.join(__all__)}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(f"verifier.interface.{_HOMES[name]}"), name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
