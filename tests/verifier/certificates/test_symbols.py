"""Certificates of what symbols prove: accepted by the checker that stands alone, and no forged one of what is false."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.verifier.certificates.mutations import NUMBERS, ODD, WORDS, at, places
from tests.verifier.certificates.symbol_statements import false_at
from verifier.certificates import recheck_symbols
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, Unknown, digest_of
from verifier.certificates.symbols import symbols_certificate
from verifier.proofs.for_all import wanted_on_domains
from verifier.running.errors import InputError

Certificate = dict[str, Any]
FOLDER = Path(recheck_symbols.__file__).parent
ALONE = ("symbols", "reading", "command", "polynomials", "quantities", "conditions", "hints", "terms", "trees")


@cache
def kept(holds: str, where: str) -> str:
    domain = dict(part.split(": ") for part in where.split("; "))
    domains, wanted = wanted_on_domains([holds], domain)
    return json.dumps(symbols_certificate("mine", "statement", {}, [(each, wanted) for each in domains]))


def good(holds: str, **where: str) -> Certificate:
    found: Certificate = json.loads(kept(holds, "; ".join(f"{name}: {text}" for name, text in where.items())))
    return found


def sealed(certificate: Certificate) -> Certificate:
    return {**certificate, "digest": digest_of({key: certificate[key] for key in recheck_symbols.STATEMENT if key in certificate})}


PROVED: list[tuple[str, dict[str, str]]] = [
    ("(p + 1)**2 == p**2 + 2*p + 1", {"p": "p >= 1"}),
    ("2**p >= p + 1", {"p": "p >= 0"}),
    ("2**p >= p**2", {"p": "p >= 4"}),
    ("2**p > p", {"p": "p >= -1"}),
    ("sum(j for j in (1, p)) == p*(p + 1)/2", {"p": "p >= 0"}),
    ("sum(2**j for j in (0, p)) == 2**(p + 1) - 1", {"p": "p >= 0"}),
    ("sum(j / 2**j for j in (1, p)) < 2", {"p": "p >= 1"}),
    ("sum(1 for j in (1 - 2**p, 2**p - 1))**d <= 2**((p + 1)*d)", {"p": "p >= 1", "d": "d >= 1"}),
    ("s * 2**p <= 4**p - 2**p", {"p": "p >= 1", "s": "1 <= s and s <= 2**p - 1"}),
    ("floor(p/2) + ceil(p/2) == p", {"p": "p >= 0"}),
    ("2*(p // 2) <= p", {"p": "p >= 0"}),
    ("s // d <= s", {"s": "s >= 0", "d": "d >= 1"}),
    ("ceil(log2(2**p + 1)) == p + 1", {"p": "p >= 0"}),
    ("2**ceil(log2(p)) < 2*p", {"p": "p >= 1"}),
    ("all(j**2 <= p**2 for j in (0, p))", {"p": "p >= 1"}),
    ("all(j * 2 != 2*p + 1 for j in (0, p))", {"p": "p >= 1"}),
    ("any(j == p for j in (1, p))", {"p": "p == 3"}),
    ("max(p, s) >= s", {"p": "p >= 1", "s": "s >= 1"}),
    ("abs(p - s) <= p + s", {"p": "p >= 0", "s": "s >= 0"}),
    ("m % 2 == 1", {"p": "p >= 1", "m": "m == 2*p + 1"}),
    ("p >= 4 or p < 4", {"p": "p >= 1"}),
    ("(p if p >= s else s) >= s", {"p": "p >= 1", "s": "s >= 1"}),
    ("binom(p, 2) == p*(p - 1)/2", {"p": "p >= 2"}),
    ("gcd(2*p + 1, 2) == 1", {"p": "p >= 0"}),
    ("1 / (p + 1) <= 1", {"p": "p >= 0"}),
    ("p >= 3", {"p": "p >= 1 and p != 1 and p != 2"}),
    ("p <= 9", {"p": "p in (2, 4, 8)"}),
    ("max(j - j**2 for j in (1, p)) == 0", {"p": "p >= 1"}),
    ("3**p >= 2**p", {"p": "p >= 0"}),
    ("2**(-p) <= 1", {"p": "p >= 0"}),
]

titled = pytest.mark.parametrize(("holds", "where"), PROVED, ids=[holds for holds, _ in PROVED])


@titled
def test_what_symbols_prove_is_accepted(holds: str, where: dict[str, str]) -> None:
    certificate = good(holds, **where)
    line = recheck_symbols.recheck(certificate)
    assert certificate["digest"] in line
    assert all(false_at(theorem) is None for theorem in certificate["theorems"])


FALSE: list[tuple[str, dict[str, str]]] = [
    ("2**p >= p + 2", {"p": "p >= 0"}),
    ("2**p >= p**2", {"p": "p >= 3"}),
    ("sum(j for j in (1, p)) == p*(p + 1)/2", {"p": "p >= -3"}),
    ("floor(p/2) + ceil(p/2) == p + 1", {"p": "p >= 0"}),
    ("s * 2**p < 4**p - 2**p", {"p": "p >= 1", "s": "1 <= s and s <= 2**p - 1"}),
    ("1 / p > 0", {"p": "p >= 0"}),
    ("all(j < p for j in (0, p))", {"p": "p >= 1"}),
    ("2**ceil(log2(p)) <= 2*p - 2", {"p": "p >= 1"}),
    ("s // d < s", {"s": "s >= 1", "d": "d >= 1"}),
]


@pytest.mark.parametrize(("holds", "where"), FALSE, ids=[holds for holds, _ in FALSE])
def test_what_is_false_has_none(holds: str, where: dict[str, str]) -> None:
    domains, wanted = wanted_on_domains([holds], where)
    with pytest.raises(InputError, match="no certificate"):
        symbols_certificate("mine", "statement", {}, [(each, wanted) for each in domains])


@pytest.mark.parametrize(("holds", "where"), FALSE, ids=[holds for holds, _ in FALSE])
def test_a_proof_of_something_else_proves_nothing_that_is_false(holds: str, where: dict[str, str]) -> None:
    """The proofs of all that is true, each under the statement of what is false."""
    domains, wanted = wanted_on_domains([holds], where)
    false = recheck_symbols_statement(domains[0], wanted)
    for other, at_other in PROVED:
        certificate = good(other, **at_other)
        certificate["theorems"] = [false]
        with pytest.raises((Rejected, Unknown)):
            recheck_symbols.recheck(sealed(certificate), Limits())


def recheck_symbols_statement(domain: Any, wanted: Any) -> Any:
    from verifier.certificates.symbols import theorem_data

    return json.loads(json.dumps(theorem_data(domain, wanted)))


OPERATIONS = [
    "+",
    "-",
    "*",
    "/",
    "//",
    "**",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "floor",
    "ceil",
    "min",
    "max",
    "and",
    "or",
    "all",
    "any",
    "sum",
]


def mutant(certificate: Certificate, others: list[Certificate], rng: Random) -> Certificate:
    """One to three changes anywhere, mostly with a fresh digest."""
    changed = copy.deepcopy(certificate)
    for _ in range(rng.choice([1, 1, 2, 3])):
        part = rng.choice([key for key in (*["proofs"] * 3, "theorems", "parameters", "claim") if key in changed] or ["format"])
        path = rng.choice([path for path in places(changed[part], (part,)) if len(path) > 1] or [(part,)])
        above, key = at(changed, path[:-1]), path[-1]
        kind = rng.random()
        if kind < 0.55:
            old = above[key]
            near: list[Any] = []
            if isinstance(old, str) and old.lstrip("-").isdigit():
                near = [str(int(old) + 1), str(int(old) - 1), str(-int(old)), "0"] * 6
            above[key] = rng.choice([*near, *NUMBERS, *WORDS, *ODD, *OPERATIONS * 2, "p", "s", "w", "u", "Q1", ["2", [["p", "1"]]]])
        elif kind < 0.7:
            del above[key]
        elif kind < 0.85 and isinstance(above, list):
            above.insert(rng.randint(0, len(above)), copy.deepcopy(rng.choice(above)))
        else:
            other = rng.choice(others)
            try:
                above[key] = copy.deepcopy(at(other, path))
            except (KeyError, IndexError, TypeError):
                above[key] = copy.deepcopy(other["theorems"])
    return sealed(changed) if rng.random() < 0.9 else changed


def forged(number: int, seed: int) -> tuple[int, int]:
    """How many changed certificates were tried and how many accepted, none of something false.

    Raises:
        AssertionError: one was.
    """
    rng = Random(seed)
    every = [good(holds, **where) for holds, where in PROVED]
    accepted = 0
    for _ in range(number):
        changed = mutant(rng.choice(every), every, rng)
        try:
            recheck_symbols.recheck(json.loads(json.dumps(changed)), Limits(work=1 << 20))
        except (Rejected, Unknown, TooMuch):
            continue
        accepted += 1
        for theorem in changed["theorems"]:
            assert false_at(theorem) is None, changed
    return number, accepted


@pytest.mark.long(*map(str, range(1, 20)))
@pytest.mark.parametrize("seed", range(20))
def test_no_forged_certificate_of_what_is_false_is_accepted(seed: int) -> None:
    tried, accepted = forged(300, seed)
    assert tried == 300
    assert accepted < 100


def test_every_part_of_a_proof_is_needed() -> None:
    """Each number of a proof, changed: the certificate is refused, or its case is another one that holds as well."""
    certificate = good("s * 2**p <= 4**p - 2**p", p="p >= 1", s="1 <= s and s <= 2**p - 1")
    hints = [path for path in places(certificate["proofs"], ("proofs",)) if "signs" in path and isinstance(at(certificate, path), str)]
    assert len(hints) > 10
    for path in hints:
        changed = copy.deepcopy(certificate)
        old = at(changed, path)
        at(changed, path[:-1])[path[-1]] = str(int(old) + 1) if old.lstrip("-").isdigit() else f"{old}x"
        with pytest.raises((Rejected, Unknown)):
            recheck_symbols.recheck(changed, Limits())


def proof(certificate: Certificate) -> Any:
    """The proof of its first condition."""
    return certificate["proofs"][0][0]


def holds(certificate: Certificate) -> Any:
    return certificate["theorems"][0]["holds"]


REFUSED: list[tuple[str, Any, type[Exception], str]] = [
    ("a case less", lambda c: proof(c)["cases"].pop(), Rejected, "no case has"),
    (
        "a least value too large",
        lambda c: proof(c)["least"][0].__setitem__(0, "11"),
        Rejected,
        "does not show that p is at least 11",
    ),
    ("another condition for it", lambda c: proof(c)["least"][0].__setitem__(2, "2"), Unknown, "an integer from 1 to 1"),
    (
        "a hint twice",
        lambda c: proof(c)["cases"][-1]["signs"].append(proof(c)["cases"][-1]["signs"][0]),
        Rejected,
        "not used",
    ),
    (
        "a hint of nothing",
        lambda c: proof(c)["cases"][0]["roundings"].append(["floor", [], [["1", []]], []]),
        Rejected,
        "not used",
    ),
    ("a wider domain", lambda c: c["theorems"][0]["given"].clear(), Unknown, "an integer from 1 to 0"),
    ("a larger claim", lambda c: holds(c)[0].__setitem__(0, ">"), Rejected, "is not shown"),
    ("a name of nothing", lambda c: holds(c)[0].__setitem__(1, "q"), Unknown, "an exact number"),
    (
        "a number for a condition",
        lambda c: holds(c).__setitem__(0, ["+", "1", "1"]),
        Unknown,
        "an operation of conditions",
    ),
    ("no theorem", lambda c: (c["theorems"].clear(), c["proofs"].clear()), Rejected, "a theorem was expected"),
    ("no condition", lambda c: (holds(c).clear(), c["proofs"][0].clear()), Rejected, "a condition was expected"),
    ("a proof less", lambda c: c["proofs"][0].pop(), Unknown, "0 entries where 1"),
    ("an edition of its own", lambda c: c.__setitem__("edition", "mine"), Unknown, "statement or printed or repaired"),
]


@pytest.mark.parametrize(("title", "change", "kind", "why"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused_for_the_right_reason(title: str, change: Any, kind: type[Exception], why: str) -> None:
    certificate = good("2**p >= p**2", p="p >= 4")
    change(certificate)
    with pytest.raises(kind, match=why):
        recheck_symbols.recheck(sealed(certificate), Limits())


def test_the_digest_is_of_the_statement() -> None:
    certificate = good("2**p >= p + 1", p="p >= 0")
    certificate["theorems"][0]["given"][0] = [">=", "p", "-1"]
    with pytest.raises(Rejected, match="the digest is not that of the statement"):
        recheck_symbols.recheck(certificate, Limits())


def test_a_sum_over_a_name_does_not_forget_that_an_unknown_depends_on_it() -> None:
    """⌊s / (j + 1)⌋ is another integer for each j: it may not be taken out of the sum."""
    with pytest.raises(InputError, match="no certificate"):
        good("sum(s // (j + 1) for j in (0, p)) == (p + 1) * (s // 1)", p="p >= 70", s="s >= 0")


def test_it_stands_alone(tmp_path: Path) -> None:
    for part in ALONE:
        shutil.copy(FOLDER / f"recheck_{part}.py", tmp_path)
    (tmp_path / "c.json").write_text(json.dumps(good("2**p >= p + 1", p="p >= 0")))
    done = subprocess.run([sys.executable, "-I", "recheck_symbols.py", "c.json"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("accepted: 2**p >= p + 1 for all integers p with p >= 0; 1 case; statement sha256:")
    (tmp_path / "recheck_hints.py").unlink()
    done = subprocess.run([sys.executable, "-I", "recheck_symbols.py", "c.json"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (70, "recheck_symbols.py needs recheck_hints.py beside it\n")


def test_the_command_writes_one_and_finds_its_claim(verify: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    assert verify(f"fixed-point-networks/section-4.2:inputs --p all --s all --d all --edition statement --certificate {file}").status == 0
    done = verify(f"recheck {file}")
    assert done.status == 0
    said = "of this claim: formula for formula what symbols prove of the catalogue's fixed-point-networks/section-4.2:inputs (statement)"
    assert said in " ".join(done.out.split())
    certificate = json.loads(file.read_text())
    certificate["claim"] = "fixed-point-networks/lemma-20:f-bound"
    file.write_text(json.dumps(sealed(certificate)))
    done = verify(f"recheck {file}")
    assert done.status == 3
    assert "of a claim of that name only: theorem 1 is not the catalogue's, ((((sum(1 + 1" in " ".join(done.out.split())


def test_a_claim_that_no_symbols_decide_has_none(verify: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    done = verify(f"every-bit-counts/equation-1 --h all --edition statement --certificate {file}")
    assert done.status == 2
    assert not file.exists()
