"""Theorems for every p, checked by Coq's kernel."""
