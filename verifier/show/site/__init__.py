"""The site of a report: static pages that open from a file and need no network."""
