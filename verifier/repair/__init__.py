"""Small edits that repair a construction: the possible edits, those that work, and those that a reader would choose."""
