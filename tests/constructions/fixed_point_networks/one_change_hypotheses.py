"""One change for each claim on hypotheses, on where a statement first says something, and on remarks; rows as in :mod:`.one_change`."""

from tests.constructions.fixed_point_networks.one_change import P1, Row

P = {"p": 1}

ROWS: list[Row] = [
    *(
        ("separation", f"{name}:one-in-q", P, "return 2 * ((1 << p) - 1)", "return 2 * ((1 << p) - 1) + 1", "not told apart")
        for name in ("lemma-5", "theorem-6", "corollary-9")
    ),
    ("separation", "theorem-21:one-in-q", P, "stuck(grid), Fraction(1, 4)", "stuck(grid), Fraction(1)", "two inputs"),
    ("separation", "lemma-20:one-in-q", P, "(2 * grid.s + 1) * grid.largest", "(2 * grid.s) * grid.largest", "weights"),
    ("beyond", "lemma-8:one-in-q", {"p": 3}, 'STOPS = ("sigmoid", "softplus")', 'STOPS = ("sigmoid", "silu")', "activation"),
    ("beyond", "section-4.1:one-in-q", P, 'ones(grid.s, sign), "away")', 'ones(grid.s, sign), "even")', "quantized f"),
    ("slope_hypothesis", "lemma-7:hypotheses", {"p": 2}, "abs(r.slope) < 1)", "abs(r.slope) <= 1)", "all of"),
    ("slope_hypothesis", "lemma-16:hypotheses", {"p": 2}, '{("(A3)", "sigma\' <= 2")}', '{("(A2)", "sigma >= 0")}', "hypothesis"),
    (
        "approximation_hypothesis",
        "theorem-21:condition-1",
        P1,
        "unconditional_representator(table, target, 1)",
        "unconditional_representator(table, target[::-1], 1)",
        "x",
    ),
    (
        "approximation_hypothesis",
        "theorem-21:epsilon",
        P1,
        "representator(table, target, 1) if",
        "representator(table, target[::-1], 1) if",
        "x",
    ),
    (
        "approximation_hypothesis",
        "theorem-21:s-set",
        {"p": 2},
        "tuple(g if k >= 0 else 0 for",
        "tuple(g if k >= 0 else g - 1 for",
        "activations without S = Q_(p,s)",
    ),
    (
        "approximation_hypothesis",
        "theorem-21:continuity",
        {"p": 1},
        "Piece(Fraction(1), Fraction(1), True, Fraction(1))",
        "Piece(Fraction(1), Fraction(1), True, HALF)",
        "constants",
    ),
    *(
        ("equality_hypothesis", f"{name}:hypotheses", {"p": 2}, "if not image & gaps(image):", "if image & gaps(image):", "no instance")
        for name in ("lemma-10", "lemma-18")
    ),
]

RECORDS = ("lemma-7", "lemma-10", "lemma-14", "lemma-16", "lemma-18", "lemma-19", "lemma-24", "lemma-25", "theorem-15", "corollary-17")
ELSEWHERE = {f"{name}:one-in-q": "test_beyond: the neighbours of the claims that it judges" for name in RECORDS}
"""Claims whose neighbour is another test."""
