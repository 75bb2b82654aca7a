"""The pages' templates, with links that work from any folder of the site."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from verifier import __version__
from verifier.arithmetic.numbers import show
from verifier.errata.findings import MEANING, SERIOUS
from verifier.gate.verdict_table import checkout
from verifier.show.answers import proof_line, text_of
from verifier.show.corrections import FIELDS
from verifier.show.counterexamples import rounded
from verifier.show.judged import number
from verifier.show.notation import mathml
from verifier.show.verdict_words import spelled, titled

if TYPE_CHECKING:
    from jinja2 import Environment


COLOURS = {
    "true": "verified",
    "true in one order only": "mixed",
    "false in one order, open in another": "mixed",
    "false": "refuted",
    "conditional": "conditional",
    "open": "open",
    "not judged": "declined",
}
"""The class of a mark in the style sheet, by how a result stands."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates' environment, which escapes every text except pictures that were drawn here."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("verifier.show.site", "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "titled": titled,
        "sentence": _sentence,
        "formula": _formula,
        "number": number,
        "number_text": show,
        "value": _value,
        "spelled": spelled,
        "begun": _begun,
        "proof": proof_line,
        "answer": text_of,
        "by_reading": lambda question: {answer.reading: answer for answer in question.answers},
        "finding": lambda name, judged: judged.listing(name),
        "formulas": lambda claim: [(FIELDS.get(name, name), text) for name, text in claim.fields.items() if isinstance(text, str)],
        "of_paper": lambda name, judged: judged.paper.statement(name),
    }
    made.globals |= {
        "version": __version__,
        "meaning": MEANING,
        "serious_kinds": SERIOUS,
        "colours": COLOURS,
        "documented": checkout() is not None,
    }
    return made


def _sentence(text: str) -> Markup:
    return Markup(mathml.sentence(spelled(text)))


def _begun(text: str) -> str:
    """Begin a clause with a capital, unless it begins with a letter of mathematics."""
    return text[:1].upper() + text[1:] if text[1:2].isalpha() else text


def _formula(text: str) -> Markup:
    return Markup(mathml.formula(text))


def _value(text: str) -> Markup:
    """Write a value. A long number is rounded, and its exact value is folded."""
    near = rounded(text)
    if near is None:
        return Markup("<code>{}</code>").format(text)
    return Markup("<details class='exact'><summary>≈ {}</summary><code>{}</code></details>").format(near, text)


def page(template: str, path: str, title: str, **given: Any) -> str:
    """A page at ``path`` of the site; ``root`` leads from it to the site's root."""
    root = "../" * path.count("/")
    return environment().get_template(template).render(root=root, path=path, title=title, **{"here": None, **given})


def asset(name: str) -> str:
    """A file that is copied unchanged."""
    return (files("verifier.show.site") / "assets" / name).read_text(encoding="utf-8")
