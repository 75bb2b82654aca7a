"""How long networks of several layers take: every string of one length by prefix states, 2^20 inputs by arrays, 10^20 by induction; and
how long their certificates take to recheck.

``python benchmarks/transformers.py [--longest 200]`` prints a line each, with the processor time and the largest memory so far.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable

from verifier.arithmetic.semantics import arithmetic
from verifier.certificates.network_evidence import certify_network
from verifier.certificates.recheck import recheck
from verifier.certificates.recheck_reading import Limits as Work
from verifier.running.limits import Limits
from verifier.transformers.answers import first_in
from verifier.transformers.cells import Cell
from verifier.transformers.files import find_network
from verifier.transformers.precision import first_wrong


def cell(name: str, form: str, lengths: range) -> Cell:
    return first_wrong(name, find_network(name), arithmetic(form), lengths, limits=Limits(1 << 40))


def timed(what: str, run: Callable[[], Cell]) -> None:
    begun, used = time.perf_counter(), time.process_time()
    found = run()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    said = "right" if found.first_wrong is None else f"first wrong at {found.first_wrong.length}"
    spent = f"{time.perf_counter() - begun:.1f} s, {time.process_time() - used:.1f} s of processor time, {memory} MB"
    print(f"{what}: {spent}; {said}, {found.cases:,} inputs by {found.method}", flush=True)


def rechecked(name: str, form: str, lengths: range) -> None:
    """Write the certificate and check it again; the checker's time alone."""
    decided = cell(name, form, lengths)
    certificate = json.loads(json.dumps(certify_network(find_network(name), decided, lengths)), parse_int=str)
    limits = Work()
    begun, used = time.perf_counter(), time.process_time()
    recheck(certificate, limits)
    spent = f"{time.perf_counter() - begun:.1f} s, {time.process_time() - used:.1f} s of processor time"
    print(f"certificate of {name} in {form}, length {lengths[-1]}, rechecked: {spent}; {limits.spent:,} of {1 << 24:,} steps", flush=True)


def enumerated(name: str, form: str, length: int) -> None:
    """Every input of a length by arrays, in one process, also where another engine decides the network."""
    begun, used = time.perf_counter(), time.process_time()
    found = first_in(find_network(name), {"n": length}, arithmetic(form))
    spent = f"{time.perf_counter() - begun:.1f} s, {time.process_time() - used:.1f} s of processor time"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{name} in {form}, length {length}, enumerated: {spent}, {memory} MB; {'a wrong one' if found else 'right'}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--longest", type=int, default=200, help="strings of PARITY, every length up to this")
    longest = parser.parse_args().longest
    timed("PARITY in float32, length 1000", lambda: cell("gallery/parity", "float32", range(1000, 1001)))
    timed(f"PARITY in float32, lengths 1 .. {longest}", lambda: cell("gallery/parity", "float32", range(1, longest + 1)))
    timed("adder-33 in float64, ten digits", lambda: cell("gallery/adder-33", "float64", range(10, 11)))
    timed("adder-28 in float32, ten digits", lambda: cell("gallery/adder-28", "float32", range(10, 11)))
    rechecked("gallery/adder-27", "float32", range(10, 11))
    rechecked("gallery/adder-28", "float32", range(10, 11))
    rechecked("gallery/parity", "float32", range(100, 101))
    enumerated("gallery/first", "bfloat16+sums=pairwise", 20)
    enumerated("gallery/parity", "bfloat16+sums=pairwise", 20)


if __name__ == "__main__":
    main()
