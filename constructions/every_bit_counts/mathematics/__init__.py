"""What *Every Bit Counts* is about, as plain functions of exact values."""
