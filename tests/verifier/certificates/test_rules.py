"""Each rule of the checker: a good certificate is accepted, and its neighbour that breaks one rule is refused for that reason."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rows import titled
from tests.verifier.certificates.decoders import copier
from tests.verifier.certificates.oracle import true
from tests.verifier.certificates.samples import GOOD, INPUTS, STATES, Change, good, of_network, put, refused
from verifier.arithmetic.semantics import arithmetic, read_semantics
from verifier.certificates import recheck
from verifier.certificates.networks import Statement, arithmetic_of_network
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import arithmetic_of_table, sealed
from verifier.running.errors import InputError


def answered(certificate: Any, **limits: int) -> str:
    """What the checker says, whatever it says."""
    try:
        return "accepted: " + recheck.recheck(json.loads(json.dumps(certificate)), Limits(**limits))
    except (Rejected, Unknown, TooMuch) as reason:
        return f"{type(reason).__name__}: {reason}"


ACCEPTED = {
    "pairs": "right on all 536,887,296 inputs of y of 15 symbols, z of 15 symbols, where the right answer is 'y == z under y",
    "pairs in one block": "right on all 3 inputs",
    "pairs in two blocks": "right on all 36 inputs",
    "pairs token by token": "right on all 36 inputs",
    "wrong": "the input y = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0, z = 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 is answered with yes, no is right, where",
    "wrong in floats": "the input y = 0 0 1 0 0, z = 0 0 1 0 0 is answered with no, yes is right",
    "table in floats": "right on all 264 inputs",
    "table by prefixes, with N": "right on all 36 inputs",
    "inputs": "right on all 16 inputs of w of 4 symbols, where the right answer is '(popcount(w) % 2) == 1'; in float32; statement sha256:",
    "prefixes": "right on all 32 inputs of w of 5 symbols, where the right answer is 'w[1] == 1'; in float16; ",
    "prefixes alike": "right on all 64 inputs of w of 6 symbols",
    "hard attention": "right on all 16 inputs of w of 4 symbols",
    "exact": "right on all 4 inputs of w of 2 symbols, where the right answer is '(popcount(w) % 2) == 1'; in exact arithmetic; ",
    "length": "y and z of every length: 9 states",
    "length in floats": "y and z of every length: 3 states",
    "fooling set": "fooling set: the 2^15 pairs (x, x) of EQ of two strings of 15 bits under y <= z force at least 15 bits; ",
    "a small fooling set": "fooling set: the 2^5 pairs (x, x)",
    "one sum": "one sum: no products (any) in fixed:3+overflow=infinity+ties=zero+maximum=kept+division=output+attention=inputs"
    "+entries=exact+constants=added tell the strings of 7 bits apart; 135 states, 9180 pairs of maps, 31 of them by barriers; statement ",
    "one sum of two bits": "one sum: no products (any) in fixed:2+",
    "one column": "one column: no products (product) in fixed:2+",
}


@pytest.mark.parametrize("kind", GOOD)
def test_what_is_proved_is_printed(kind: str) -> None:
    assert answered(good(kind)).startswith(f"accepted: {ACCEPTED[kind]}")


NETWORK, EVIDENCE, OUTPUT = ("cases", 0, "network"), ("cases", 0, "evidence"), ("cases", 0, "network", "output")
SECOND = (*NETWORK, "layers", 1, "heads", 0)
LAYER, HEAD = (*NETWORK, "layers", 0), (*NETWORK, "layers", 0, "heads", 0)


def test_each_right_output_is_printed() -> None:
    assert "where the right answer is '((s // 1) % 2), ((s // 2) % 2)'; in float16; " in answered(copier("leftmost"))


def column(certificate: Any, k: int, one: str, minus_one: str) -> Any:
    """A column that holds these in place of 1 and -1."""
    sizes = {"1": one, "-1": minus_one}
    return put(*NETWORK, "tokens", value=lambda tokens: [
        [reads, [[sizes.get(x, x) if c == k else x for c, x in enumerate(vector)] for vector in vectors]] for reads, vectors in tokens
    ])(certificate)  # fmt: skip


def exchanged(certificate: Any, first: int, second: int) -> Any:
    """Two columns in each other's place, in every token."""
    places = {first: second, second: first}
    return put(*NETWORK, "tokens", value=lambda tokens: [
        [reads, [[vector[places.get(c, c)] for c in range(len(vector))] for vector in vectors]] for reads, vectors in tokens
    ])(certificate)  # fmt: skip


