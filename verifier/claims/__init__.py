"""Claims: what papers state, and the rules by which they are judged."""
