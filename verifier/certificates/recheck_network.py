"""Recheck a certificate of a transformer. It stands alone with the other files recheck_*.py beside it:

    python recheck_network.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads · 3: larger than the limits, which the
options raise, or accepted but of another statement than --claim asks for.

A certificate is JSON (or gzipped JSON) with the keys format, claim, arithmetic (its knobs), cases, digest. A case is a network at a point
of its parameters, with every number expanded, and the evidence for one fact about it:
  inputs     it answers all its inputs right: every one is run
  states     the same, by the states that its inputs can lead to: the sums of uniform attention, and what the right answer depends on
  prefixes   the same, by prefixes of inputs that one token, which reads all others, cannot tell apart
  local      the same, by the few symbols that heads read which have all their weight on few tokens
  induction  the same, of a network that appends the digits of a sum: if all earlier outputs are right, the next one is
  wrong      it answers one input wrongly: that one is run
The digest is the SHA-256 of all but the evidence. docs/certificate-format.md specifies the format. The files, each to be read alone:
  recheck_layers reads a network, recheck_transformer runs it, recheck_floats, recheck_rounding and
  recheck_arithmetic have the arithmetic of formats, recheck_sums the orders of sums, recheck_exact real numbers, of which
  recheck_between knows two ends
  recheck_formulas reads the right answers, recheck_answers compares; recheck_states checks states, recheck_prefixes
  those of prefixes, recheck_local the cases of tokens
  recheck_induction checks induction: recheck_digits has the groups of inputs, recheck_last_token what heads give the last token,
  recheck_logits the symbol that follows, on boxes of recheck_boxes
  recheck_reading, recheck_command as for recheck.py
"""

import os
import sys
from itertools import product
from types import ModuleType
from typing import Any

if not __package__:  # run as a file: the others are those beside it, whatever Python's path is
    __package__ = "recheck_alone"
    sys.modules[__package__] = alone = ModuleType(__package__)
    alone.__path__ = [os.path.dirname(os.path.realpath(__file__))]

try:
    from .recheck_answers import Answers
    from .recheck_command import main
    from .recheck_exact import floats_of
    from .recheck_formulas import Text
    from .recheck_induction import check_induction
    from .recheck_local import check_local
    from .recheck_prefixes import check_prefixes
    from .recheck_reading import At, Limits, demand, digest_of
    from .recheck_states import check_states
except ModuleNotFoundError as missing:
    if __package__ != "recheck_alone":
        raise
    print(f"recheck_network.py needs {str(missing.name).rpartition('.')[2]}.py beside it")
    sys.exit(70)

VERSION = "bitreferee/network-certificate/1"
STATEMENT = ("format", "claim", "arithmetic")


def check_inputs(evidence: dict[str, At], answers: Answers) -> int:
    """Every input that keeps the promise is run; how many they are."""
    transformer = answers.transformer
    lengths = transformer.strings
    base, total = transformer.letters, sum(lengths.values())
    count = base**total
    demand(evidence["count"].integer() == count, f"{evidence['count'].place}: {count} inputs were expected")
    promised = 0
    for choice in product(range(base), repeat=total):
        strings, rest = {}, choice
        for name, length in lengths.items():
            strings[name], rest = Text.whole(rest[:length], base), rest[length:]
        if answers.promised(strings):
            promised += 1
            right, found = answers.expected(strings), answers.found(strings)
            demand(found == right, f"{evidence['count'].place}: the input {shown(strings)} is answered with {found}, {right} was expected")
    return promised


def check_wrong(evidence: dict[str, At], answers: Answers) -> str:
    """One input is run."""
    transformer = answers.transformer
    base, given = transformer.letters, evidence["input"].record(*transformer.strings)
    strings = {}
    for name, length in transformer.strings.items():
        strings[name] = Text.whole([x.integer(0, base - 1) for x in given[name].items(length)], base)
    demand(answers.promised(strings), f"{evidence['input'].place}: the input breaks the promise")
    right, found = answers.expected(strings), answers.found(strings)
    demand(found != right, f"{evidence['input'].place}: the input is answered with {found}, which is right")
    for key, word in (("expected", right), ("found", found)):
        demand(evidence[key].text() == word, f"{evidence[key].place}: {word} was expected")
    return f"the input {shown(strings)} is answered with {found}, not {right}"


def shown(strings: dict[str, Text]) -> str:
    return ", ".join(f"{name} = {' '.join(map(str, text.symbols or ()))}" for name, text in strings.items())


CHECKS: dict[str, tuple[tuple[str, ...], Any]] = {
    "inputs": (("count",), check_inputs),
    "wrong": (("input", "expected", "found"), check_wrong),
    "states": (("states",), check_states),
    "prefixes": (("guesses",), check_prefixes),
    "local": (("reads",), check_local),
    "induction": (("steps",), check_induction),
}


def recheck(certificate: Any, limits: Limits) -> str:
    """The facts that a certificate proves.

    Raises:
        Rejected, Unknown, TooMuch
    """
    parts = At(certificate).record(*STATEMENT, "cases", "digest")
    parts["format"].one_of(VERSION)
    parts["claim"].text()
    floats = floats_of(parts["arithmetic"], limits)
    statement = {key: certificate[key] for key in STATEMENT}
    cases = [each.record("parameters", "network", "evidence") for each in parts["cases"].items()]
    demand(cases, f"{parts['cases'].place}: no case")
    statement["cases"] = [{key: case[key].data for key in ("parameters", "network")} for case in cases]
    demand(parts["digest"].text() == digest_of(statement), "the digest is not that of the statement")
    right, facts, count, meant = list[dict[str, int]](), list[str](), 0, set[str]()
    points = [{name: x.integer(0) for name, x in case["parameters"].names().items()} for case in cases]
    demand(len({tuple(sorted(point.items())) for point in points}) == len(points), "cases: two have the same parameters")
    for case, point in zip(cases, points, strict=True):
        answers = Answers(case["network"], floats, point)
        meant.add(answers.meaning)
        kind = case["evidence"].names().get("kind", case["evidence"]).one_of(*CHECKS)
        keys, check = CHECKS[kind]
        fact = check(case["evidence"].record("kind", *keys), answers)
        if kind == "wrong":
            facts.append(f"wrong with {shown_points([point])}: {fact}")
        else:
            right.append(point)
            count += fact
    if right:
        facts.insert(0, f"right on all {count:,} inputs with {shown_points(right)}")
    demand(len(meant) == 1, "cases: right answers of one kind were expected")
    return f"{'; '.join(facts)}; in {floats.label}, where the right answer is {meant.pop()}; statement {parts['digest'].data}"


def shown_points(points: list[dict[str, int]]) -> str:
    """Points, in ranges of the first parameter."""
    runs: list[list[Any]] = []
    for point in points:
        (name, value), *others = point.items() or [("none", 0)]
        if runs and runs[-1][2] == value - 1 and runs[-1][::3] == [name, others]:
            runs[-1][2] = value
        else:
            runs.append([name, value, value, others])
    texts = []
    for name, first, last, others in runs:
        more = "".join(f", {other!a} = {value}" for other, value in others)
        texts.append(f"{name!a} = {first}{f' .. {last}' if last > first else ''}{more}".replace("'", ""))
    return "; ".join(texts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], recheck, "recheck_network.py"))
