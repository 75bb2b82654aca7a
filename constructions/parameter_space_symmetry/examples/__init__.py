"""Trained weights to try the commands on, by ``python -m tests.constructions.parameter_space_symmetry.train_attention``."""
