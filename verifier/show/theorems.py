"""The theorems that statement files link to, in words for pages: data of the files, the same whether or not Coq is installed.

The kernel's answers on this machine appear on the screen (``--p all``, ``verify proofs``, ``verify show``) and on no page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.claims.kernel_proofs import Decided, linked
from verifier.claims.model import Claim
from verifier.claims.papers import find_paper
from verifier.claims.verdicts import Edition


def linked_theorems(claims: Iterable[Claim]) -> Iterator[Decided]:
    """The theorems that the files of these claims name, in their order."""
    yield from (linked(claim, proof) for claim in claims for proof in claim.proofs)


def theorems(claims: Iterable[Claim]) -> list[str]:
    """Each theorem in a sentence: what it decides for which parameters, under which readings, by which kernel, and its assumptions."""
    return list(dict.fromkeys(f"{decides(each)}. {each.meaning.aside}".rstrip() for each in linked_theorems(claims)))


def decides(theorem: Decided) -> str:
    """``true for every p >= 3 (Coq 8.16.1, theorem both_halves of SplitTheorem.v)``, with its readings where it has some.

    ``true after our corrections for …`` where the theorem is about the corrected claim.
    """
    readings = [_called(theorem.claim.paper, name) for name in theorem.meaning.readings]
    corrected = " after our corrections" if theorem.proof.edition == Edition.REPAIRED.value else ""
    how = f"{'false' if theorem.refutes else 'true'}{corrected}"
    orders = f" in {' and in '.join(readings)}" if readings else ""
    return f"{how} for {theorem.stated}{orders}"


def _called(paper: str, reading: str) -> str:
    """``token order with point=grid`` for ``narrative+point=grid``."""
    found = find_paper(paper)
    name, *knobs = reading.split("+")
    called = found.called.get(name, name) if found else name
    return called + (f" with {', '.join(knobs)}" if knobs else "")
