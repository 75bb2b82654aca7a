"""Sites for tests: of the paper of three statements, and of one with construction tables of which a single claim was judged."""

from __future__ import annotations

from functools import lru_cache

from tests.papers_of_tests import run_paper, shelved, the_paper
from verifier.claims.papers import Paper, find_claim
from verifier.errata.findings import findings
from verifier.errata.listings import Consequences
from verifier.gate.run import Run, run_claims
from verifier.show.judged import Judged
from verifier.show.site.build import site_files

TABLE_6 = "every-bit-counts/lemma-2.6:table-6"


@lru_cache(maxsize=1)
def toy_site() -> dict[str, str]:
    with shelved():
        paper = the_paper("toy")
        return site_files([Judged(paper, run_paper(paper))])


def every_bit_counts() -> Paper:
    return the_paper("every-bit-counts")


@lru_cache(maxsize=1)
def one_table() -> Judged:
    """Of every other claim there is no result at all, and nothing follows from any finding but that Table 6 fails."""
    paper = every_bit_counts()
    judged = run_claims([find_claim(TABLE_6)], errata=False).results
    follows = {m.id: Consequences(fails=(TABLE_6,) if any(c.id == TABLE_6 for c in m.about) else ()) for m in findings(paper)}
    return Judged(paper, Run({claim.id: judged.get(claim.id, []) for claim in paper}, {}, {}, follows))


def unjudged_site(paper: Paper) -> dict[str, str]:
    """The site of a paper of which nothing was judged: every text of its files is there."""
    follows = {finding.id: Consequences() for finding in findings(paper)}
    return site_files([Judged(paper, Run({claim.id: [] for claim in paper}, {}, {}, follows))])


@lru_cache(maxsize=1)
def tables_site() -> dict[str, str]:
    return site_files([one_table()])
