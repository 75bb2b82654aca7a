"""The judges of *Every Bit Counts*, by subject; its statement files name them."""
