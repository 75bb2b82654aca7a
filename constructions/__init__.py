"""The papers: one folder each, with construction files, errata and the claims themselves."""
