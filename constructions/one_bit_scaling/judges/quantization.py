"""Judges of what is said of one weight vector (Sections 3.1, C, D, I.6): exhaustive over small integer weights.

All that is said is unchanged when w is multiplied by a positive number, so that integer weights stand for rational ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from msgspec import Struct

from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.language import exact
from verifier.language.definitions import inlined_text

METHOD = "enumeration, in sums of square roots"


class OfWeights(Struct, frozen=True, forbid_unknown_fields=True):
    """most: the largest entry of the integer weights; divisor: of ‖w − E(w)1‖² in V(w), a formula in d; bound: a formula."""

    most: int = 2
    divisor: str = "d"
    bound: str = "0"


def _all(query: Query, given: OfWeights) -> Iterator[Quantized]:
    d = query["d"]
    divisor = exact.integer(inlined_text(given.divisor, query.claim.lets), {"d": d})
    query.within((2 * given.most + 1) ** d)
    return (Quantized.of(w, divisor) for w in weights(d, given.most))


def _scope(given: OfWeights) -> str:
    return f"all integer weights up to {given.most} in magnitude"


def _bound(query: Query, given: OfWeights, **names: object) -> RootSum:
    """The value of the bound, which may be a multiple of a square root: its square is what the formula says."""
    tree = inlined_text(given.bound, query.claim.lets)
    return RootSum.of(exact.rational(tree, {**query.names, **names}))  # type: ignore[dict-item]


def same_variance(query: Query, given: OfWeights) -> Outcome:
    """V(w) with this divisor is that of Definition D.3."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            other = Quantized.of(q.w)
            yield None if q.variance == other.variance else {"w": q.w, "V, Section 3.1": q.variance, "V, Definition D.3": other.variance}

    return decide(query, _scope(given), trials(), METHOD)


def keeps_length(query: Query, given: OfWeights) -> Outcome:
    """‖√V(w)·w̃‖ = ‖w − E(w)1‖: what is dequantized is as long as what was quantized."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            length = q.variance * len(q.w)
            shown = {"w": q.w, "squared length of sqrt(V) Sign": length, "of w - E(w)1": q.squares}
            yield None if length == q.squares else shown

    return decide(query, _scope(given), trials(), METHOD)


def defined(query: Query, given: OfWeights) -> Outcome:
    """Ln(w) is defined: V(w) is not 0."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            yield None if q.defined else {"w": q.w, "V(w)": 0, "Ln(w)": "0/0"}

    return decide(query, _scope(given), trials(), METHOD)


def signs_without_division(query: Query, given: OfWeights) -> Outcome:
    """Sign(w − E(w)1) is Sign(Ln(w)) wherever that is defined, and where it is not, u(w) = 0 with it."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            if q.defined:
                by_ln = tuple(-1 if (RootSum.of(z) / q.scale).sign < 0 else 1 for z in q.centred)
                yield None if by_ln == q.signs else {"w": q.w, "Sign(Ln(w))": by_ln, "Sign(w - E(w)1)": q.signs}
            else:
                yield None if all(u == 0 for u in q.error) else {"w": q.w, "u(w)": q.error}

    return decide(query, _scope(given), trials(), METHOD)


def error_identity(query: Query, given: OfWeights) -> Outcome:
    """dq(⟨w̃, x⟩) = ⟨w, x⟩ + ⟨u(w), x⟩ for x with entries −1, 0, 1, which span all."""
    d = query["d"]
    query.within((2 * given.most + 1) ** d * 3**d)

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            for x in product((-1, 0, 1), repeat=d):
                left, right = q.dequantized(x), inner(q.w, x) + inner(_recomputed(q), x)
                yield None if left == right else {"w": q.w, "x": x, "dq": left, "<w, x> + <u, x>": right}

    return decide(query, f"{_scope(given)} and all x with entries -1, 0, 1", trials(), METHOD)


def _recomputed(q: Quantized) -> tuple[RootSum, ...]:
    """u(w) under Definition D.3, whatever variance dq uses: √V(w)·w̃ + E(w)1 − w."""
    return Quantized.of(q.w).error


class Normalised(OfWeights, frozen=True, forbid_unknown_fields=True):
    """strict: whether < or <= is claimed."""

    strict: bool = True


def normalised(query: Query, given: Normalised) -> Outcome:
    """‖Ln(w)‖²/d is below the bound (or at most it), for every w for which it is defined."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            if q.defined:
                found, bound = RootSum.of(q.normalised_squares / len(q.w)), _bound(query, given)
                yield None if found < bound or (found == bound and not given.strict) else {"w": q.w, "||Ln(w)||^2/d": found, "bound": bound}

    return decide(query, _scope(given), trials(), METHOD)


def error_bound(query: Query, given: OfWeights) -> Outcome:
    """‖u(w)‖² is at most the bound, a formula in d, V (the variance) and top (the largest entry of w in magnitude)."""

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            found = inner(q.error, q.error)
            bound = _bound(query, given, V=q.variance, top=max(map(abs, q.w)))
            yield None if found <= bound else {"w": q.w, "||u(w)||^2": found, "bound": bound}

    return decide(query, _scope(given), trials(), METHOD)


def sharp_error(query: Query, given: OfWeights) -> Outcome:
    """‖u(w)‖² <= 2(d − √(2d))·V(w), with equality at (1, −1, 0, …): the largest error for a given variance."""
    d = query["d"]
    largest = RootSum.of(2 * d) - root(8 * d)
    extreme = Quantized.of((1, -1) + (0,) * (d - 2))

    def trials() -> Iterator[Failure]:
        attained = inner(extreme.error, extreme.error)
        yield None if attained == largest * extreme.variance else {"w": extreme.w, "||u(w)||^2": attained}
        for q in _all(query, given):
            found, bound = inner(q.error, q.error), largest * q.variance
            yield None if found <= bound else {"w": q.w, "||u(w)||^2": found, "bound": bound}

    return decide(query, _scope(given), trials(), METHOD, f"at most {largest} times V(w), attained at (1, -1, 0, ...)")


def sizes(query: Query, given: OfWeights) -> Outcome:
    """\\|E(w)\\|, √V(w) and ‖w‖/√d are at most the largest entry in magnitude."""
    checks: dict[str, Callable[[Quantized], object]] = {
        "|E(w)|^2": lambda q: q.mean**2,
        "V(w)": lambda q: q.variance,
        "||w||^2/d": lambda q: sum(x * x for x in q.w) / len(q.w),
    }

    def trials() -> Iterator[Failure]:
        for q in _all(query, given):
            bound = _bound(query, given, top=max(map(abs, q.w)))
            for name, of in checks.items():
                found = RootSum.of(of(q))  # type: ignore[arg-type]
                yield None if found <= bound else {"w": q.w, name: found, "bound": bound}

    return decide(query, _scope(given), trials(), METHOD)


def variance_is_lipschitz(query: Query, given: OfWeights) -> Outcome:
    """\\|√V(v) − √V(w)\\|² is at most ‖v − w‖² times the bound."""
    query.within((2 * given.most + 1) ** (2 * query["d"]))
    every = list(_all(query, given))

    def trials() -> Iterator[Failure]:
        for v, w in product(every, repeat=2):
            change = v.scale - w.scale
            far = _bound(query, given) * sum((a - b) ** 2 for a, b in zip(v.w, w.w, strict=True))
            yield (
                None if change * change <= far else {"w(t)": v.w, "w(t+1)": w.w, "squared change of sqrt(V)": change * change, "bound": far}
            )

    return decide(query, f"all pairs of integer weights up to {given.most} in magnitude", trials(), METHOD)
