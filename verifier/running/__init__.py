"""The bounds and the failures of a run, with its limits, memory, processes and errors."""
