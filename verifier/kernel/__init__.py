"""Proofs for all parameters that Coq's kernel checks: the fragment they are written in, the build, and what is read from it."""
