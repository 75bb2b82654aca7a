"""The symbolic reading of formulas: conditions for all parameters at once (:func:`verifier.proofs.for_all.decide_for_all`).

Importing a module of this package imports sympy, except :mod:`.domain`.
"""
