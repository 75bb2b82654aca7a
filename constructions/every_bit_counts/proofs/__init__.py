"""Theorems for every p, checked by Coq's kernel, and the cases that hold their definitions against the program."""
