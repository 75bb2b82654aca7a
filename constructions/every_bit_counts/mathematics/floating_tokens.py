"""Where the input representations of Appendix C hold the bits of the strings, read from the construction files as they are printed."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from verifier.construction.errata import read_construction
from verifier.construction.indices import Bit, field, index_set
from verifier.construction.instantiate import complete, instantiate, names_at
from verifier.construction.schema import ConstructionFile

TABLES = Path(__file__).parents[1] / "tables"


@lru_cache(maxsize=8)
def printed(table: str) -> ConstructionFile:
    """The construction file of a table."""
    return read_construction(TABLES / f"{table}.toml").file


def held(table: str, token: int, **parameters: int) -> tuple[tuple[Bit, ...], ...]:
    """The bits in each field of a token, by the clause that gives it its content."""
    file = printed(table)
    names = names_at(file, complete(file, parameters))
    clause = next(c for c in file.input if token in index_set(c.i, names))
    reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
    return tuple(field(text, names, token) for text in reads)


def last_token_of_z(t: Fraction, e: Fraction) -> int:
    """The last token of T2 that holds a bit of z, at mantissa digits t and exponent digits e."""
    roomy = int(4 * t + 2 * (t + e))
    tokens = instantiate(printed("table-7"), {"t": int(t), "e": int(e), "n": roomy}).tokens
    return max(token.index for token in tokens if any(bit.string == "z" for bit in token.reads))


def bits_of_table_8(m: Fraction, e: Fraction) -> int:
    """t + e, the precision of Lemma C.8's construction."""
    return instantiate(printed("table-8"), {"m": int(m), "e": int(e)}).bits


def table_8_divides() -> int:
    """1 where Table 8's attention is divided by a denominator (softmax), 0 where it is linear."""
    return int(printed("table-8").attention == "softmax")


def _mantissa_digits(m: Fraction, e: Fraction) -> int:
    return bits_of_table_8(m, e) - int(e)


def t3_first_part(m: Fraction, e: Fraction) -> int:
    """How many bits y_1 … y_k the tokens 0 … t − 1 of T3 hold: the first exponent and the first mantissa."""
    tokens = range(_mantissa_digits(m, e))
    indices = {bit.index for i in tokens for each in held("table-8", i, m=int(m), e=int(e)) for bit in each}
    return max(k for k in range(1, int(m) + 1) if indices >= set(range(1, k + 1)))


def t3_exponent_first(m: Fraction, e: Fraction) -> int:
    """The first bit of the second exponent, as token 2t − 1 of T3 holds it."""
    return held("table-8", 2 * _mantissa_digits(m, e) - 1, m=int(m), e=int(e))[0][0].index


def t3_exponent_last(m: Fraction, e: Fraction) -> int:
    """The last bit of the second exponent, as token 2t − 1 of T3 holds it."""
    return held("table-8", 2 * _mantissa_digits(m, e) - 1, m=int(m), e=int(e))[0][-1].index
