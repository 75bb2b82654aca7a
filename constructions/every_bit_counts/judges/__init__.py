"""The judges of *Every Bit Counts*, by subject: each is a function of a query, named in the statement files."""
