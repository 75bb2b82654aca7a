"""Proofs for all parameters that Coq's kernel checks: their fragment, the build, and the facts read from it."""
