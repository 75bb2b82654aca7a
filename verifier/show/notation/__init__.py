"""Mathematics on a page: a small tree, read from sentences or made from formulas, and printed as MathML or as text."""
