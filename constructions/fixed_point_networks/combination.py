"""Writing an element of S° or BS° as a sum Σ w·v of weights times gaps, with few terms.

Source: the definition of S° (Section 3.2.2) and the proof of Lemma 25.
"""

from __future__ import annotations

from functools import lru_cache

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.bezout import small_coefficients
from constructions.fixed_point_networks.indicator import Term


def gap_witnesses(table: Table) -> dict[int, tuple[int, int]]:
    """Each positive gap with inputs (v₁, v₂) such that ⌈σ⌉(v₁) − ⌈σ⌉(v₂) is it."""
    where = {v: k for k, v in reversed(list(zip(table.grid.levels(), table.levels, strict=True)))}
    return {a - b: (where[a], where[b]) for a in sorted(where) for b in sorted(where) if a > b}


@lru_cache(maxsize=64)
def _products(table: Table, binary: bool) -> dict[int, Term]:
    """Every single term w·(gap) by its value in units of 1/s²."""
    s, top = table.grid.s, table.grid.top
    weights = (-s, s) if binary else tuple(range(-top, top + 1))
    found: dict[int, Term] = {}
    for gap, (v1, v2) in sorted(gap_witnesses(table).items()):
        for w in weights:
            found.setdefault(w * gap, (w, v1, v2))
    return found


def combination(table: Table, t: int, binary: bool) -> tuple[Term, ...]:
    """Terms whose values add up to t (units of 1/s²): none, one, two, or as many as Bézout coefficients ask for.

    Raises:
        ValueError: t is not in the group of the sums.
    """
    if t == 0:
        return ()
    single = _products(table, binary)
    if t in single:
        return (single[t],)
    for value, term in single.items():
        if t - value in single:
            return (term, single[t - value])
    return _by_bezout(table, t, binary)


def _by_bezout(table: Table, t: int, binary: bool) -> tuple[Term, ...]:
    witnesses = gap_witnesses(table)
    gaps = sorted(witnesses)
    unit, top = (table.grid.s, 1) if binary else (1, table.grid.top)
    step, coefficients = small_coefficients(tuple(gaps))
    times, rest = divmod(t, step * unit)
    if rest:
        raise ValueError(f"{t} is not a sum of the weights and gaps")
    terms: list[Term] = []
    for gap, c in zip(gaps, coefficients, strict=True):
        whole = c * times
        while whole:
            w = max(-top, min(top, whole))
            terms.append((w * unit, *witnesses[gap]))
            whole -= w
    return tuple(terms)
