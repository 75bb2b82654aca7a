"""What the displays range over: inputs of networks are vectors of Q_{p,s}^d, and cubes partition Q_{p,s}^d (Sections 3.2.2, 3.3, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, uses_errata, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def _domain_claim(name: str, statement: str, place: str, printed: str, why: str) -> None:
    @claim(
        name,
        statement=statement,
        place=place,
        checks="the set named against the domain Q_(p,s)^d of the functions in the display",
        parameters=(*p_and_s("1", "1"), dimension("1..2")),
        errata=(Erratum(printed=printed, repaired=f"{printed}^d", why=why),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        grid, d = grid_of(question), question["d"]
        within_limit(question, grid.size**d)
        named = set(product(grid.levels(), repeat=d if uses_errata(question) else 1))

        def trials() -> Iterator[Failure]:
            for x in product(grid.levels(), repeat=d):
                yield None if x in named else {"input": tuple(map(grid.show, x)), "set named": "Q_(p,s), the numbers of one coordinate"}

        return decide(f"all inputs {at(question)}", trials())

    del judge


_domain_claim(
    "equation-13:inputs",
    "Eq. (13) is asserted at every input of the network f on Q_(p,s)^d",
    "Section 3.2.2, Lemma 5, Eq. (13)",
    "for all x in Q_(p,s)",
    "f and the cube live on Q_(p,s)^d; for d >= 2 an element of Q_(p,s) is no input",
)
_domain_claim(
    "lemma-14:inputs",
    "the display of Lemma 14 is asserted at every input of the network f on Q_(p,s)^d",
    "Section 3.3, Lemma 14, its display",
    "for all x in Q_(p,s)",
    "as in Eq. (13)",
)
_domain_claim(
    "equation-14:inputs",
    "the cubes C_1, ..., C_k of Eq. (14) partition the inputs",
    "Section 3.2.2, before and after Eq. (14)",
    "a partition C_1, ..., C_k of Q_(p,s)",
    "the cubes are sets of inputs, as the partition of Q_(p,s)^d in Section 3.2.3 has it",
)
_domain_claim(
    "section-4.3:inputs",
    "the error bound that Section 4.3 asks for is asserted at every input of f",
    "Section 4.3, the first display",
    "for each x in Q_(p,s)",
    "f and f* live on d coordinates; Theorem 21 has Q_(p,s)^d",
)
