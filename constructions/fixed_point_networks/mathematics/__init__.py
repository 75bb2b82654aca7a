"""The objects of the paper as plain functions: the grid Q_{p,s}, activations, the sets N, S, BN and BS, and quantized networks."""
