"""Finding papers and claims: every package under ``constructions`` that has a ``PAPER``."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache

from verifier.claims.model import Claim, Paper
from verifier.errors import InputError


@lru_cache(maxsize=1)
def papers() -> tuple[Paper, ...]:
    """Every paper found, by id."""
    import constructions

    found = []
    for module in pkgutil.iter_modules(constructions.__path__):
        if module.ispkg:
            paper = getattr(importlib.import_module(f"constructions.{module.name}"), "PAPER", None)
            if isinstance(paper, Paper):
                found.append(paper)
    return tuple(sorted(found, key=lambda p: p.id))


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Claim]:
    """Every claim by its full id."""
    return {claim.id: claim for paper in papers() for claim in paper}


def find_claim(text: str) -> Claim:
    """The claim with this id, full or without its paper.

    Raises:
        InputError: no such claim, or several papers have one; the message lists the candidates.
    """
    claims = catalogue()
    wanted = text.lower()
    if wanted in claims:
        return claims[wanted]
    candidates = [c for c in claims.values() if c.name == wanted]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise InputError(f"{text!r} is ambiguous: {', '.join(c.id for c in candidates)}")
    near = difflib.get_close_matches(wanted, [*claims, *(c.name for c in claims.values())], n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; `verify list` shows them"
    raise InputError(f"no claim {text!r}{hint}")
