"""Theorems for every p and s, checked by Coq's kernel, and the cases that hold their definitions against the program."""
