"""The propositions at small parameters, evaluated without Coq: at each bound one instance holds and one fails, as in the program."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import two_bit_transformer, variants
from tests.constructions.every_bit_counts import cases
from tests.papers_of_tests import the_paper
from tests.rows import tables
from tests.verifier.kernel.evaluation import Evaluation
from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import papers
from verifier.errata.tables import read_construction, read_with_errata
from verifier.kernel.folders import proof_folders, read_folder
from verifier.kernel.propositions import Clause, Forms, Proposition, proposition, seen_by
from verifier.kernel.terms import Term
from verifier.language.exact import integer
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.running.errors import InputError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import execution_of

PAPER = the_paper("every-bit-counts")
FOLDER = read_folder(PAPER.id, PAPER.folder / "proofs")
FORMS = Forms.of(FOLDER.folder / "forms.toml")


def stated(theorem: str) -> Proposition:
    found = FOLDER.theorem(theorem)
    assert found
    return proposition(FOLDER, found)


def clauses(said: Proposition) -> Iterator[Clause]:
    """Those on a construction and two strings."""
    yield from (each for each in said.clauses if {"n", "y", "z"} <= dict(each.variables).keys() and "product" not in dict(each.variables))


BOUNDS = tables(__file__, "propositions.toml")


SPARE = {name: 1 for name in BOUNDS if name.startswith(("few_bits", "corrected_table"))}


@pytest.mark.long(
    "corrected_table_6_computes_equality",
    "corrected_table_5_computes_equality",
    "denominator_first_computes_equality",
    "few_bits_compute_equality",
)
@pytest.mark.one_in(2)
@pytest.mark.parametrize("theorem", BOUNDS)
def test_a_proposition_holds_on_its_bounds_and_fails_beyond_each(theorem: str) -> None:
    said = stated(theorem)
    first, *others = clauses(said)
    evaluation = Evaluation(said)
    names = ("q", "m", "n", "y", "z") if "q" in dict(first.variables) else ("p", "n", "y", "z")
    for order in ("matrix_order", "token_order"):
        for point in BOUNDS[theorem]["inside"]:
            at = {**dict(zip(names, point, strict=True)), "o": evaluation.name(order)}
            assert all(evaluation.value(each, at) for each in first.hypotheses)
            assert evaluation.value(first.conclusion, at)
            for other in others:
                assert not all(evaluation.value(each, at) for each in other.hypotheses) or evaluation.value(other.conclusion, at)
    broken = []
    for point in BOUNDS[theorem]["outside"]:
        at = {**dict(zip(names, point, strict=True)), "o": evaluation.name("matrix_order")}
        broken.append([i for i, each in enumerate(first.hypotheses) if not evaluation.value(each, at)])
        assert not evaluation.value(first.conclusion, at), point
    assert all(len(each) == 1 for each in broken)
    assert len({each[0] for each in broken}) == len(first.hypotheses) - SPARE.get(theorem, 0)


def instance(said: Proposition, p: int, n: int, bits: int = 2) -> Instance:
    """What the program has for the proposition's construction. bits: those of a transformer that no table gives."""
    name = FORMS.meaning(said).about.get("table")
    if name is None:
        return two_bit_transformer(FORMS.meaning(said).about["representation"], p, n, variants(bits)[0])
    name, corrected, _ = name.partition(" with its errata")
    path, errata = (cases.TABLES / f"{name}{ending}.toml" for ending in ("", ".errata"))
    file = read_with_errata(path, errata).repaired() if corrected else read_construction(path).file
    return instantiate(file, {"p": p, "n": n})


POINTS = {name: bounds["first"] for name, bounds in BOUNDS.items() if "first" in bounds}


FIRST_TOKENS = {"T0": 1, "T1": -1}


