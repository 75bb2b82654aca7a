"""A changed word of a link, or a changed number or name of a proposition, is refused before Coq is asked; many also after new digests."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.constructions.every_bit_counts import cases
from verifier.claims.kernel_proofs import Decided
from verifier.claims.papers import find_claim, papers
from verifier.kernel import definitions
from verifier.kernel.definitions import of_links, unchanged
from verifier.kernel.folders import Meaning, ProofFolder, Theorem, proof_folders, read_folder
from verifier.kernel.propositions import meaning_of, proposition
from verifier.running.errors import InputError

FOLDERS = {folder.paper: folder for folder in proof_folders((paper.id, paper.folder) for paper in papers())}
EBC = FOLDERS["every-bit-counts"]
WORD = re.compile(r"\b[A-Za-z_0-9]+\b")


def edited(text: str) -> Iterator[str]:
    """The text with one word changed, for each of its words."""
    for word in WORD.finditer(text):
        other = str(int(word.group()) + 1) if word.group().isdigit() else word.group() + "x"
        yield text[: word.start()] + other + text[word.end() :]


def entry(theorem: Theorem, **changed: object) -> Theorem:
    return Theorem(**{**{name: getattr(theorem, name) for name in theorem.__struct_fields__}, **changed})  # type: ignore[arg-type]


def entries(theorem: Theorem) -> Iterator[Theorem]:
    """The entry with a word of one of its texts changed."""
    for key in theorem.__struct_fields__:
        yield from (entry(theorem, **{key: text}) for text in edited(getattr(theorem, key)))


def test_a_changed_word_of_a_theorem_s_entry_is_refused() -> None:
    for folder in FOLDERS.values():
        then = definitions.read(folder)
        for theorem in folder.listing.theorem[::3]:
            assert not isinstance(unchanged(folder, then, theorem), str)
            assert all(isinstance(unchanged(folder, then, other), str) for other in entries(theorem))


LINKING = re.compile(r"^(?:proof\b.*|\s+\{ file = .*|file = .*|theorem = .*|kernel = .*|where = .*|at = .*)$", re.MULTILINE)


@pytest.mark.parametrize("names", [("equation-8", "lemma-26"), pytest.param((), marks=pytest.mark.campaign)])
def test_a_changed_word_of_a_statement_file_s_link_is_refused(names: Sequence[str], tmp_path: Path) -> None:
    seen = 0
    for folder in FOLDERS.values():
        for statement in sorted((folder.folder.parent / "statements").glob("*.toml")):
            linked = of_links(statement)
            if linked and statement.stem in (names or [statement.stem]):
                text, copy = statement.read_text(encoding="utf-8"), tmp_path / statement.name
                for line in LINKING.finditer(text):
                    for word in edited(line.group()):
                        copy.write_text(text[: line.start()] + word + text[line.end() :], encoding="utf-8")
                        seen += _other(copy, linked)
    assert seen >= (15 if names else 200)


def _other(copy: Path, linked: str) -> bool:
    """Whether a link has changed; the lines of other tables that look alike do not count."""
    try:
        return of_links(copy) != linked
    except InputError:
        return True


def changed(tmp_path: Path, module: str, old: str, new: str, folder: ProofFolder = EBC) -> ProofFolder:
    """A copy of the proofs in which one place of a source is another."""
    shutil.copytree(folder.folder, tmp_path / "proofs", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    text = (tmp_path / "proofs" / f"{module}.v").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "proofs" / f"{module}.v").write_text(text.replace(old, new, 1), encoding="utf-8")
    return read_folder(folder.paper, tmp_path / "proofs")


STATED = [(paper, each.statement, each.states) for paper, folder in FOLDERS.items() for each in folder.listing.theorem]


@pytest.mark.campaign
@pytest.mark.parametrize(("paper", "module", "states"), STATED)
def test_a_changed_number_or_name_of_a_proposition_is_refused(paper: str, module: str, states: str, tmp_path: Path) -> None:
    """Every number and every other name of the definition of what is stated, and of the definitions that it names in its module."""
    folder = FOLDERS[paper]
    theorem = next(each for each in folder.listing.theorem if each.states == states)
    for body, other in edits(folder.source(module), states):
        copy = changed(tmp_path, module, body, other, folder)
        assert isinstance(unchanged(copy, definitions.read(copy), theorem), str), other


def edits(source: str, states: str) -> Iterator[tuple[str, str]]:
    """The body of each definition with a changed word: what is stated, and the propositions at its head."""

    def definition(name: str) -> str:
        found = re.search(rf"^Definition {name}\b(?:[^.]|\.(?!\s))*\.$", source, re.MULTILINE)
        assert found
        return found.group()

    names = [states]
    for name in names:
        body = definition(name).partition(":=")[2]
        first = [part.split()[0] for part in body.strip(" .\n").split("/\\") if re.match(r"\s*[a-z]", part)]
        names += [head for head in first if re.search(rf"^Definition {head}\b[^=]* : Prop :=", source, re.MULTILINE)]
        yield from ((body, other) for other in edited(body))


def read(folder: ProofFolder, states: str) -> tuple[str, Meaning]:
    """What is read of a proposition, whatever its digest is: its range and what it says of the problem."""
    theorem = next(each for each in folder.listing.theorem if each.states == states)
    stated = proposition(folder, theorem)
    found = meaning_of(folder, stated)
    return stated.range({"p", "s", "m", "n"}), found


UNREAD = {"rounds_to_nearest", "one_rounding", "two_sums_need_messages", "fewer_bits_fail", "entries_have_the_bits"}
READ = [(paper, module, states) for paper, module, states in STATED if states not in UNREAD]
"""All but those of which nothing is read, since they decide no claim."""


@pytest.mark.campaign
@pytest.mark.parametrize(("paper", "module", "states"), READ)
def test_a_changed_number_or_name_is_read_as_something_else_also_after_new_digests(
    paper: str, module: str, states: str, tmp_path: Path
) -> None:
    folder = FOLDERS[paper]
    before = read(folder, states)
    for body, other in edits(folder.source(module), states):
        try:
            assert read(changed(tmp_path, module, body, other, folder), states) != before, other
        except InputError:
            continue


def link(claim: str, theorem: str, folder: ProofFolder) -> Decided:
    """A link as its texts would make it if all digests were written anew."""
    found = find_claim(f"every-bit-counts/{claim}")
    (proof,) = (each for each in found.proofs if each.theorem == theorem)
    listed = folder.theorem(theorem)
    assert listed
    return Decided(found, proof, listed, folder, meaning_of(folder, proposition(folder, listed)), proposition(folder, listed))


MAIN, BITS, LEVELS = "denominator_first_computes_equality", "few_bits_compute_equality", "too_few_levels"
EDITS = [
    ("lemma-2.6:denominator-first", MAIN, "Statement", "z < 2 ^ (2 * p - 1)", "z < 2 ^ (1 - 2 * p)", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "z < 2 ^ (2 * p - 1)", "z < 2 ^ (2 * p - 2)", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "0 <= y -> y <= z", "0 <= y -> y < z", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "0 <= y -> y <= z", "1 <= y -> y <= z", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "0 <= y -> y <= z", "0 <= y -> n < y -> y <= z", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "if y =? z then whole p 1", "if y =? z then whole p 0", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "output p (witness", "output (p + 1) (witness", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "(T1 m y z i)) (range", "(T1 m z y i)) (range", "no counterpart"),
    ("lemma-2.6:denominator-first", MAIN, "Statement", "computes_equality matrix_order", "computes_equality no_order", "no_order"),
    ("lemma-2.5", LEVELS, "LowerHalf", "(grid_add (p - 1)) (grid_add (p - 1)) product", "(grid_add p) (grid_add p) product", "has fewer"),
    ("lemma-2.5", LEVELS, "LowerHalf", "product weight answer (2 * p - 1) n.", "product weight answer (2 * p) n.", "has length"),
    ("lemma-2.5", BITS, "FewBits", "then whole q 1", "then whole q 0", "no counterpart"),
    ("lemma-2.5", BITS, "FewBits", "output q (few_bits q m", "output (q + 1) (few_bits (q + 1) m", "no counterpart"),
    ("lemma-2.5:one-bit-less", BITS, "FewBits", "2 <= q -> 1 <= m", "5 <= q -> 1 <= m", "does not cover"),
    ("lemma-2.5:two-bits", BITS, "FewBits", "matrix_order = if", "no_order = if", "no_order"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "theorem", "module", "old", "new", "why"), EDITS)
def test_a_false_proposition_is_refused_also_after_new_digests(
    claim: str, theorem: str, module: str, old: str, new: str, why: str, tmp_path: Path
) -> None:
    source = EBC.source(module)
    place = "Definition few_bits_suffice" if module == "FewBits" else "Definition fewer_bits_fail_on_a_grid"
    start = source.index(place) if module in ("FewBits", "LowerHalf") else 0
    whole = source[start:]
    with pytest.raises(InputError, match=re.escape(why)):
        link(claim, theorem, changed(tmp_path, module, whole, whole.replace(old, new, 1))).covers({"p": 5, "n": 22})
    assert old in whole
    assert link(claim, theorem, EBC).covers({"p": 5, "n": 22})


@pytest.mark.parametrize(
    ("old", "new", "ranges"),
    [
        ("3 <= p -> 4 * p + 2 <= n", "4 <= p -> 4 * p + 2 <= n", "every p >= 4 and n >= 4*p + 2"),
        ("3 <= p -> 4 * p + 2 <= n", "3 <= p -> 4 * p + 3 <= n", "every p >= 3 and n >= 4*p + 3"),
        ("3 <= p -> 4 * p + 2 <= n", "3 <= p -> n = 14 -> 4 * p + 2 <= n", "n = 14 and every p >= 3 and n >= 4*p + 2"),
    ],
)
def test_the_range_on_the_screen_is_the_one_of_the_proposition(old: str, new: str, ranges: str, tmp_path: Path) -> None:
    assert link("lemma-2.6:denominator-first", MAIN, EBC).ranges == "every p >= 3 and n >= 4*p + 2"
    if "=" in new.replace("<=", ""):
        with pytest.raises(InputError, match="no counterpart"):
            link("lemma-2.6:denominator-first", MAIN, changed(tmp_path, "Statement", old, new))
    else:
        assert link("lemma-2.6:denominator-first", MAIN, changed(tmp_path, "Statement", old, new)).ranges == ranges


def test_a_transformer_in_coq_is_the_table_that_the_cases_compare_it_with() -> None:
    witnesses = (cases.PADDED, cases.UNPADDED, cases.SIMPLE, cases.SINGLE, cases.CORRECTED, cases.CORRECTED_5)
    seen = set()
    for theorem in EBC.listing.theorem:
        if theorem.states not in UNREAD and (table := meaning_of(EBC, proposition(EBC, theorem)).about.get("table")):
            text = str(proposition(EBC, theorem).clauses)
            heads = [w.whole.split(" {")[0].split() for w in witnesses if w.file + " with its errata" * w.repaired == table]
            assert all(f"text='{head}'" in text for words in heads for head in words), table
            seen |= {table} & {w.file + " with its errata" * w.repaired for w in witnesses}
    assert len(seen) == len(witnesses)
