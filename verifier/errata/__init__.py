"""What a paper's referee lists: its mistakes, each with its errata and with everything that follows from it."""
