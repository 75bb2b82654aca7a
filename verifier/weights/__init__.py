"""Weight files and what is made of them: tensors as exact fractions, and network files of transformer blocks."""
