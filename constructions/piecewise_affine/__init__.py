"""Piecewise affine arithmetic: products, quotients, powers and logarithms by adding bit patterns."""
