"""Recheck a Bitreferee certificate. It stands alone: this file and those beside it, standard library only. Read them, then run

    python recheck.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N] [--states N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads, or its answer cannot be written ·
3: larger than the limits, which the options raise, or accepted, but its statement is not that of --claim.

A certificate is JSON (or gzipped JSON): format, claim, edition, arithmetic, cases, digest. A case is a network with every number worked
out, and the evidence for one fact about it:
  wrong      it answers one input wrongly: that one is run
  inputs     it answers all its inputs right: every one is run
  states     the same, by a finite set of states that is closed under every step; also of two equal strings of every length
  induction  the same, of a network that appends the digits of a sum: if all earlier outputs are right, the next one is
Two other facts have files of their own: a fooling set, and pairs of maps of two running sums. docs/certificate-format.md has the format.

If this file is right, you may believe: each accepted fact is true of the network in the file, whose statement the digest names. The author
wrote the claim, the edition and the parameters; `verify recheck` compares the network with its catalogue. In order:
  recheck_reading    the pieces of a certificate with their places, its digest, the limits
  recheck_numbers    exact operations, rounded once; real numbers, of which two ends are known
  recheck_network    a network, read and run; recheck_answers: the problem, and whether an answer is right
  recheck_states     states; recheck_induction: induction; recheck_maps: pairs of maps and fooling sets
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import groupby, product
from types import ModuleType
from typing import Any

if not __package__:  # run as a file: the others are those beside it, whatever Python's path is
    __package__ = "recheck_alone"
    sys.modules[__package__] = alone = ModuleType(__package__)
    alone.__path__ = [os.path.dirname(os.path.realpath(__file__))]

try:
    from .recheck_answers import Answers
    from .recheck_induction import check_induction
    from .recheck_maps import check_facts
    from .recheck_numbers import Numbers
    from .recheck_reading import LIMITS, At, Limits, Rejected, TooMuch, Unknown, demand, digest_of, read
    from .recheck_states import check_states
except ModuleNotFoundError as missing:
    if __package__ != "recheck_alone":
        raise
    print(f"recheck.py needs {str(missing.name).rpartition('.')[2]}.py beside it")
    sys.exit(70)

VERSION = "bitreferee/certificate/5"
OLD = re.compile("bitreferee/(certificate/[1-4]|network-certificate/1|(symbols)-certificate/1)")
EDITIONS = ("statement", "printed", "repaired", "")
NAMES = ("format", "claim", "edition")


def check_wrong(evidence: Mapping[str, At], answers: Answers, place: str) -> str:
    """One input is run."""
    t, given = answers.network, evidence["input"].record(*answers.network.strings)
    told = {(name, k): x.integer(0, t.letters - 1) for name in t.strings for k, x in enumerate(given[name].items(t.strings[name]))}
    demand(answers.promised(told), f"{place}, input: the input breaks the promise")
    right, found = answers.expected(told), answers.found(told)
    demand(found != right, f"{place}, input: the input is answered with {found}, which is right")
    return f"the input {shown(answers, told)} is answered with {found}, {right} is right"


def check_inputs(_: Mapping[str, At], answers: Answers, place: str) -> int:
    """Run every input that keeps the promise; return their number."""
    symbols, promised = [(name, k) for name, length in answers.network.strings.items() for k in range(length)], 0
    for choice in product(range(answers.network.letters), repeat=len(symbols)):
        told = dict(zip(symbols, choice, strict=True))
        if answers.promised(told):
            promised += 1
            right, found = answers.expected(told), answers.found(told)
            demand(found == right, f"{place}: the input {shown(answers, told)} is answered with {found}, {right} was expected")
    return promised


def shown(answers: Answers, told: Mapping[Any, int]) -> str:
    """An input, string by string."""
    lengths = answers.network.strings
    return ", ".join(f"{name} = {' '.join(str(told[name, k]) for k in range(length))}" for name, length in lengths.items())


Check = Callable[[Mapping[str, At], Answers, str], int | str]
Fact = tuple[str, int | str, dict[str, int]]  # the right answer in words; how many inputs have it, or another fact; of strings so long
EVIDENCE: dict[str, tuple[tuple[str, ...], Check]] = {
    "wrong": (("input",), check_wrong),
    "inputs": ((), check_inputs),
    "states": (("cut",), check_states),
    "induction": ((), check_induction),
}
"""What a kind of evidence holds, and its check: how many inputs are answered rightly, or a fact of another kind."""


def recheck(certificate: Any, limits: Limits | None = None) -> str:
    """What a certificate proves.

    Raises:
        Rejected, Unknown, TooMuch
    """
    limits = limits or Limits()
    whole = At(certificate)
    version = whole.names().get("format", whole)
    if isinstance(version.data, str) and (old := OLD.fullmatch(version.data)):
        anew = "write it anew: give the command that wrote it, verify SUBJECT ... --certificate FILE, to this version"
        anew = "proofs by symbols are no longer written to files; verify SUBJECT ... --p all prints them" if old[2] else anew
        raise Unknown(f"{version.data}, which Bitreferee 0.1.0 wrote before {VERSION}; {anew}")
    version.one_of(VERSION)
    if "fact" in certificate:
        return check_facts(whole, limits)
    parts = whole.record(*NAMES, "arithmetic", "cases", "digest")
    parts["claim"].text()
    parts["edition"].one_of(*EDITIONS)
    numbers = Numbers(parts["arithmetic"], limits)
    statement = {key: certificate[key] for key in (*NAMES, "arithmetic")}
    cases = [each.record("parameters", "network", "evidence") for each in parts["cases"].items()]
    demand(cases, f"{parts['cases'].place}: no case")
    statement["cases"] = [{key: case[key].data for key in ("parameters", "network")} for case in cases]
    demand(parts["digest"].text() == digest_of(statement), "the digest is not that of the statement")
    facts: list[Fact] = []
    for case in cases:
        for value in case["parameters"].names().values():
            value.integer()
        answers = Answers(case["network"], numbers)
        given = case["evidence"]
        holds, check = EVIDENCE[given.names().get("kind", given).one_of(*EVIDENCE)]
        found = check(given.record("kind", *holds), answers, given.place)
        demand(found, f"{given.place}: no input keeps the promise")
        facts.append((answers.meaning, found, answers.network.strings))
    told = "; ".join(in_words(facts))
    assuming = ", assuming exact-entries" if numbers.lacking else ""
    granted = "; the reading grants ideal-ln2, e^(k ln 2) = 2^k" if numbers.powers else ""
    return f"{told}; in {numbers.label}{assuming}; statement {parts['digest'].data}{granted}"


def in_words(facts: list[Fact]) -> list[str]:
    """The facts; consecutive facts about the same right answer are joined."""
    words: list[str] = []
    for (meaning, kind, names), group in groupby(facts, lambda fact: (fact[0], type(fact[1]), [*fact[2]])):
        where, alike = f"where the right answer is {meaning!a}", [fact[1:] for fact in group]
        total = sum(count for count, _ in alike if isinstance(count, int))
        lengths = ", ".join(f"{name} of {', '.join(str(of_strings[name]) for _, of_strings in alike)} symbols" for name in names)
        counted = [f"right on all {total:,} inputs of {lengths}, {where}"]
        words += counted if kind is int else [f"{proved}, {where}" for proved, _ in alike]
    return words


def examine(path: str, limits: Limits, check: Callable[[Any, Limits], str], claim: str | None = None) -> tuple[int, str, Any]:
    """The exit status, the line that says why, and the accepted certificate; ``claim``: the digest that its statement must have."""
    try:
        certificate = read(path, limits)
        line = f"accepted: {check(certificate, limits)}"
        if claim not in (None, certificate["digest"]):
            return 3, f"{line}; another statement was asked for, {claim}", None
        return 0, line, certificate
    except Rejected as reason:
        return 1, f"rejected: {reason}", None
    except Unknown as reason:
        return 2, f"not a certificate known here: {reason}", None
    except TooMuch as reason:
        return 3, f"not rechecked: {reason}", None
    except MemoryError:
        return 3, "not rechecked: out of memory, which lower limits would have said before", None


def say(line: str, status: int) -> int:
    """Print the line; return the exit status: 2 if the line cannot be written, unchanged if the reader has closed the pipe."""
    try:
        if sys.stdout is None:
            raise OSError("the stream is closed")
        print(line, flush=True)
    except (OSError, ValueError) as error:
        if sys.stdout:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still buffered
        if not isinstance(error, BrokenPipeError):
            with suppress(OSError):
                os.write(2, f"the answer cannot be written: {error}\n".encode())
            return 2
    return status


def matching(pattern: str, kind: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_option(text: str) -> Any:
        if not re.fullmatch(pattern, text):
            raise ValueError
        return kind(text)

    return read_option


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="recheck.py", description="Recheck a Bitreferee certificate.", allow_abbrev=False)
    parser.add_argument("file")
    of_claim = "accept only a certificate of this statement; give its digest, because this program does not know the names of claims"
    parser.add_argument("--claim", type=matching("sha256:[0-9a-f]{64}", str), metavar="DIGEST", help=of_claim)
    for name, (most, what) in LIMITS.items():
        parser.add_argument(
            f"--{name}", type=matching("[1-9][0-9]{0,17}", int), default=most, metavar="N", help=f"{what}, {most} by default"
        )
    asked = vars(parser.parse_args(arguments))
    try:
        file, claim = asked.pop("file"), asked.pop("claim")
        status, line, _ = examine(file, Limits(**asked), recheck, claim)
        return say(line, status)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return say(f"a fault of this program: {type(error).__name__}: {str(error)!a}", 70)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
