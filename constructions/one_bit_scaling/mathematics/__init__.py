"""Quantization, training and probabilities of *Scaling 1-Bit Neural Networks*."""
