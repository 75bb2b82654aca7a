"""Small files that ask for much: declined by a limit that names itself, before the time and the memory are spent."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.certificates.samples import good, plain, put, small, subject, table, titled, transformer
from verifier.arithmetic.semantics import NAMED, read_semantics
from verifier.certificates import recheck, recheck_arithmetic, recheck_command
from verifier.certificates.files import certify
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, demand
from verifier.certificates.statement import Certificate, Subject, construction_data, sealed, semantics_data
from verifier.certificates.verified import verified_certificate
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.transformers.tables import Execution

GIBIBYTE = 1 << 30

SECONDS = 60

LESS = ("blocks", 0, "stages", 3, "less")


def wide(length: int) -> Certificate:
    """One block of all positions, whose states are not even listed."""
    instance = small(3, length)
    stages = [{"first": str(k), "last": str(k), "less": []} for k in range(1, length + 1)]
    return sealed(
        {
            **Subject("x", "printed", {}).header("verified"),
            "semantics": semantics_data(NAMED["a4"]),
            "construction": construction_data(instance),
            "cases": str((1 << length) * ((1 << length) + 1) // 2),
            "assumptions": [],
            "blocks": [{"first": "1", "last": str(length), "sums": ["sum 1", "denominator"], "stages": stages}],
        }
    )


def as_engines_list_it(instance: Instance) -> Certificate:
    """The certificate as if the construction were right."""
    return verified_certificate(Subject("x", "printed", {}), Execution(instance, NAMED["a4"]))


def products() -> Certificate:
    """70 rows of 70 weights and 70 vectors: a file of 60 KB, and 350,000 products."""
    whole = small(3, 6, 70)
    return as_engines_list_it(replace(whole, query=Matrix(((F(1),) * 70,) * 70), key=Matrix(((F(1),) * 70,) * 70)))


HOSTILE: list[tuple[str, Callable[[], Certificate], str, int]] = [
    ("a block of 20 positions", lambda: wide(20), "states", 1 << 21),
    ("a block of 3000 positions", lambda: wide(3000), "states", 1 << 21),
    ("an MLP without rest, in 24 bits", lambda: as_engines_list_it(small(24)), "work", 1 << 20),
    ("vectors and matrices", products, "work", 1 << 18),
]

BOUND = f"""import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({GIBIBYTE}, {GIBIBYTE}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
os.execv(sys.argv[1], sys.argv[1:])"""
"""Not by a function before the other program starts: this process may have threads."""


def bounded(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The checker on its own, with an address space of 1 GiB and a minute of the processor."""
    command = [sys.executable, "-I", "-S", "-c", BOUND, sys.executable, "-I", "-S", recheck.__file__, str(path), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("title", "make", "limit", "most"), HOSTILE, ids=titled)
def test_a_small_file_that_asks_for_much(title: str, make: Callable[[], Certificate], limit: str, most: int, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(make()))
    done = bounded(path, f"--{limit}", str(most))
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == f"not rechecked: more than {most} {limit}; --{limit} N raises this limit\n"


def test_limits_can_be_raised_and_lowered(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(good("verified")))
    assert "more than 100 work; --work N raises" in bounded(path, "--work", "100").stdout
    assert "more than 100 states; --states N raises" in bounded(path, "--states", "100").stdout
    assert "more than 100 bytes; --bytes N raises" in bounded(path, "--bytes", "100").stdout
    assert bounded(path, "--work", "1000000", "--states", "2000", "--bytes", "100000").returncode == 0


def test_a_record_of_half_a_million_keys_with_one_twice(tmp_path: Path) -> None:
    """Found as it is read, not by comparing each key with each."""
    path = tmp_path / "certificate.json"
    path.write_text("{" + ",".join(f'"{k % 499_999:x}":1' for k in range(500_000)) + "}")
    done = bounded(path)
    assert (done.returncode, done.stdout) == (2, f'not a certificate known here: "{path}" is not readable as JSON: "0" is there twice\n')


def test_twenty_thousand_sums(tmp_path: Path) -> None:
    """Each is known by its name at once, and the line that says what is wrong does not list them all."""
    certificate, count, zero = json.loads(json.dumps(wide(1))), 20_000, ["0"]
    for matrix in ("query", "key", "value"):
        certificate["construction"][matrix]["rows"] = [["1" if matrix == "value" else "0"]] * count
    certificate["construction"]["tokens"] = [{"index": "1", "step": "1", "reads": [], "vectors": [zero * count]}]
    certificate["blocks"][0]["sums"] = [*(f"sum {k}" for k in range(1, count + 1)), "denominator"]
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed(certificate)))
    done = bounded(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("the state 0, 0, 0, 0, 0, 0, 0, 0, 0, ... is reached, but not listed\n")


def test_a_gzip_is_unpacked_up_to_the_limit(tmp_path: Path) -> None:
    """A megabyte that unpacks to a gigabyte of blanks."""
    path = tmp_path / "certificate.json.gz"
    blanks = gzip.compress(b" " * (1 << 26), compresslevel=9)
    path.write_bytes(blanks * 16)
    done = bounded(path)
    assert (done.returncode, done.stdout) == (3, "not rechecked: more than 16777216 bytes; --bytes N raises this limit\n")


def test_a_run_is_not_written_out_before_it_is_known_to_fit(tmp_path: Path) -> None:
    """16,777,216 states in a hundred bytes, where some hundred were reached."""
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(put(*LESS, 0, 2, value=str(1 << 24))(good("verified"))))
    done = bounded(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "a run of 16777216 states, where" in done.stdout


def crowded(length: int, copies: int) -> Instance:
    """2^length states of y, and so many tokens that read z's first bit: one stage adds to each state as often."""
    whole = small(14, length)
    first = [replace(token, vectors=((F(0),), (F(k),))) for k, token in enumerate(whole.tokens[:-1], 1)]
    more = [Token(length + k, 1, ((Bit("z", 1),),), ((F(0),), (F(1),))) for k in range(1, copies + 1)]
    last = replace(whole.tokens[-1], index=length + copies + 1)
    return replace(whole, tokens=(*first, *more, last), hidden=(), output=Node((), F(0)))


def test_every_addition_counts_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, limits, done, add = (
        plain(as_engines_list_it(crowded(8, 50))),
        Limits(),
        [0],
        recheck_arithmetic.Machine.add,
    )

    def counted(machine: recheck_arithmetic.Machine, a: int, b: int) -> int:
        done[0] += 1
        return add(machine, a, b)

    monkeypatch.setattr(recheck_arithmetic.Machine, "add", counted)
    with pytest.raises(Rejected, match="is not answered with 1"):
        recheck.recheck(certificate, limits)
    assert 2 * 50 * 2**8 < done[0] < limits.spent


SIZES = [(16, 8, 1, 0), (0, 20, 1, 0), (0, 1, 1, 0), (0, 2, 1, 1), (1, 1, 1, 40), (0, 1, 20, 0), (4, 4, 4, 4)]
"""Tokens that read a bit, dimensions, columns of queries and keys, hidden nodes: each large where others are small or missing."""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many operations were rounded."""
    count = [0]
    for name in ("state", "add"):
        operation = getattr(recheck_arithmetic.Machine, name)

        def counted(*given: Any, operation: Callable[..., int] = operation) -> int:
            count[0] += 1
            return operation(*given)

        monkeypatch.setattr(recheck_arithmetic.Machine, name, counted)
    return count


def test_every_operation_of_the_construction_counts_as_work(done: list[int]) -> None:
    for tokens, d, width, nodes in SIZES:
        matrix, done[0] = Matrix(((F(1),) * width,) * d), 0
        whole = replace(small(3, max(tokens, 1), d), query=matrix, key=matrix, hidden=(Node((F(1),), F(0)),) * nodes)
        instance = replace(whole, tokens=whole.tokens if tokens else whole.tokens[-1:], output=Node((F(1),) * nodes, F(0)))
        t = transformer(instance, read_semantics("a4+order=values"))
        assert 0 < done[0] < t.limits.spent, (tokens, d, width, nodes)


@pytest.mark.parametrize("nodes", [0, 40])
def test_every_operation_of_the_mlp_counts_as_work(nodes: int, done: list[int]) -> None:
    t = transformer(replace(small(3), hidden=(Node((F(1),), F(0)),) * nodes, output=Node((F(1),) * nodes, F(0))), NAMED["a4"])
    done[0], spent = 0, t.limits.spent
    t.mlp(4)
    assert 0 < done[0] < t.limits.spent - spent


def test_no_step_is_taken_twice() -> None:
    """The work at p = 12 is a few operations for each state that the certificate lists, and for each string of a block."""
    execution = table("table-6", p=12)
    certificate, limits = plain(certify(subject(execution), execution)), Limits()
    recheck.recheck(certificate, limits)
    runs = [run for b in certificate["blocks"] for stage in b["stages"] for kind in ("less", "every") for run in stage.get(kind, ())]
    states = sum(int(count) for _, _, count in runs)
    assert states > 20_000
    assert limits.spent < 10 * (states + 2 * (1 << 12))


def test_limits_are_asked_before_they_are_passed() -> None:
    limits = Limits(work=5, states=2)
    limits.spend(3)
    limits.spend(2)
    limits.keep("states", 2)
    with pytest.raises(TooMuch, match="more than 5 work; --work N raises this limit"):
        limits.spend(1)
    with pytest.raises(TooMuch, match="more than 2 states"):
        limits.keep("states", 3)
    with pytest.raises(Rejected, match="so"):
        demand([], "so")
    assert [recheck_command.positive(text) for text in ("1", "90")] == [1, 90]
    for text in ("0", "01", "-1", "1" * 19, "1 "):
        with pytest.raises(ValueError, match=r"^$"):
            recheck_command.positive(text)
