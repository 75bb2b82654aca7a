"""What the propositions say of strings, bits, tables and readings: each has to have one of the forms of ``forms.toml``.

A transformer T computes EQ with p bits in an order of evaluation o where ``output p T o`` is 1 for equal strings and is rejected for
others; or EQ is computed from two running sums over all tokens, or it is not, whatever the products and the weights are.
"""

from __future__ import annotations

from pathlib import Path

from verifier.kernel.forms import Forms

FORMS = Forms.of(Path(__file__).with_name("forms.toml"))
meaning = FORMS.meaning
