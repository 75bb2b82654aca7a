"""The papers. Each has a folder with construction files, errata and the claims themselves."""
