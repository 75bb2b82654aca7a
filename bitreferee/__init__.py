"""An exact referee for papers on low-precision neural networks, from Python.

These names do what the verbs of the command line do (``docs/python.md``); each is imported when it is first used:

* :func:`judge` judges a claim, a paper, a construction or a network; :func:`claims` lists claims, :func:`findings` the mistakes of a paper;
* :func:`add_papers` adds a folder with papers of your own;
* :func:`standing` says whether a result is true, for which parameters and by what evidence, and whether its printed proof works;
* :func:`load` reads a construction, from a file or by the claim that is about it; :class:`Construction` is one, also from a dict;
* :func:`trace` runs it, or a network, on one input with every step;
* :func:`precision` finds the first length at which a network is wrong, :func:`convert` writes weights and networks;
* :func:`repair` searches the smallest edits that make a file right;
* :class:`InputError` says what cannot be used, :class:`LimitError` which limit is too small; both are a :class:`BitrefereeError`.
"""

from typing import TYPE_CHECKING

from verifier import __version__ as __version__

if TYPE_CHECKING:
    from verifier.commands.browse import add_papers as add_papers
    from verifier.commands.browse import claims as claims
    from verifier.commands.convert import convert as convert
    from verifier.commands.findings import findings as findings
    from verifier.commands.judge import judge as judge
    from verifier.commands.precision import precision as precision
    from verifier.commands.repair import repair as repair
    from verifier.commands.show import standing as standing
    from verifier.commands.subjects import load as load
    from verifier.commands.trace import trace as trace
    from verifier.interface.constructions import Construction as Construction
    from verifier.running.errors import BitrefereeError as BitrefereeError
    from verifier.running.errors import InputError as InputError
    from verifier.running.errors import LimitError as LimitError
else:
    _HOMES = {
        "BitrefereeError": "running.errors",
        "Construction": "interface.constructions",
        "InputError": "running.errors",
        "LimitError": "running.errors",
        "add_papers": "commands.browse",
        "claims": "commands.browse",
        "convert": "commands.convert",
        "findings": "commands.findings",
        "judge": "commands.judge",
        "load": "commands.subjects",
        "precision": "commands.precision",
        "repair": "commands.repair",
        "standing": "commands.show",
        "trace": "commands.trace",
    }
    __all__ = list(_HOMES)

    def __getattr__(name):
        """Import a name of the package when it is first used. From then on each file that is read is recorded, so that runs can be kept."""
        if name not in _HOMES:
            raise AttributeError(f"module 'bitreferee' has no name {name!r}; it offers {', '.join(__all__)}")
        from importlib import import_module

        from verifier.running.results import READ

        READ.begin()
        found = globals()[name] = getattr(import_module(f"verifier.{_HOMES[name]}"), name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
