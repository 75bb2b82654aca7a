"""Tables 1 and 2, and the inclusions that Section 5.7 takes from them. Each entry is an open interval said to contain the range."""

from __future__ import annotations

from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Part, Question

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.enclosures import escape, open_range
from constructions.fixed_point_networks.trials import PAPER_ID, proved, refuted, uses_errata
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Pair = tuple[str, str]

TABLE_1 = (("0", "2/3"), ("3", "5"), ("3/2", "5/2"))
ENTRIES: dict[str, tuple[Pair, ...]] = {
    "silu": (("0", "0.45"), ("0.5", "0.82"), ("2.85", "4.97"), ("1.02", "1.09"), ("1.22", "2.32"), ("1.04", "1.10")),
    "mish": (("0", "0.53"), ("0.6", "0.96"), ("2.98", "5.00"), ("1.00", "1.03"), ("1.40", "2.48"), ("1.04", "1.09")),
    "gelu": (("0", "0.50"), ("0.5", "0.97"), ("2.99", "5.00"), ("1.00", "1.02"), ("1.22", "2.32"), ("1.04", "1.10")),
}
"""Table 1 as printed: σ and σ′ on each of the three intervals in turn."""

TABLE_2: dict[str, tuple[Pair, Pair]] = {"softplus": (("0", "3"), ("0.50", "0.96")), "sigmoid": (("-1", "1"), ("0.2", "0.25"))}
"""Table 2 as printed: the interval, and the entry for σ′."""

REPAIRED: dict[str, tuple[Pair, str]] = {
    "table-1:gelu-5": (("1.39", "2.49"), "the printed entry is SiLU's"),
    "table-1:gelu-6": (("1.03", "1.13"), "the printed entry is SiLU's"),
    "table-2:sigmoid": (
        ("0.19", "0.26"),
        "the derivative is 1/4 at 0, and falls to 0.1966 towards the ends; rounded outward, as 1.02 for 1.0265 in Table 1",
    ),
}

Interval = tuple[Fraction, Fraction]


def interval(pair: Pair) -> Interval:
    return Fraction(pair[0]), Fraction(pair[1])


def shown(pair: Pair) -> str:
    return f"({pair[0]}, {pair[1]})"


def contained(name: str, order: int, domain: Pair, claimed: Pair) -> Finding:
    """Whether σ or σ′ maps the open domain into the open interval claimed."""
    activation, function = NAMED[name], name + "'" * order
    true = open_range(activation, order, *interval(domain))
    scope = f"{function} on all of {shown(domain)}"
    method = "ball arithmetic on pieces, monotone ones by their ends"
    found = escape(activation, order, interval(domain), interval(claimed))
    if found is None:
        return proved(scope, method, witness=f"the range is {true}, to four decimals")
    return refuted(scope, {"x": found.x, f"{function}(x)": found.value, "claimed": shown(claimed), "true range": true}, method)


def _entry(name: str, function: str, order: int, domain: Pair, printed: Pair) -> Part:
    repaired, why = REPAIRED.get(name, (printed, ""))

    @claim(
        name,
        statement=f"{function.split(':')[0]}{chr(39) * order} maps {shown(domain)} into {shown(printed)}",
        place=f"Section 5.7, Table {name[6]}",
        checks="the true range, enclosed rigorously; an end of the domain is not a point of it",
        errata=(Erratum(printed=shown(printed), repaired=shown(repaired), why=why),) if why else (),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return contained(function, order, domain, repaired if uses_errata(question) else printed)

    del judge
    return Part(name)


def _table_1() -> tuple[Part, ...]:
    return tuple(
        _entry(f"table-1:{name}-{i + 1}", name, i % 2, TABLE_1[i // 2], pair) for name, row in ENTRIES.items() for i, pair in enumerate(row)
    )


chapter.composite(
    "table-1",
    statement="each of its 18 open intervals contains the range of SiLU, Mish or GELU, or of the derivative",
    place="Section 5.7, Table 1",
    parts=_table_1(),
    bounded=False,
)
chapter.composite(
    "table-2",
    statement="both of its open intervals contain the range of the derivative",
    place="Section 5.7, Table 2",
    parts=tuple(_entry(f"table-2:{name}", name, 1, domain, pair) for name, (domain, pair) in TABLE_2.items()),
    bounded=False,
)

USES: dict[str, tuple[tuple[str, ...], int, Pair, Pair, str]] = {
    "lemma-8:slope-a4": (("silu", "mish", "gelu"), 1, ("0", "2/3"), ("1/2", "1"), "for s >= 3, (A4)"),
    "lemma-8:value-a6-s1": (("silu", "mish", "gelu"), 0, ("3", "5"), ("0", "7"), "for s = 1, (A6)"),
    "lemma-8:slope-a6-s1": (("silu", "mish", "gelu"), 1, ("3", "5"), ("1", "3/2"), "for s = 1, (A6)"),
    "lemma-8:value-a6-s2": (("silu", "mish", "gelu"), 0, ("3/2", "5/2"), ("0", "7/2"), "for s = 2, (A6)"),
    "lemma-8:slope-a6-s2": (("silu", "mish", "gelu"), 1, ("3/2", "5/2"), ("1", "3/2"), "for s = 2, (A6)"),
    "lemma-8:slope-a5": (("sigmoid",), 1, ("-1", "1"), ("1/6", "1"), "for s >= 3, (A5)"),
    "lemma-8:slope-a7": (("softplus",), 1, ("0", "3"), ("1/2", "1"), "for every s, (A7)"),
}
"""What Section 5.7 takes from the tables: activations, order of derivative, domain, interval, purpose."""


def _use(name: str, activations: tuple[str, ...], order: int, domain: Pair, claimed: Pair, purpose: str) -> None:
    listed = ", ".join(a + "'" * order for a in activations)

    @claim(
        name,
        statement=f"{listed} map {shown(domain)} into {shown(claimed)} ({purpose})",
        place="Section 5.7, proof of Lemma 8",
        checks="the true range, enclosed rigorously, whatever the tables say",
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        findings = [contained(a, order, domain, claimed) for a in activations]
        bad = next((f for f in findings if f.counterexample), None)
        if bad is not None:
            return bad
        witness = "; ".join(f"{a}: {f.witness}" for a, f in zip(activations, findings, strict=True))
        return proved(f"{listed} on all of {shown(domain)}", "ball arithmetic on pieces, monotone ones by their ends", witness=witness)

    del judge


for _name, _what in USES.items():
    _use(_name, *_what)