def strictly_causal(tokens: int) -> list[str]:
    """A mask that shows each token those before it."""
    return ["1" * k + "0" * (tokens - k) for k in range(tokens)]


def between_0_and_1(certificate: Any) -> Any:
    """A network without layers that says yes, whose coordinate x is a real number between 0 and 1."""
    changed = {"coordinates": ["x"], "strings": {}, "tokens": [[[], [[["0", "1"]]]]], "layers": []}
    output = {"kind": "accept", "function": "true", "promise": "true", "at": "0", "yes": "true", "no": "true", "nan": "nan"}
    return put(*NETWORK, value={**certificate["cases"][0]["network"], **changed, "output": output})(certificate)


COMPARES = "a right answer that compares two strings was expected"
REFUSED: list[tuple[str, str, Change, str]] = [
    *refused("rules"),
    (
        "a cut without strings",
        "exact",
        lambda certificate: put(*EVIDENCE, value={"kind": "states", "cut": "1"})(between_0_and_1(certificate)),
        "an integer from 0 to 0 was expected",
    ),
    (
        "blocks whose tokens come in the opposite order",
        "pairs",
        put(*NETWORK, "tokens", value=lambda tokens: [*tokens[-2::-1], tokens[-1]]),
        "accepted: right on all 536,887,296",
    ),
    ("every length, a token that is masked", "length", put(*HEAD, "seen", value=strictly_causal(11)), "takes no part in the divisor"),
    ("every length, a position with other columns", "length", lambda c: column(c, 5, "-1", "-1"), "to be answered with"),
    ("every length, a column of no position", "length", lambda c: column(c, 5, "0", "0"), "depends on several positions, or on none"),
    ("every length, columns of a position apart", "length", lambda c: exchanged(c, 4, 5), "are not beside one another"),
    ("barriers without states", "one sum", put("barriers", value=lambda x: [[] for _ in x]), "edges may be disjoint"),
    (
        "a promise nested too deep",
        "inputs",
        put(*OUTPUT, "promise", value=json.loads('["not",' * 70 + '"true"' + "]" * 70)),
        "more than 64 deep",
    ),
    (
        "the size of a number between 0 and 1",
        "exact",
        lambda c: put(*OUTPUT, "yes", value=[">", ["abs", "x"], "1/2"])(between_0_and_1(c)),
        "on a number of which only ends are known",
    ),
    (
        "a sum with a number between 0 and 1",
        "exact",
        lambda c: put(*OUTPUT, "yes", value=[">", ["+", "x", "1"], "1/2"])(between_0_and_1(c)),
        "on a number of which only ends are known",
    ),
    (
        "states of numbers of which only ends are known, which a masked token does not add",
        "exact",
        lambda _: of_network("tracr-frac-prevs", 4, "exact", STATES),
        "cases that are told apart by a number of which only ends are known",
    ),
]


@pytest.mark.parametrize(("title", "kind", "change", "reason"), REFUSED, ids=titled)
def test_a_neighbour_is_refused(title: str, kind: str, change: Change, reason: str) -> None:
    changed = change(good(kind))
    said = answered(changed if reason.startswith("the digest") else sealed(changed))
    assert any(words in said for words in reason.split("|")), said
    assert "accepted" in reason or not said.startswith("accepted"), said


@pytest.mark.parametrize("limit", ["work", "states"])
@pytest.mark.parametrize("kind", ["pairs", "prefixes alike", "table by prefixes, with N", "one sum"])
def test_a_limit_stops_it(kind: str, limit: str) -> None:
    if (kind, limit) != ("one sum", "states"):
        assert answered(good(kind), **{limit: 5}).startswith(f"TooMuch: more than 5 {limit}; --{limit} 80, for example, allows more")


@pytest.mark.parametrize(
    ("network", "length", "how", "evidence", "count"),
    [
        ("parity", 30, "float16", STATES, "1,073,741,824"),
        ("parity", 4, "float64", STATES, "16"),
        ("predecessor", 3, "float32", STATES, "8"),
        ("lookup-hash", 3, "float32", STATES, "8"),
        ("first-layer-norm", 4, "e4m3", STATES, "16"),
        ("parity", 3, "float16+division=output", {"kind": "inputs"}, "8"),
        ("parity", 3, "float32", {"kind": "inputs"}, "8"),
        ("parity-no-positions", 3, "float32", {"kind": "inputs"}, "8"),
        ("match-2", 2, "float32", {"kind": "inputs"}, "25"),
    ],
    ids=titled,
)
def test_networks_of_the_gallery(network: str, length: int, how: str, evidence: dict[str, str], count: str) -> None:
    assert answered(of_network(network, length, how, evidence), work=1 << 26).startswith(f"accepted: right on all {count} inputs of ")


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["adder-12", "adder-28"])
def test_an_adder_on_all_its_inputs(name: str) -> None:
    certificate = of_network(name, 10, "float32", {"kind": "induction"})
    assert answered(certificate, work=1 << 24).startswith("accepted: right on all 100,000,000,000,000,000,000 inputs")


