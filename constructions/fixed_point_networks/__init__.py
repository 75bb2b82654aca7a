"""*On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic* (Park, Park, Hwang)."""
