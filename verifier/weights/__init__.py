"""Weight files and conversions from them: tensors as exact fractions, and network files of transformer blocks."""
