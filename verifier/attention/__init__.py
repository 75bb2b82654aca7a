"""One-layer attention in bounded precision: the scalar definition, its trace, and the final MLP."""
