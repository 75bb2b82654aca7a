"""Theorems for every p and s, checked by Coq's kernel, and the cases that compare their definitions with the program."""
