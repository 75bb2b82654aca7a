"""What the chapters of *Every Bit Counts* share: the paper's id, its tables, its parameters."""

from __future__ import annotations

from dataclasses import replace

from verifier.claims.model import Parameter, Table

PAPER_ID = "every-bit-counts"

TABLE_5 = Table(__package__, "table-5")
TABLE_6 = Table(__package__, "table-6")

P_SIMPLE = Parameter("p", "bits of precision, with m = 2p − 3", "p >= 2", typical="2..8")
N_SIMPLE = Parameter("n", "tokens before the last one", "n > 4*p", default="4*p + 1")
SIMPLE = (P_SIMPLE, N_SIMPLE)
"""Parameters of Section 2.1 (Table 5): p and n."""

SIMPLE_PROOF = (replace(P_SIMPLE, typical="5,8"), N_SIMPLE)
"""The same for statements inside the proof: one point without and one with a well-formed repaired table."""

P_TIGHT = Parameter("p", "bits of precision, with m = 2p − 1", "p > 0", typical="1..8")
N_TIGHT = Parameter("n", "tokens before the last one; T1 has room for all its tokens from 4p + 2 on", "n > 4*p", default="4*p + 2")
TIGHT = (P_TIGHT, N_TIGHT)
"""Parameters of Section 2.2 (Table 6): p and n."""

TIGHT_PROOF = (replace(P_TIGHT, typical="5,8"), N_TIGHT)
"""The same for statements inside the proof."""

READINGS = ("a4", "narrative", "a4+order=values", "a4+point=grid", "a4+point=grid+order=products", "a4+point=grid+order=values")
"""The readings that the two halves of Theorem 2.4 are compared under: where the binary point is, and what is summed."""

TABLE_7 = Table(__package__, "table-7")
TABLE_8 = Table(__package__, "table-8")

T_LINEAR = Parameter("t", "mantissa digits with their sign", "t >= 1", typical="3..4")
E_LINEAR = Parameter("e", "exponent digits with their sign, m = t + e", "e > 1", typical="2..4")
LINEAR = (T_LINEAR, E_LINEAR)
"""Parameters of Appendix C.1 (Table 7): t and e."""

M_SOFTMAX = Parameter("m", "length of the strings, odd", "m >= 3 and m == 2*floor(m/2) + 1", typical="11..11")
E_SOFTMAX = Parameter(
    "e",
    "exponent digits with their sign, t + e = ⌈m/2⌉ + log ⌈m/2⌉ (the logarithm rounded up)",
    "e > ceil(log2(ceil(m/2))) + 2 and e < ceil(m/2) + ceil(log2(ceil(m/2))) - 2",
    default="ceil(log2(ceil(m/2))) + 3",
)
SOFTMAX = (M_SOFTMAX, E_SOFTMAX)
"""Parameters of Appendix C.2 (Table 8): m and e; t follows, t > 2."""
