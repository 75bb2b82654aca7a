"""Claims: the statements of papers, and the rules by which they are judged."""
