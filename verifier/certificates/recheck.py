"""Recheck a Bitreferee certificate. It stands alone: this file and those beside it, standard library only. Read them, then run

    python recheck.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N] [--states N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads, or its answer cannot be written ·
3: larger than the limits, which the options raise, or accepted but of another statement than --claim asks for.

A certificate is JSON (or gzipped JSON) with exactly these keys. format, kind, claim, edition, parameters; semantics, every knob of the
arithmetic; construction, expanded: what each token reads and its vector for every content, W^Q, W^K, W^V, MLP; digest, the SHA-256 of all
that, which binds the facts below to their statement; and then
  refuted       input (y, z) and trace: after each token its weight, products and running sums; at the end the output and the answer
  verified      cases, assumptions, blocks. A block has positions of the strings, the sums that read no others, and stages: some positions
                of z become known, and the states reached are listed, by pairs with y < z so far (less) and by all pairs (every), as
                runs [start, step, count] in units of the format, none twice. Two blocks are a prefix and a suffix of the positions
  every-length  assumptions, states and denominators: what the numerator can be, with whether y and z are equal so far, after any number of
                positions that add as those of the construction, and what the denominator can be after its tokens or more of the same
  fooling-set   problem (in place of semantics and construction), rule, size, pairs and bits
  one-sum       semantics, problem and sums (bits and coupling, in place of a construction) and barriers: for two maps, each by a product
                and a weight that it adds, the states without which their images fall into parts that are too small; and longer: for other
                two maps covers, each a weight for every state (a text, one of 0-9a-z a state) under which sets of states that the bits
                before make have at least so much (least), and longer in turn: the same for two maps of the token before
  enumerated    a table of any function: cases and yes, how many inputs keep the promise and on how many of them the function is 1,
                assumptions, and outcomes: the values of the output node where 0 is right and where 1 is, each with the number of inputs
  counterexample  a table of any function: input and trace, as for refuted, with a numerator and an attention for each column of W^V
Numbers are exact, in any spelling (3, "3", "6/2", "3.0") of up to 300 digits; infinities and NaN are spelt inf, -inf, nan.

What is accepted is a fact about the construction in the file. Its parameters p, n, m are compared with bits, tokens and length. The claim's
name is its author's word, which this program cannot check: it prints the digest of the statement and no name, and --claim asks for a digest
that you trust. `verify recheck` compares the construction with its catalogue. docs/certificate-format.md specifies the format.

The files beside this one, each to be read alone; copy all recheck*.py, wherever you like:
  recheck_reading       the pieces of a certificate with their places, its digest, the limits
  recheck_rounding      an exact number to so many digits; recheck_arithmetic: exact operations, rounded once
  recheck_construction  a construction under its semantics
  recheck_refuted       refuted and counterexample: one input is run
  recheck_blocks        the states that pairs of strings reach; recheck_verified: the answers there, for verified
  recheck_every_length  every-length
  recheck_one_sum       one-sum
  recheck_columns       every input at once; recheck_tables: tables of any function, enumerated
  recheck_command       the command line
recheck_network.py and the files that it names are about transformers.
"""

import os
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

if not __package__:  # run as a file: the others are those beside it, whatever Python's path is
    __package__ = "recheck_alone"
    sys.modules[__package__] = alone = ModuleType(__package__)
    alone.__path__ = [os.path.dirname(os.path.realpath(__file__))]

try:
    from .recheck_command import main
    from .recheck_construction import Transformer, read_problem
    from .recheck_every_length import check_every_length
    from .recheck_one_sum import COUPLINGS, RunningSums, check_one_sum
    from .recheck_reading import NAMES, At, Limits, Unknown, agree, demand, digest, shown
    from .recheck_refuted import check_counterexample, check_refuted
    from .recheck_tables import Table, check_enumerated
    from .recheck_verified import check_verified
except ModuleNotFoundError as missing:
    if __package__ != "recheck_alone":
        raise
    print(f"recheck.py needs {str(missing.name).rpartition('.')[2]}.py beside it")
    sys.exit(70)

VERSION = "bitreferee/certificate/1"
EDITIONS = ("statement", "printed", "repaired")