@pytest.mark.parametrize(("function", "says"), [("1", "accepted: right on all 32 inputs"), (["bits", "w", "2", "2"], "are answered with")])
def test_symbols_that_no_token_reads_are_gone_through(function: Any, says: str) -> None:
    """Where the right answer asks for them, and where it does not."""
    given = put(*NETWORK, "tokens", 2, value=lambda token: [[], token[1][:1]])(good("prefixes"))
    asked = put(*OUTPUT, "function", value=["==", ["bits", "w", "1", "1"], "1"] if function == "1" else ["==", function, "1"])(given)
    assert says in answered(sealed(asked))


def test_both_readers_agree_on_good_ones() -> None:
    assert all(true(good(kind)) for kind in ("pairs in one block", "pairs in two blocks", "table by prefixes, with N", "inputs"))


@pytest.mark.parametrize(("kind", "granted"), [("pairs", True), ("inputs", False), ("length in floats", False)])
def test_what_a_reading_grants_is_printed(kind: str, granted: bool) -> None:
    assert answered(good(kind)).endswith("; the reading grants ideal-ln2, e^(k ln 2) = 2^k") is granted


def test_strings_of_no_bits_have_no_pairs() -> None:
    """A network with three letters is not of pairs of strings of bits."""
    three = put(*NETWORK, "symbols", value=["0", "1", "2"])(good("pairs in one block"))
    assert answered(sealed(three)).startswith("accepted")
    assert "contents" in (said := answered(sealed(put(*NETWORK, "letters", value="3")(three)))) or "entries" in said


@pytest.mark.parametrize(
    ("lengths", "says"),
    [((2, 3), "12 inputs of w of 2, 3 symbols"), ((4, 2, 3), "28 inputs of w of 4, 2, 3 symbols")],
)
def test_every_length_is_printed(lengths: tuple[int, ...], says: str) -> None:
    cases = [case for length in lengths for case in of_network("parity", length, "float32", INPUTS)["cases"]]
    said = answered(sealed(put("cases", value=cases)(good("inputs"))))
    assert said.startswith(f"accepted: right on all {says}, where the right answer is ")


OTHER = [("float16+sums=pairwise", "sums=pairwise"), ("float16+accumulate=float32", "accumulate=float32")]
OTHER += [("float16+products=fused+sums=split:4", "sums=split:4, products=fused"), ("float16+rounding=dot-product", "rounding=dot-product")]
OTHER += [("float16+scaling=query", "scaling=query")]


@pytest.mark.parametrize(("how", "knobs"), OTHER)
def test_an_arithmetic_without_certificates_is_named(how: str, knobs: str) -> None:
    arithmetic_of_network(arithmetic("float16+root=multiply"))
    with pytest.raises(InputError, match=f"has no certificate, because of {knobs}; in certificates each operation is rounded once"):
        arithmetic_of_network(arithmetic(how))


@pytest.mark.parametrize(("scale", "written"), [("1/4", True), ("1/3", False), ("3", False), ("2", False)])
def test_a_grid_has_a_certificate_if_its_scale_is_1_over_a_power_of_2(scale: str, written: bool) -> None:
    reading = read_semantics(f"a4+point=grid+scale={scale}")
    if written:
        assert arithmetic_of_table(reading, 5)["format"] == f"fixed:5:{scale}"
    else:
        with pytest.raises(InputError, match="1 over a power of 2 was expected"):
            arithmetic_of_table(reading, 5)


@pytest.mark.parametrize(("masked", "kind"), [(1, "softmax"), (None, "softmax-plus-one")])
def test_a_head_without_certificates_is_named(masked: int | None, kind: str) -> None:
    head: Any = SimpleNamespace(masked=masked, entry=SimpleNamespace(kind=kind))
    with pytest.raises(InputError, match="no score of a hidden token or of no token"):
        Statement.__new__(Statement)._head(head)
