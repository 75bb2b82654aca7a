"""The experiments of Section 3 and Appendix D, run again: data, network, training, quantization, judging."""
