"""Initial construction files: commented, and right as they stand for functions that have a name here. For any other condition the file is
wrong on every input and says so, because this module invents no table.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from verifier.language.syntax import kind, names_in, parse, quoted
from verifier.language.tree import Name, words_in
from verifier.networks.instantiate import WIDEST_TOKEN
from verifier.running.errors import InputError
from verifier.running.identifiers import meant

MOST_BITS = 24
NAMED = ("parity", "majority", "first", "first-equals-last", "equality", "comparison", "greater-than", "inner-product")
"""The functions that have a template of their own."""
SYNONYMS = {"EQ": "equality", "GT": "greater-than"}


def of_formula(text: str, bits: int) -> dict[str, Any]:
    """The data of the template for a condition on strings: one token holds all of them, and its vector is left for the author.

    Raises:
        InputError: the text is not a condition, uses no string, or uses more bits than a token can hold.
    """
    try:
        tree = parse(text)
    except InputError as error:
        raise InputError(f"--function: {error}; the functions that have a name are {', '.join(NAMED)}") from None
    if kind(tree) == "number" or isinstance(tree, Name):
        expected = meant(text, NAMED, f"{', '.join(NAMED)}, or a condition such as popcount(x) % 2 == 1 was expected")
        raise InputError(f"--function {quoted(text)}: {expected}")
    strings = list(dict.fromkeys(word for word in words_in(tree) if word in names_in(tree) - {"m"}))
    if not strings:
        raise InputError(f"--function {quoted(text)}: it names no string; names other than m are strings of m bits")
    most = WIDEST_TOKEN // len(strings)
    if bits > most:
        raise InputError(f"--bits {bits}: one token holds all strings, {len(strings) * bits} bits; at most --bits {most} was expected here")
    return {"function": text, "names": strings, "most": most}


def beginning(function: str, bits: int, name: str) -> str:
    """The text of a construction file.

    Args:
        function: a name of :data:`NAMED`, EQ, GT, or a condition on strings of m bits each.
        bits: the length m of the strings if no ``--m`` is given.
        name: the construction's id.

    Raises:
        InputError: as :func:`of_formula`; also more bits than 24.
    """
    if not 1 <= bits <= MOST_BITS:
        raise InputError(f"--bits {bits}: from 1 to {MOST_BITS} were expected")
    wanted = SYNONYMS.get(function, function)
    given = {} if wanted in NAMED else of_formula(wanted, bits)
    return _rendered(f"{wanted if wanted in NAMED else 'formula'}.toml.jinja", id=name, bits=bits, most_bits=MOST_BITS, **given)


def paper_files(name: str) -> dict[str, str]:
    """The files of a first paper, by their places in its folder; name: its id."""
    places = ("paper.toml", "findings.toml", "statements/lemma-1.toml", "statements/theorem-2.toml", "statements/table-1.toml")
    made = {place: _rendered(f"paper/{place}.jinja", id=name) for place in places}
    return made | {"tables/table-1.toml": beginning("equality", 2, "table-1")}


def _rendered(template: str, **given: Any) -> str:
    """A template of this folder, filled in."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("verifier.networks.templates", "")
    made = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    made.filters["text"] = partial(json.dumps, ensure_ascii=False)
    return made.get_template(template).render(**given)
