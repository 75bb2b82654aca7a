"""The repository's own claims: the pages in ``reports/`` and the baseline of the gate."""
