"""For each claim that stands as printed: one change of one symbol of its source, and what the counterexample then names.

A row: module, claim, parameters, the text, what it becomes, a name in the counterexample.
"""

Row = tuple[str, str, dict[str, int], str, str, str]

P1, P2, P3, P4 = ({"p": p, "s": 1} for p in (1, 2, 3, 4))
P22, P23, P32, P33 = {"p": 2, "s": 2}, {"p": 2, "s": 3}, {"p": 3, "s": 2}, {"p": 3, "s": 3}
D1, D2 = {**P1, "d": 1}, {**P2, "d": 1}
FIVE = '__import__("constructions.fixed_point_networks.mathematics.activations", fromlist=["x"]).scaled_hardtanh(5)'

SETS: list[Row] = [
    ("necessary", "theorem-1", P3, "return level + 1 if level % 2 else level - 1", "return level", "steps"),
    ("necessary", "theorem-11", P3, "return level + 1 if level % 2 else level - 1", "return level", "steps"),
    ("divisibility", "lemma-2", P2, "range(unit, grid.top + 1, unit)", "range(1, grid.top + 1)", "b"),
    ("divisibility", "lemma-2:hypotheses", P2, "never_full(question, False, 2,", "never_full(question, False, 1,", "b"),
    ("divisibility", "lemma-2:case-split", P4, "total >= grid.top + 1 else", "total >= grid.top + 2 else", "sum"),
    ("divisibility", "equation-22", P3, "if r == 3 and grid.p % 2:", "if r == 3 and grid.p < 2:", "s*b"),
    ("divisibility", "corollary-3", P3, "scaled_hardtanh(5 * grid.s), grid)", "scaled_hardtanh(4 * grid.s), grid)", "x"),
    ("binary_necessary", "lemma-12", P2, "never_full(question, True, 3, True)", "never_full(question, True, 1, True)", "b"),
    ("binary_necessary", "lemma-12:hypotheses", P2, "never_full(question, True, 2,", "never_full(question, True, 1,", "b"),
    ("condition", "lemma-4", P1, "if levels[0] != levels[-1]:", "if levels[0] != 7:", "table"),
    (
        "condition",
        "condition-1",
        {"p": 2},
        '("gelu", "silu", "mish"):\n                normal = normal_form(rounded(NAMED[name],',
        '("gelu",):\n                normal = normal_form(rounded(__import__("dataclasses").replace(NAMED["relu"], exact=abs),',
        "activation",
    ),
    ("indicator", "lemma-5:gate", D1, "want = normal.drop * grid.s if", "want = -normal.drop * grid.s if", "x"),
    ("indicator", "lemma-5:rho-3", D1, "_psi_trials(question, PRINTED_RHO3)", "_psi_trials(question, PRINTED)", "gamma"),
    ("representation", "theorem-6:identity", {"p": 3}, 'rounded(NAMED["identity"],', f"rounded({FIVE},", "s"),
    ("representation", "equation-14", P22, "right = sum((c + grid.s * beta) *", "right = sum((c + beta) *", "part"),
    ("slope", "condition-a1", P2, "d.can_be_below(1) and", "d.can_be_at_most(1) and", "neighbours differ by"),
    ("slope", "condition-a2", P2, "spread(i, j).can_be_at_most(1)}", "spread(i, j).can_be_at_most(2)}", "neighbours differ by"),
    (
        "slope",
        "condition-a3",
        P2,
        "rising = steps(grid, lambda d: d.can_be_at_least(1))",
        "rising = steps(grid, lambda d: d.can_be_at_least(Fraction(3, 4)))",
        "a step may be",
    ),
    *(
        ("named", f"lemma-8:{name}", P3, "grid_of(question, 1), NAMED[name]", f"grid_of(question, 1), {FIVE}", "missing")
        for name in ("relu", "elu", "silu", "mish", "gelu", "sigmoid", "softplus")
    ),
    ("named", "lemma-8:hypotheses", {"p": 3}, "in NAMED.items():", f'in {{"five": {FIVE}}}.items():', "activation"),
    *(
        ("equality", name, P22, 'else 0 in image if hypothesis == "zero" else image & gaps(image)', "else image", "outputs")
        for name in ("lemma-10", "lemma-10:zero", "lemma-18", "lemma-18:zero")
    ),
    ("equality", "lemma-10:decomposition", P1, "w == (w - x) + (y - z)", "w == (w + x) + (y - z)", "w"),
    ("equality", "corollary-9", P2, "if n.same_for_every_bias(s) is None:", "if n.same_for_every_bias(n) is None:", "outputs"),
    ("binary", "lemma-14:enough-copies", P2, "m = 2 ** (grid.p + 1) - 1", "m = 2 ** (grid.p + 1) - 3", "q"),
    *(("binary", f"lemma-16:{case}", P3, "Reach(grid, grid.s).full", "Reach(grid, 2 * grid.s).full", "b") for case in ("a1", "a2", "a3")),
    ("hypothesis", "lemma-4:hypotheses", P1, "int(k == 0)", "int(k >= 0)", "not monotone"),
    ("hypothesis", "lemma-5:hypotheses", D1, "side_by_side(table, cube,", "side_by_side(table, ((cube[0][0], grid.top),),", "x"),
    ("hypothesis", "lemma-14:hypotheses", D1, "side_by_side(table, cube,", "side_by_side(table, ((cube[0][0], grid.top),),", "x"),
    ("hypothesis", "theorem-6:hypotheses", D1, "representator(table, target, d,", "representator(table, target[::-1], d,", "target"),
    ("hypothesis", "theorem-15:hypotheses", D1, "representator(table, target, d,", "representator(table, target[::-1], d,", "target"),
    ("hypothesis", "corollary-9:hypotheses", P23, "(sets.full_bias() is None) else", "(gap > 4) else", "gcd of the gaps"),
    ("hypothesis", "corollary-17:hypotheses", P23, "(sets.full_bias() is None) else", "(gap > 4) else", "gcd of the gaps"),
    ("hypothesis_count", "lemma-24:hypotheses", P3, "BENT = (-HALF, HALF,", "BENT = (-HALF, HALF / 2,", "widened"),
    ("hypothesis_count", "lemma-24:small-p", P2, "(grid.top, (Fraction(0),))", "(grid.top - 1, (Fraction(0), Fraction(1)))", "condition"),
    ("hypothesis_count", "lemma-20:hypotheses", D1, "bound * grid.top**2 + 1", "bound * grid.top**2", "gamma"),
    ("hypothesis_count", "lemma-25:hypotheses", P1, "gamma = bound * grid.top + 1", "gamma = bound * grid.top", "gamma"),
    ("hypothesis_count", "lemma-26:hypotheses", {"x": 4}, "((0, 1), (-1,))", "((1, 1), (-1,))", "x"),
    ("divisibility_hypothesis", "corollary-3:hypotheses", {"p": 4}, "* g.s > g.top]", "* g.s <= g.top]", "tried"),
    ("divisibility_hypothesis", "corollary-13:hypotheses", {"p": 4}, "* g.s > g.top]", "* g.s <= g.top]", "tried"),
]

