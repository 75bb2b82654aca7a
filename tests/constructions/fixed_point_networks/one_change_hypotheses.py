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
        "slope_hypothesis",
        "lemma-24:each-hypothesis",
        {"p": 3},
        "lambda r: r.slope >= slope.least",
        "lambda r: r.slope >= 0",
        "all of",
    ),
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
        "constants_within(one, values, HALF)",
        "constants_within(one, values, Fraction(1))",
        "constants",
    ),
    *(
        ("equality_hypothesis", f"{name}:hypotheses", {"p": 2}, "if not image & gaps(image):", "if image & gaps(image):", "no instance")
        for name in ("lemma-10", "lemma-18")
    ),
]

OUTPUT = "frozenset((0, int(output * grid.s)))"
REPRESENTED = ("representator(table, target, 1, binary=binary)", "representator(table, target[::-1], 1, binary=binary)")
P3 = {"p": 3}

FIRST: list[Row] = [
    *(("first_set", f"{name}:first", P3, OUTPUT, "frozenset((0, 1))", "instance") for name in ("lemma-2", "lemma-12")),
    *(
        ("first_set", f"{name}:first", P3, "rounded(scaled_hardtanh(factor), grid)", "rounded(scaled_hardtanh(1), grid)", "instance")
        for name in ("corollary-3", "corollary-13")
    ),
    ("first_set", "lemma-4:first", P3, "if len(table.image) > 1:", "if len(table.image) >= 1:", "instance"),
    ("first_set", "lemma-8:first", P3, "rounded(NAMED[name], grid)", "rounded(scaled_hardtanh(5), grid)", "instance"),
    *(
        ("first_set", f"{name}:first", P3, "if image & gaps(image) and", "if not image & gaps(image) and", "instance")
        for name in ("lemma-10", "lemma-18")
    ),
    ("first_set", "lemma-19:first", P3, "small_sums(grid, sets, b) is None", "small_sums(grid, sets, b, ends=0) is None", "instance"),
    ("first_set", "lemma-25:first", P3, "combination(table, t, False)", "combination(table, 2 * t, False)", "instance"),
    *(
        ("first_real", f"{name}:first", P3, "in CONDITIONS[condition])", "in CONDITIONS[condition][1:])", "instance")
        for name in ("lemma-7", "lemma-16")
    ),
    ("first_real", "lemma-22:first", P3, "if y - x >= 1:", "if y > x:", "instance"),
    ("first_real", "lemma-23:first", P3, "y - x < k <= moved", "y - x <= k < moved", "instance"),
    ("first_real", "lemma-24:first", P3, "slope.least <= m <", "0 <= m <", "instance"),
    *(
        ("first_network", f"{name}:first", P3, *REPRESENTED, "instance")
        for name in ("theorem-1", "theorem-6", "theorem-11", "theorem-15", "corollary-9", "corollary-17")
    ),
    *(("first_network", f"{name}:first", P3, "[t * (x == 0)", "[t * (x == 1)", "instance") for name in ("lemma-5", "lemma-14")),
    ("first_network", "lemma-20:first", P3, "CONSTANT * 4**grid.p", "4**grid.p", "instance"),
    ("first_network", "theorem-21:first", P3, "values, delta * grid.s) is None", "values, Fraction(0)) is None", "instance"),
    ("first_network", "section-4.1:first", P3, 'k), "away"))', 'k), "even"))', "instance"),
]

PRACTICAL: list[Row] = [
    (
        "practical",
        "section-3:coincides",
        P3,
        "in fixed_points(p):\n            for name in PRACTICAL",
        "in beyond(p, 17):\n            for name in PRACTICAL",
        "activation",
    ),
    *(
        ("practical", f"{name}:practical", P3, 'ZERO_AT_ZERO = ("relu",', 'ZERO_AT_ZERO = ("sigmoid",', "activation")
        for name in ("lemma-10", "lemma-18")
    ),
    ("practical", "lemma-4:practical", P3, 'MONOTONE = ("relu",', 'MONOTONE = ("silu",', "activation"),
    (
        "practical",
        "lemma-8:copies",
        {"p": 1},
        "(hidden,) * (k * grid.s), (last,)",
        "(hidden,) * (k * grid.s - 1) + (Neuron((), (), 0),), (last,)",
        "k",
    ),
]
SETS: list[Row] = [
    *(
        ("set_hypothesis", f"{name}:s-set", {"p": 2}, "reach(s, t).full_bias() is None", "reach(s, t).full_bias() == 0", "activation")
        for name in ("theorem-6", "theorem-15")
    ),
    ("set_hypothesis", "lemma-19:s-set", P3, 'reach("S", t).full_bias() is None', 'reach("S", t).full_bias() == 0', "activation"),
    *(
        ("set_hypothesis", f"{name}:gamma", P, "for t in range(1, step)", "for t in range(1, 1)", "no gamma")
        for name in ("lemma-5", "lemma-14")
    ),
]
OTHERS: list[Row] = [
    *(
        ("set_hypothesis", f"{name}:cube", P1, "idle = (Neuron((), (), 0),)", "idle = (Neuron((), (), 1),)", "alpha")
        for name in ("lemma-5", "lemma-14")
    ),
    ("bezout_hypothesis", "lemma-26:ascending", {"x": 19}, "first, rest = xs[-1] // d, xs[0] // d", "first, rest = 1, 1", "x"),
    (
        "divisibility_hypothesis",
        "lemma-2:divisible-levels",
        {"p": 6},
        'beta = reach("N", table)',
        'beta = reach("N", Table(grid, tuple(grid.levels())))',
        "r",
    ),
]
ROWS += [*FIRST, *PRACTICAL, *SETS, *OTHERS]

LEMMAS = tuple(f"lemma-{k}" for k in (4, 7, 10, 14, 16, 18, 19, 22, 23, 24, 25))
RECORDS = (*LEMMAS, "theorem-1", "theorem-11", "theorem-15", "corollary-17")
ELSEWHERE = {f"{name}:one-in-q": "test_beyond: the neighbours of the claims that it judges" for name in RECORDS}
"""Claims whose neighbour is another test."""
