"""Judges of what *Every Bit Counts* says, by subject: a function of a question each, named in the statement files."""
