"""A referee's list for a paper: its mistakes, each with its errata and consequences."""
