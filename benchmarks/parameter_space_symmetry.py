"""How fast the parameter-space symmetry paper is. Usage: python benchmarks/parameter_space_symmetry.py"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from constructions.parameter_space_symmetry.commands.noise_command import Heads, noises, separate
from constructions.parameter_space_symmetry.mathematics.noise import Ranges
from constructions.parameter_space_symmetry.mathematics.search import STEPS, measured, search
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition
from verifier.show.screen import console, plain_table

Q, K = np.random.default_rng(0).standard_normal((2, 64, 64, 64))


def proposition() -> str:
    """Proposition 4.1 with its steps, repaired, for every n and m."""
    claim = find_claim("parameter-space-symmetry/proposition-4.1")
    for each in (claim, *claim.steps):
        Session().outcome(each, Edition.REPAIRED, {p.name: ALL for p in each.parameters}, DEFAULT_SEMANTICS)
    return f"{1 + len(claim.steps)} claims for every n and m"


def exact() -> str:
    """The exact noise, the printed estimate and the measured noise of every head at three bit widths."""
    left, right = (np.concatenate(list(w), axis=1) for w in (Q, K))
    pair = separate("qk", ("w_q", "w_k"), {"w_q": left, "w_k": right}, Heads(64))
    return f"{len(list(noises(pair, (left, right), (2, 4, 8), Ranges())))} heads of 64 x 64 at 3 bit widths"


def large() -> str:
    """The noise of a layer of 32 heads of 4096 x 128 at 4 bits."""
    left, right = np.random.default_rng(0).standard_normal((2, 4096, 4096)).astype(np.float32)
    pair = separate("qk", ("w_q", "w_k"), {"w_q": left, "w_k": right}, Heads(32))
    return f"{len(list(noises(pair, (left, right), (4,), Ranges())))} heads of 4096 x 128 at 4 bits"


def searched() -> str:
    """The search on the true noise."""
    g = search(Q, K, 4, "true", STEPS, lambda *_: None)
    before, after = (measured("true", 4, q, k) for q, k in ((Q, K), (Q @ g, K @ g)))
    return f"64 heads; noise to {(after / before).mean():.2f} of what it was"


GOALS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("Proposition 4.1, --n all --m all", "5 s", proposition),
    ("verify tool noise", "5 s", exact),
    ("verify tool noise, large", "10 s", large),
    ("the search", "60 s", searched),
)


def main() -> None:
    table = plain_table()
    for heading in ("what", "goal", "measured", "over"):
        table.add_column(heading)
    for name, goal, run in GOALS:
        start = time.perf_counter()
        text = run()
        table.add_row(name, goal, f"{time.perf_counter() - start:.3f} s", text)
    console().print(table)


if __name__ == "__main__":
    main()
