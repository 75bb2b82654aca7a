"""Where the input representations of Appendix C hold the bits of the strings, read from the construction files as they are printed."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from verifier.construction.errata import read_construction
from verifier.construction.indices import Bit, field, index_set
from verifier.construction.instantiate import complete, instantiate, names_at
from verifier.construction.schema import ConstructionFile
from verifier.formulas.definitions import inlined
from verifier.formulas.syntax import parse
from verifier.formulas.written import written

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


def _of_table_8(text: str) -> str:
    """A formula of Table 8's file in m and e alone: derived quantities and the default of t in their place."""
    file = printed("table-8")
    defaults = {name: str(entry.default) for name, entry in file.parameters.items() if entry.default is not None}
    return ast.unparse(inlined(parse(text), {**defaults, **{name: str(text) for name, text in file.derived.items()}}))


def _second_exponent(last: bool) -> str:
    """The first, or the last, bit in field 1 of token 2t − 1, by the first clause of T3 that has the token."""
    found = "1/0"  # no clause, or no bit
    for clause in reversed(printed("table-8").input):
        reads = clause.reads[0] if isinstance(clause.reads, list) else clause.reads
        each = parse(str(reads))
        value = "1/0"
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice) and each.slice.lower and each.slice.upper:
            ends = ast.unparse(each.slice.lower), ast.unparse(each.slice.upper)
            value = f"({ends[last]} if {ends[0]} <= {ends[1]} else 1/0)"
        first, _, end = str(clause.i).strip("[]").partition(":")
        found = f"({value} if {first} <= 2*t - 1 <= {end or first} else {found})"
    return _of_table_8(found)


@written(lambda: _of_table_8(f"({printed('table-8').precision.t}) + ({printed('table-8').precision.e})"))
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


@written(lambda: _second_exponent(last=False))
def t3_exponent_first(m: Fraction, e: Fraction) -> int:
    """The first bit of the second exponent, as token 2t − 1 of T3 holds it."""
    return held("table-8", 2 * _mantissa_digits(m, e) - 1, m=int(m), e=int(e))[0][0].index


@written(lambda: _second_exponent(last=True))
def t3_exponent_last(m: Fraction, e: Fraction) -> int:
    """The last bit of the second exponent, as token 2t − 1 of T3 holds it."""
    return held("table-8", 2 * _mantissa_digits(m, e) - 1, m=int(m), e=int(e))[0][-1].index