def check_fooling(facts: Mapping[str, At], length: int) -> str:
    """The diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5)."""
    facts["rule"].one_of("diagonal")
    members = 1 << length
    found = {"size": members, "pairs": members * (members - 1) // 2, "bits": (members - 1).bit_length()}
    for key, count in found.items():
        agree(facts[key], count)
    return f"fooling set: the {members} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits"


class Statement:
    """What a certificate is about, read and compared with itself: its construction, if it has one, and the name that it goes by."""

    def __init__(self, certificate: Any, limits: Limits) -> None:
        whole = At(certificate)
        for key, known in (("format", (VERSION,)), ("kind", tuple(FACTS))):
            At(whole.names().get(key, whole).data, key).one_of(*known)
        self.kind = certificate["kind"]
        self.parts = whole.record(*NAMES, *ABOUT.get(self.kind, ("semantics", "construction")), *FACTS[self.kind], "digest")
        self.parts["claim"].text()
        self.parts["edition"].one_of(*EDITIONS)
        if self.kind in TABLES:
            self.transformer: Transformer | None = Table(self.parts["semantics"], self.parts["construction"], limits)
        elif self.kind in CHECKS:
            every = self.kind == "every-length"
            self.transformer = Transformer(self.parts["semantics"], self.parts["construction"], limits, every)
        else:
            self.transformer = None
        self.sums = RunningSums(self.parts["semantics"], self.parts["sums"], limits) if self.kind == "one-sum" else None
        self.length = self.read_length()
        sizes = {name: (self.size(name), each.integer()) for name, each in self.parts["parameters"].names().items()}
        for name, (size, said) in sizes.items():
            demand(said == size or self.kind in TABLES, f"parameters: {name} is {said}, but {size} was found")
        demand(self.parts["digest"].text() == digest(certificate), "the digest is not that of the statement")
        at = ", ".join(f"{name} = {size}" for name, (size, _) in sizes.items()) or "no parameters"
        self.name = f"{certificate['digest']} at {at}"

    def read_length(self) -> int:
        if isinstance(self.transformer, Table):
            return self.transformer.inputs.bits
        return self.transformer.length if self.transformer else read_problem(self.parts["problem"])

    def size(self, parameter: str) -> int:
        """What a parameter has to be: p the bits, n the tokens before the last one, m the length of the strings; q the bits of sums."""
        if self.kind in TABLES:
            return self.parts["parameters"].names()[parameter].integer()  # an author's word: the construction is written out
        sizes = {"m": self.length}
        if self.sums:
            sizes |= {"q": self.sums.bits, "coupling": COUPLINGS.index(self.sums.coupling)}
        if self.transformer:
            sizes |= {"p": self.transformer.bits, "n": len(self.transformer.tokens) - 1}
        if parameter not in sizes:
            raise Unknown(f"parameters: {shown(parameter)} was expected to be one of {', '.join(sizes)}; only these can be compared")
        return sizes[parameter]


def recheck(certificate: Any, limits: Limits | None = None) -> str:
    """One line that says what the certificate proves, the digest of its statement, and what its reading takes for granted.

    Raises Rejected, Unknown or TooMuch.
    """
    said = Statement(certificate, limits or Limits())
    if isinstance(said.transformer, Table):
        fact = TABLES[said.kind](said.parts, said.transformer)
    elif said.transformer:
        fact = CHECKS[said.kind](said.parts, said.transformer)
    else:
        fact = check_one_sum(said.parts, said.sums, said.length) if said.sums else check_fooling(said.parts, said.length)
    granted = "; the reading grants ideal-ln2, e^(k ln 2) = 2^k" if said.transformer and said.transformer.ideal_ln2 else ""
    return f"{fact}; {said.name}{granted}"


ABOUT = {"fooling-set": ("problem",), "one-sum": ("semantics", "problem", "sums")}
FACTS = {
    "refuted": ("input", "trace"),
    "verified": ("cases", "assumptions", "blocks"),
    "every-length": ("assumptions", "states", "denominators"),
    "fooling-set": ("rule", "size", "pairs", "bits"),
    "one-sum": ("barriers", "longer"),
    "enumerated": ("cases", "yes", "assumptions", "outcomes"),
    "counterexample": ("input", "trace"),
}
CHECKS = {"refuted": check_refuted, "verified": check_verified, "every-length": check_every_length}
TABLES = {"enumerated": check_enumerated, "counterexample": check_counterexample}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], recheck, "recheck.py"))