NETWORKS: list[Row] = [
    ("naive", "section-4.1:real", P32, "Fraction(1, 4 * s), Fraction", "Fraction(1, 5 * s), Fraction", "f"),
    ("naive", "section-4.1:weights", P32, "unit = Fraction(1, s)", "unit = Fraction(2, s)", "w"),
    ("naive", "section-4.1", P32, '"away") for sign', '"even") for sign', "quantized f"),
    ("naive", "section-4.1:ties", P4, "max(Fraction(-4)", "max(Fraction(-3)", "quantized f"),
    *(
        ("small_sum", name, at, "2 * ends * grid.top * grid.s + 3", "ends * 0 * grid.s + 3", "gcd of the gaps")
        for name, at in (("lemma-19", P3), ("lemma-19:hypotheses", P2))
    ),
    ("small_sum", "lemma-19:shift", P3, "(b - beta) % gap == 0", "(b - beta) % (gap + 1) == 0", "gap"),
    ("small_sum", "lemma-19:preimages", P3, "True, False)", "True, True)", "level"),
    ("count", "lemma-20:phi", {**P3, "d": 1}, "None if phi <= 12 * d", "None if phi <= 9 * d", "phi"),
    ("count", "lemma-20:copies", P3, "m = 2 * grid.s + 1", "m = 2 * grid.s", "drop"),
    ("count", "lemma-20:gaps", P3, "ok = gaps < 2 ** (grid.p + 2)", "ok = gaps < 2 ** (grid.p + 1)", "gaps"),
    ("count", "lemma-20", {**P32, "d": 1}, "CONSTANT = 1760", "CONSTANT = 100", "2 n delta"),
    ("count", "section-4.2", D1, "network.depth == 4 and", "network.depth == 3 and", "layers"),
    ("approximation", "theorem-21:constant", P1, "> rounding[v] + epsilon", "> rounding[v]", "at"),
    ("approximation", "theorem-21:grid-size", D2, "size <= ends / delta + 2", "size <= ends / delta + 1", "|G|"),
    ("approximation", "theorem-21:partition", P2, "p <= grid.value(k) < p + delta]", "p <= grid.value(k) <= p + delta]", "cubes"),
    (
        "continuous",
        "theorem-21:networks",
        D2,
        "covering(grid, stretch.sample))",
        "covering(grid, 2 * stretch.sample))",
        "points of a cube differ by",
    ),
    ("modulus", "theorem-21:modulus", P2, "f.inverse(epsilon)", "f.inverse(epsilon / 2)", "omega(delta)"),
    ("modulus", "theorem-21:equation-20", D2, "grid.rounded(value)) + epsilon", "grid.rounded(value))", "f*(x)"),
    ("continuous", "theorem-21:triangle", P1, "if error[best] <= error[other]:", "if error[best] >= error[other]:", "f*(x)"),
    ("remark", "section-3:practical", {"p": 3}, 'grid.s if kind == "BS" else 1', 'grid.s if kind == "BS" else 2', "activation"),
    ("remark", "section-3.3:practical", {"p": 3}, 'grid.s if kind == "BS" else 1', '2 * grid.s if kind == "BS" else 1', "activation"),
    ("sentence", "lemma-12:weaker", P2, "all(v % r == 0 for v", "all(v % (r + 1) == 0 for v", "r"),
    ("proof_sentence", "section-4.3:intrinsic", P2, "abs(value - q) < least", "abs(value - q) <= least", "closer"),
    ("remark", "equation-10", P2, "outputs <= sets.reached(beta)", "outputs <= sets.reached(beta) - {0}", "b"),
    ("remark", "equation-21", P3, "== set(range(r)) and", "== set(range(r + 1)) and", "r"),
    ("remark", "equation-31", P2, "abs(total) <= 2 * grid.top", "abs(total) <= grid.top", "sum"),
    *(
        ("remark", f"lemma-8:value-{case}", P33, "value[1] <= low + step", "value[1] <= low + step / 9", "activation")
        for case in ("a4", "a5", "a7")
    ),
    ("count_step", "lemma-14:gate", {**P22, "d": 1}, "binary=True)", "binary=False)", "activation"),
    ("count_step", "lemma-20:f-count", D2, "m * (12 * d + 5) + 4", "m * (4 * d + 2)", "bound"),
    ("count_step", "lemma-25:count", P2, "None if 2 * largest / d <=", "None if 3 * largest / d <=", "d"),
    ("count_step", "lemma-25:coefficients", P1, "<= xs[-1] <= 2 **", "< xs[0] <= 2 **", "c"),
    ("count_step", "lemma-26:choices", {"n": 2, "x": 6}, "first = start[0] - sum(", "first = start[0] + sum(", "c"),
    ("count_step", "lemma-26:last-step", {"x": 5}, "for a in range(2, top)", "for a in range(1, top)", "x_1"),
    ("count_step", "section-4.2:inputs", D1, "2 ** ((grid.p + 1) * d)", "2 ** (grid.p * d)", "bound"),
]

