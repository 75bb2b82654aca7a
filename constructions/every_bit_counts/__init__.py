"""*Every Bit Counts* (Chakrabarti, Pitassi, Alman): precision and expressivity of quantized one-layer transformers."""
