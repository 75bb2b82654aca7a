"""Claims on the command line: what a name means, and the options that claims bring with them."""

from __future__ import annotations

import click

from verifier.claims.model import Claim
from verifier.claims.papers import claims_called, find_claim, find_paper
from verifier.commands.options import OWN_OPTIONS, OwnOptions, parameter_options
from verifier.show.screen import notice


class ClaimCommand(OwnOptions):
    """A command whose options depend on the claims named: their parameters are options of their own name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = _leading_names(args)
        known = {p.name for p in self.params}
        claims = [claim_meant(name) for name in names if find_paper(name) is None]
        if any(word.startswith("--") for word in args):
            claims += [c for name in names if (paper := find_paper(name)) is not None for c in paper.statements()]
        steps = [step for c in claims for step in c.steps] if "--steps" in args else []
        ctx.meta[OWN_OPTIONS] = [o for o in parameter_options([*claims, *steps]) if o.name not in known]
        return super().parse_args(ctx, args)


def claim_meant(name: str) -> Claim:
    """The claim of this name, with a line on stderr where other papers have one of this name.

    Raises:
        InputError: as :func:`find_claim`.
    """
    found = find_claim(name)
    if others := claims_called(name)[1:]:
        notice(f"verify: {name!r} is read as {found.id}; it is also the name of {' and '.join(c.id for c in others)}")
    return found


def _leading_names(args: list[str]) -> list[str]:
    names = []
    for word in args:
        if word.startswith("-"):
            break
        names.append(word)
    return names