REALS: list[Row] = [
    (
        "rounding",
        "lemma-22",
        P2,
        "spread(interval, interval).can_be_at_least(1)",
        "spread(interval, interval).can_be_at_least(QUARTER)",
        "level",
    ),
    ("rounding", "lemma-23", P2, "k = b - a - 1", "k = b - a", "k"),
    ("rounding", "lemma-23:hypotheses", P2, "(y - x) // 1 + 1", "(y - x) // 1", "x1"),
    ("rounding_step", "lemma-23:base-zero", P2, "return (0, (0, 1))", "return (0, (0, 0))", "rounded x2"),
    ("rounding_step", "lemma-23:base-positive", P2, "return (n, (n, n + 1))", "return (n, (n, n))", "rounded x2"),
    ("rounding_step", "lemma-23:shift", P2, "(moved == 1) == (x != -HALF)", "(moved == 1) == (x != HALF)", "moved by"),
    ("step", "condition-a4", P3, '"a4": Slope(0, 2, Fraction(1, 2)', '"a4": Slope(0, 2, Fraction(1, 3)', "least difference"),
    ("step", "condition-a5", P3, '"a5": Slope(-3, 3, Fraction(1, 6)', '"a5": Slope(-3, 3, Fraction(1, 7)', "least difference"),
    ("step", "condition-a6", P3, 'Fraction(3, 2), "a3")', 'Fraction(4, 2), "a3")', "difference below"),
    ("step", "condition-a7", P3, '"a7": Slope(1, 3, Fraction(1, 2)', '"a7": Slope(1, 3, Fraction(1, 3)', "least difference"),
    ("named_step", "lemma-8:relu-elu-values", P2, 'for name in ("relu", "elu")}', 'for name in ("relu", "sigmoid")}', "activation"),
    ("named_step", "lemma-8:sigmoid-s1", {"p": 3}, "{0: 1, -1: 0})", "{0: 1, -1: 1})", "printed"),
    ("named_step", "lemma-8:sigmoid-bound", {"p": 3}, "== 2 ** (p + 1) - 8", "== 2 ** (p + 1) - 7", "right"),
    ("named_step", "lemma-8:softplus-bound", {"p": 4}, "(2**p - 4) / flint", "(2**p - 8) / flint", "right"),
    ("named_step", "lemma-8:softplus-quotient", {}, "(2**p - 4) / flint", "(2**p - 5) / flint", "quotient"),
    ("table", "table-2:softplus", {}, '("0.50", "0.96")', '("0.50", "0.95")', "true range"),
    ("table", "lemma-8:slope-a4", {}, '("1/2", "1"), "for s >= 3, (A4)"', '("3/5", "1"), "for s >= 3, (A4)"', "true range"),
    ("table", "lemma-8:value-a6-s1", {}, '("0", "7")', '("0", "4")', "true range"),
    ("table", "lemma-8:slope-a6-s1", {}, '("1", "3/2"), "for s = 1', '("1", "21/20"), "for s = 1', "true range"),
    ("table", "lemma-8:value-a6-s2", {}, '("0", "7/2")', '("0", "7/3")', "true range"),
    ("table", "lemma-8:slope-a6-s2", {}, '("1", "3/2"), "for s = 2', '("1", "21/20"), "for s = 2', "true range"),
    ("table", "lemma-8:slope-a5", {}, '("1/6", "1")', '("1/5", "1")', "true range"),
    ("table", "lemma-8:slope-a7", {}, '("1/2", "1"), "for every s', '("3/5", "1"), "for every s', "true range"),
    ("term", "lemma-25", P2, "len(terms) <= bound", "len(terms) <= 1", "terms"),
    ("term", "lemma-25:halves", P2, "<= grid.top else", "< grid.top else", "c"),
    ("proof_step", "lemma-12:case-split", P4, "total >= grid.top + 1 else", "total >= grid.top + 2 else", "sum"),
    ("slope_step", "equation-30", P3, "slope[1] < 1,", "slope[1] < 2,", "slope"),
    ("slope_step", "condition-a3:step", P3, "slope[0] >= 1 and", "slope[0] >= Fraction(9, 10) and", "slope"),
    ("slope_step", "condition-a1:contains", {"n": 3}, "set(range(end + 1))", "set(range(end + 2))", "steps"),
    ("slope_step", "condition-a2:ties", P2, "if b - a > 1 and", "if b - a > 0 and", "rounded"),
    ("slope_step", "condition-a3:pigeonhole", {"n": 3}, "if sum(moves) < 2 * n:", "if sum(moves) <= 2 * n:", "steps"),
    ("proof_step", "lemma-8:intervals", {"s": 2}, '"(A5), s >= 3": (3,', '"(A5), s >= 3": (2,', "case"),
    ("proof_step", "lemma-19:difference", P32, "0 < step < 2 * grid.s", "0 < step < grid.s", "gamma_1 - gamma_2"),
    ("proof_step", "lemma-19:chain", P32, "2 * top + 3 * s * HALF and", "2 * top + s * HALF and", "g"),
]

ELSEWHERE = {
    "lemma-14:copies": "test_fewer_copies_do_not_carry_q_past_the_end",
    **{f"table-1:{name}-{i}": "test_a_narrower_entry_is_refused" for name in ("silu", "mish", "gelu") for i in range(1, 7)},
}
"""Claims whose neighbour is another test."""
