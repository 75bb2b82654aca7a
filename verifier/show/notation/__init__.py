"""Mathematics on a page: a small tree of what is written, read from sentences and made of formulas, printed as MathML or as text."""
