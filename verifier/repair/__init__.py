"""Small edits that mend a construction: which there are, which of them work, and which of those a reader would take."""
