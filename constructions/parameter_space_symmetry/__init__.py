"""*Data-Free Transformer Quantization Using Parameter-Space Symmetry* (anonymous submission)."""