@pytest.mark.parametrize("theorem", POINTS)
def test_the_form_names_the_problem_of_the_construction(theorem: str) -> None:
    """Its function, promise, length, bits and input representation: what a theorem counts for rests on them."""
    (p, n), about = POINTS[theorem], FORMS.meaning(stated(theorem)).about
    made = instance(stated(theorem), p, n)
    names = {"p": Fraction(p), "q": Fraction(2), "m": Fraction(made.m)}
    assert (about["function"], about.get("promise", "y <= z")) == (made.task.function, made.task.promise)
    assert (integer(about["length"], names), integer(about["bits"], names)) == (made.m, made.bits)
    assert FIRST_TOKENS[about["representation"]] == made.tokens[0].index


@pytest.mark.parametrize("theorem", POINTS)
def test_the_program_answers_as_the_proposition_says(theorem: str) -> None:
    """Under each reading of the link, on pairs that keep the promise and others: right where the conclusion is true."""
    (p, n), said = POINTS[theorem], stated(theorem)
    (first, *others), read, evaluation = list(clauses(said)), FORMS.meaning(said), Evaluation(said)
    made = {bits: instance(said, p, n, bits) for bits in ((2, 3) if "q" in dict(first.variables) else (p,))}
    m = made[min(made)].m
    pairs = {(0, 0), (0, 1), (2**m - 1, 2**m - 1), (2**m - 2, 2**m - 1), (1, 0), (2**m - 1, 0), (2 ** (m // 2) - 1, 2 ** (m // 2))}
    for reading in read.readings:
        order = "token_order" if reading.startswith("narrative") else "matrix_order"
        clause = others[0] if len(read.readings) > 1 and "o" not in dict(first.variables) and order == "token_order" else first
        for bits, (y, z) in product(made, sorted(pairs)[: 4 if p == 2 else 7]):
            at = {"p": p, "q": bits, "m": m, "n": n, "y": y, "z": z, "o": evaluation.name(order)}
            right = evaluate(execution_of(made[bits], read_semantics(reading)), y, z).decision.output in ((1,) if y == z else (0, NAN))
            assert evaluation.value(clause.conclusion, at) == right, (reading, y, z)


@pytest.mark.parametrize("theorem", POINTS)
def test_the_program_finds_no_entry_that_the_format_lacks(theorem: str) -> None:
    """As the theorem on entries says of each construction."""
    (p, n), said = POINTS[theorem], stated(theorem)
    made = [instance(said, p, n, bits) for bits in (2, 3, 4)]
    assert all(
        execution_of(each, read_semantics(reading)).unrepresentable == () for each in made for reading in FORMS.meaning(said).readings
    )


def test_the_theorem_on_entries_is_about_each_construction() -> None:
    every = stated("every_entry_has_the_bits")
    named = every.free(every.definitions["entries_have_the_bits"].term)
    defined = {name for each in FORMS.form for name in each.definitions} & every.definitions.keys()
    constructions = {name for name in defined if every.definitions[name].type == Term("name", "transformer")}
    assert len(constructions) >= 7
    assert named >= constructions | {"unpadded_row", "simple_row", "grid_row"}
    assert "every_entry_has_the_bits" in FORMS.words["exact"]


@pytest.mark.parametrize("theorem", [name for name, (p, _) in POINTS.items() if 2 < p < 7])
def test_below_the_range_the_program_has_no_construction(theorem: str) -> None:
    p, n = POINTS[theorem]
    with pytest.raises(InputError, match=f"p = {p - 1} is outside"):
        instance(stated(theorem), p - 1, n)


@pytest.mark.parametrize("paper", ["every-bit-counts", "fixed-point-networks"])
@pytest.mark.campaign
def test_the_generated_cases_hold_by_our_own_evaluation(paper: str) -> None:
    """What Coq computes again is what the text means here, definition by definition."""
    folder = next(each for each in proof_folders((p.id, p.folder) for p in papers()) if each.paper == paper)
    every = seen_by(folder, "Cases", folder.listing.theorem[0])
    examples = [each for each in every.definitions.values() if each.head == "Example"]
    evaluation = Evaluation(every)
    assert len(examples) >= 60
    assert all(evaluation.value(each.type, {}) for each in examples)
