"""The vectors of tokens: a row's entries for every content that the input representation gives the token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as field_of
from functools import cached_property, partial

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import Bits, Given
from verifier.language.syntax import names_in
from verifier.networks.collected_defects import Checked
from verifier.networks.entries import Entry, GivenNames, Names, entry
from verifier.networks.indices import Field, index_set
from verifier.networks.instance import Defect, Token, Vector
from verifier.networks.record_base import Expression
from verifier.networks.transformer import Entries, RepeatedEntry, RowEntry
from verifier.running.errors import LimitError, Path

WIDEST_TOKEN = 12
MOST_VECTORS = 1 << 20


def tabulated(
    contents: Mapping[int, tuple[Field, ...]],
    rows: Mapping[int, tuple[int, RowEntry]],
    quantities: Mapping[str, Field],
    names: Names,
    defects: list[Defect],
    checked: Checked,
) -> Iterator[Token]:
    """Every token that has both content and row (with its place in the file). What a row needs and its token does not hold is added to
    the defects, and what has no value to the mistakes.

    Raises:
        LimitError: a token of more than 12 bits, or more vectors than can be tabulated.
    """
    made, known = 0, Known()
    for i in sorted(contents.keys() & rows.keys()):
        (number, row), fields = rows[i], contents[i]
        path, place = ("row", number), f"step {row.step}, token {i}"
        width = sum(len(each) for each in fields)
        if width > WIDEST_TOKEN:
            raise LimitError(f"token {i} holds {width} bits, at most {WIDEST_TOKEN} are tabulated", "a smaller parameter")
        made += 1 << width
        if made > MOST_VECTORS:
            raise LimitError(f"the tokens have more than {MOST_VECTORS:,} vectors", "a smaller parameter")
        read = checked(path, partial(_used, row), place)
        if read is None:
            continue
        used = {name: bits for name, bits in quantities.items() if name in read}
        held = {bit.plain for each in fields for bit in each}
        foreign = next((name for name in used if not held.issuperset(used[name])), None)
        if foreign is not None:
            bits = "".join(f" {bit}" for bit in used[foreign] if bit not in held)
            defects.append(Defect("not-held", f"step {row.step}", f"token {i} does not hold{bits}, which {foreign} needs", path))
            continue
        scope = {**names, "i": Fraction(i)}
        zero = checked((*path, "zero"), partial(written, row.zero, scope), place)
        one = None if row.one is None else checked((*path, "one"), partial(written, row.one, scope), place)
        if zero is None or (row.one is not None and one is None):
            continue
        row_at = _Row((zero, one), fields, used, read, scope, known, checked, path, place)
        vectors = tuple(row_at.vector(pattern) for pattern in range(2**width))
        if None in vectors:
            defects.append(Defect("not-applicable", f"step {row.step}", f"token {i} can hold 1, the row has no vector for it", path))
        yield Token(i, row.step, fields, vectors)


class Known:
    """Entries that were computed, by the formula and the values of its names: a wide table writes few of them, many times."""

    def __init__(self) -> None:
        self._found: dict[tuple[Expression, tuple[Given | None, ...]], Entry] = {}

    def entry(self, text: Expression, names: GivenNames, own: Names) -> Entry:
        """An entry under ``names`` and those of ``own``, which come first."""
        key = text, tuple(own.get(name, names.get(name)) for name in names_in(text))
        if key not in self._found:
            self._found[key] = entry(text, {**names, **own})
        return self._found[key]


Written = list[tuple[Expression, Names]]
"""The entries of one vector, each with the index that it is for, where it is one of several."""


def written(entries: Entries, names: Names) -> Written:
    """The entries one by one; of a :class:`~verifier.networks.transformer.RepeatedEntry` one for each index."""
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


Places = tuple[tuple[int, int], ...]
"""Of each bit of a field, most significant first: how far to the right the token's bits bring it, and 1 where it is flipped."""


def places(read: Field, of: Field) -> Places:
    """Where the token that reads these bits holds those of a field; of a bit that it reads twice, the last one counts."""
    at = {bit.plain: len(read) - 1 - k for k, bit in enumerate(read)}
    return tuple((at[bit.plain], int(bit.flipped)) for bit in of)


def number(where: Places, pattern: int) -> int:
    """The number that a field's bits spell when the token's are ``pattern``; flipped bits count as their complements."""
    result = 0
    for shift, flipped in where:
        result = 2 * result + (pattern >> shift & 1 ^ flipped)
    return result


@dataclass(frozen=True)
class _Row:
    """A row at one token: entries for a last field of 0 and of 1, what the token holds, the quantities and all names that the row reads."""

    rows: tuple[Written, Written | None]
    fields: tuple[Field, ...]
    quantities: Mapping[str, Field]
    reads: frozenset[str]
    names: Names
    known: Known
    checked: Checked
    path: Path
    place: str
    _found: dict[tuple[int, ...], Vector] = field_of(default_factory=dict)

    @cached_property
    def last(self) -> Places:
        """The last field, which says which of the two vectors it is."""
        return self._places(self.fields[-1]) if self.fields else ()

    @cached_property
    def held(self) -> Mapping[str, tuple[Places, bool]]:
        """What the token holds: the fields' numbers as f1, f2, …, and the quantities, which are strings."""
        found = {f"f{k}": (self._places(each), False) for k, each in enumerate(self.fields, 1)}
        return found | {name: (self._places(each), True) for name, each in self.quantities.items()}

    @cached_property
    def read(self) -> tuple[Places, ...]:
        """What the row reads of it."""
        return tuple(where for name, (where, _) in self.held.items() if name in self.reads)

    def _places(self, of: Field) -> Places:
        return places(tuple(bit for each in self.fields for bit in each), of)

    def vector(self, pattern: int) -> Vector | None:
        """The row's vector when the token's bits are ``pattern``, computed once for all that differ in nothing that the row reads."""
        one = number(self.last, pattern) != 0
        entries = self.rows[one]
        if entries is None:
            return None
        key = (one, *(number(where, pattern) for where in self.read))
        if key not in self._found:
            at = {name: (number(where, pattern), len(where), string) for name, (where, string) in self.held.items()}
            held: dict[str, Given] = {name: Bits(x, bits) if string else Fraction(x) for name, (x, bits, string) in at.items()}
            which, scope = ("zero", "one")[one], {**self.names, **held}
            self._found[key] = tuple(self._entry(which, k, text, scope, own) for k, (text, own) in enumerate(entries))
        return self._found[key]

    def _entry(self, which: str, k: int, text: Expression, scope: GivenNames, own: Names) -> Entry:
        value = self.checked((*self.path, which, k), partial(self.known.entry, text, scope, own), f"{self.place}, {which} {k + 1}")
        return Fraction(0) if value is None else value
