"""The judges of *Every Bit Counts*, by subject; statement files name them as ``module.function``."""
