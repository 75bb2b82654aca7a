"""The vectors of tokens: a row's entries for every content that the input representation gives the token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from verifier.construction.entries import Entry, Names, entry
from verifier.construction.indices import Bit, Field, index_set
from verifier.construction.instance import Defect, Token, Vector
from verifier.construction.schema import Entries, Expression, RepeatedEntry, RowEntry
from verifier.errors import LimitError, placed
from verifier.formulas.syntax import names_in

WIDEST_TOKEN = 12
MOST_VECTORS = 1 << 20


def tabulated(
    contents: Mapping[int, tuple[Field, ...]],
    rows: Mapping[int, RowEntry],
    quantities: Mapping[str, Field],
    names: Names,
    defects: list[Defect],
) -> Iterator[Token]:
    """Every token that has both content and row. What a row needs and its token does not hold is added to the defects.

    Raises:
        LimitError: a token of more than 12 bits, or more vectors than can be tabulated.
    """
    made, known = 0, Known()
    for i in sorted(contents.keys() & rows.keys()):
        row, fields = rows[i], contents[i]
        width = sum(len(each) for each in fields)
        if width > WIDEST_TOKEN:
            raise LimitError(f"token {i} holds {width} bits, at most {WIDEST_TOKEN} are tabulated", "a smaller parameter")
        made += 1 << width
        if made > MOST_VECTORS:
            raise LimitError(f"the tokens have more than {MOST_VECTORS:,} vectors", "a smaller parameter")
        with placed(f"step {row.step}, token {i}"):
            used = {name: bits for name, bits in quantities.items() if name in _used(row)}
        held = {bit.plain for each in fields for bit in each}
        foreign = next((name for name in used if not held.issuperset(used[name])), None)
        if foreign is not None:
            bits = "".join(f" {bit}" for bit in used[foreign] if bit not in held)
            defects.append(Defect("not-held", f"step {row.step}", f"token {i} does not hold{bits}, which {foreign} needs"))
            continue
        scope = {**names, "i": Fraction(i)}
        with placed(f"step {row.step}, token {i}"):
            zero, one = written(row.zero, scope), None if row.one is None else written(row.one, scope)
        vectors = tuple(_vector(row.step, (zero, one), fields, used, pattern, scope, known) for pattern in range(2**width))
        if None in vectors:
            defects.append(Defect("not-applicable", f"step {row.step}", f"token {i} can hold 1, the row has no vector for it"))
        yield Token(i, row.step, fields, vectors)


class Known:
    """Entries that were computed, by the formula and the values of its names: a wide table writes few of them, many times."""

    def __init__(self) -> None:
        self._found: dict[tuple[Expression, tuple[Fraction | None, ...]], Entry] = {}

    def entry(self, text: Expression, names: Names, own: Names) -> Entry:
        """An entry under ``names`` and those of ``own``, which come first."""
        key = text, tuple(own.get(name, names.get(name)) for name in names_in(text))
        if key not in self._found:
            self._found[key] = entry(text, {**names, **own})
        return self._found[key]


Written = list[tuple[Expression, Names]]
"""The entries of one vector, each with the index that it is for, where it is one of several."""


def written(entries: Entries, names: Names) -> Written:
    """The entries one by one; of a :class:`~verifier.construction.schema.RepeatedEntry` one for each index."""
    found: Written = []
    for each in entries:
        if isinstance(each, RepeatedEntry):
            found += [(each.entry, {each.for_: Fraction(k)}) for k in index_set(each.in_, names)]
        else:
            found.append((each, {}))
    return found


def _used(row: RowEntry) -> frozenset[str]:
    """The names in the row's entries."""
    texts = (each.entry if isinstance(each, RepeatedEntry) else each for each in (*row.zero, *(row.one or ())))
    return frozenset(name for text in texts for name in names_in(text))


def _vector(
    step: int,
    rows: tuple[Written, Written | None],
    fields: tuple[Field, ...],
    quantities: Mapping[str, Field],
    pattern: int,
    names: Names,
    known: Known,
) -> Vector | None:
    """The row's vector when the token's bits are ``pattern``; the fields' values are the names f1, f2, …, beside the quantities."""
    read = [bit for each in fields for bit in each]
    bits = {bit.plain: pattern >> (len(read) - 1 - k) & 1 for k, bit in enumerate(read)}
    values = [_number(each, bits) for each in fields]
    entries = rows[1] if values and values[-1] else rows[0]
    if entries is None:
        return None
    scope = {**names, **{f"f{number}": Fraction(value) for number, value in enumerate(values, 1)}}
    scope |= {name: Fraction(_number(each, bits)) for name, each in quantities.items()}
    with placed(f"step {step}, token {names['i']}"):
        return tuple(known.entry(text, scope, own) for text, own in entries)


def _number(bits: Field, values: Mapping[Bit, int]) -> int:
    """The bits as a number, most significant first; flipped bits count as their complements."""
    result = 0
    for bit in bits:
        result = 2 * result + (values[bit.plain] ^ bit.flipped)
    return result
