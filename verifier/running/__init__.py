"""How a run is bounded and fails: limits, memory, processes, errors."""
