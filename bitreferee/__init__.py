"""An exact referee for papers on low-precision neural networks, from Python.

These names do what the verbs of the command line do (``docs/python.md``); each is imported when it is first used:

* :func:`judge` judges a claim, a paper, a construction or a network; :func:`claims` lists claims, :func:`findings` the mistakes of a paper;
* :func:`load` reads a construction, from a file or by the claim that is about it; :class:`Construction` is one, also from a dict;
* :func:`evaluate` runs it on one input, :func:`trace` with every step, also a network;
* :func:`precision` finds the first length at which a network is wrong, :func:`convert` writes weights and networks;
* :func:`repair` searches the smallest edits that make a file right;
* :class:`Format` is a bounded number format with its rounding.
"""

from typing import TYPE_CHECKING

from verifier import __version__ as __version__

__all__ = ["Construction", "Format", "claims", "convert", "evaluate", "findings", "judge", "load", "precision", "repair", "trace"]

if TYPE_CHECKING:
    from verifier.interface.constructions import Construction as Construction
    from verifier.interface.constructions import load as load
    from verifier.interface.converting import convert as convert
    from verifier.interface.format import Format as Format
    from verifier.interface.judging import claims as claims
    from verifier.interface.judging import judge as judge
    from verifier.interface.precision import precision as precision
    from verifier.interface.repairing import repair as repair
    from verifier.interface.reports import findings as findings
    from verifier.interface.running import evaluate as evaluate
    from verifier.interface.running import trace as trace
else:
    _HOMES = {
        "Construction": "constructions",
        "Format": "format",
        "claims": "judging",
        "convert": "converting",
        "evaluate": "running",
        "findings": "reports",
        "judge": "judging",
        "load": "constructions",
        "precision": "precision",
        "repair": "repairing",
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
