"""Trained weights to try the commands on."""
