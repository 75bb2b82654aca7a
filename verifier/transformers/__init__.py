"""Transformers as papers write them: several layers and heads, named coordinates, named arithmetic, every input."""
