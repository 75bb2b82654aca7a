"""Pictures of *Scaling 1-Bit Neural Networks*, from measured runs that are kept in ``runs.tsv``."""
