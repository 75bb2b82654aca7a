"""Transformers as papers write them, with several layers and heads, named coordinates and a named arithmetic, run on every input."""
