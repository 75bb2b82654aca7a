"""Judges of what *Every Bit Counts* says, by subject: a function of a query each, named in the statement files."""
