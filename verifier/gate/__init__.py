"""The repository's own claims: the pages in ``reports/`` and the table of verdicts."""
