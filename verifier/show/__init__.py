"""Everything that shows results: screen, documents, pages, the site, pictures."""
