"""The objects of *Every Bit Counts* as plain functions of exact values."""
