"""*Unlocking the Theory Behind Scaling 1-Bit Neural Networks*: quantized networks, their kernel and their gap."""
